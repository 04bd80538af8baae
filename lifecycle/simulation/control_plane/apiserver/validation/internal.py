"""Objects in the form that Kubernetes' own code has them in: some of its error messages show that form, and differences in it.

Fields come in the order of the Go structs, all of them, with Go's zero values.
"""

import difflib
import functools
import json
import re
from importlib import resources

ZERO = {"s": "", "i": 0, "b": False}
HOST_FIELDS = ("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers")


def api_name(go_name):
    """"HTTPGet" -> "httpGet", "DNSPolicy" -> "dnsPolicy", "TTY" -> "tty"."""
    capitals = re.match(r"[A-Z]+(?![a-z])|[A-Z]", go_name)[0]
    return capitals.lower() + go_name[len(capitals) :]


@functools.cache
def _types():
    """{type: [(Go name, name in the API, kind)]} as the table beside this module has them."""
    table = {}
    for line in resources.files(__package__).joinpath("internal_types.txt").read_text().splitlines():
        if not line.startswith("#"):
            name, _, fields = line.partition(": ")
            table[name] = [_field(text) for text in fields.split()]
    return table


def _field(text):
    named, _, kind = text.partition("=")
    go_name, _, name = named.partition(":")
    return go_name, name or api_name(go_name), kind


def internal(type_name, thing):
    """`thing`, JSON of the API, as the Go struct `type_name` marshals."""
    return {go_name: _value(kind, thing.get(name)) for go_name, name, kind in _types()[type_name]}


def _value(kind, value):
    if kind.startswith("[]"):
        return [internal(kind[2:], item) for item in value] if value else None
    if kind.startswith("*"):
        return None if value is None else internal(kind[1:], value)
    if kind in ZERO:
        return value or ZERO[kind]
    if kind:
        return internal(kind, value or {})
    return _sorted(value)


def _sorted(value):
    """Maps of the API (labels, amounts) come with sorted keys."""
    return dict(sorted(value.items())) if isinstance(value, dict) and all(isinstance(part, str) for part in value.values()) else value


def pod_spec(spec):
    """A Pod's spec; internally the sharing of the host's namespaces belongs to the security context."""
    host = {key: spec[key] for key in HOST_FIELDS if spec.get(key) is not None}
    context = spec.get("securityContext")
    if host:
        context = {**(context or {}), **host}
    return internal("PodSpec", {**spec, "securityContext": context})


def pod_template(template):
    """A pod template: the fields of its metadata beside its Spec."""
    return {**(template.get("metadata") or {}), "Spec": pod_spec(template.get("spec") or {})}


def difference(old, new):
    """What changed between two such forms, as apimachinery/pkg/util/diff shows it: a unified diff of indented JSON."""
    before, after = (json.dumps(form, indent=1, ensure_ascii=False).split("\n") for form in (old, new))
    lines = list(difflib.unified_diff(before, after, lineterm=""))
    return "\n".join(lines[2:]) + "\n"
