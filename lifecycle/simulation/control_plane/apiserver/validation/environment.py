"""Rules for what containers get told: environment variables, and files made from fields of the Pod (pkg/apis/core/validation/validation.go)."""

import re

from .... import quantities
from . import names
from .errors import each_message, invalid, not_supported, required

ENV_FIELDS = (
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
)
FILE_FIELDS = ("metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid")
KNOWN_FIELDS = {*ENV_FIELDS, *FILE_FIELDS, "spec.restartPolicy", "spec.schedulerName", "spec.hostNetwork", "status.phase", "status.nominatedNodeName"}
RESOURCES = ("limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory")
HUGE_PAGES = ("limits.hugepages-", "requests.hugepages-")
SIZES = ("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei")
DIVISORS = {
    "cpu": (("1m", "1"), "only divisor's values 1m and 1 are supported with the cpu resource"),
    "memory": (SIZES, f"only divisor's values {', '.join(SIZES)} are supported with the memory resource"),
    "ephemeral-storage": (SIZES, f"only divisor's values {', '.join(SIZES)} are supported with the local ephemeral storage resource"),
    "hugepages": (SIZES, f"only divisor's values {', '.join(SIZES)} are supported with the hugepages resource"),
}
ENV_SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")


def env(variables, path):
    for index, variable in enumerate(variables or ()):
        here = f"{path}[{index}]"
        name = variable.get("name") or ""
        if not name:
            yield required(f"{here}.name")
        else:
            yield from each_message(f"{here}.name", name, names.env_name(name))
        if variable.get("valueFrom") is not None:
            yield from _value_from(variable, f"{here}.valueFrom")


def _value_from(variable, path):
    source = variable["valueFrom"]
    given = [kind for kind in ENV_SOURCES if source.get(kind) is not None]
    for kind in given:
        yield from SOURCE_RULES[kind](source[kind], f"{path}.{kind}")
    if not given:
        yield invalid(path, "", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`")
    elif variable.get("value"):
        yield invalid(path, "", "may not be specified when `value` is not empty")
    elif len(given) > 1:
        yield invalid(path, "", "may not have more than one field specified at a time")


def field_selector(selector, path, fields=ENV_FIELDS):
    """Errors in a fieldRef; `fields` may be named where it is used."""
    for key in ("apiVersion", "fieldPath"):
        if not selector.get(key):
            yield required(f"{path}.{key}")
            return
    whole = selector["fieldPath"]
    subscripted = re.fullmatch(r"([^\[]+)\['(.*)'\]", whole)
    name = subscripted[1] if subscripted else whole
    if name not in KNOWN_FIELDS:
        yield invalid(f"{path}.fieldPath", whole, f"error converting fieldPath: field label not supported: {whole}")
    elif subscripted:
        yield from _subscript(name, subscripted[2], path)
    elif name not in fields:
        yield not_supported(f"{path}.fieldPath", name, fields)


def _subscript(name, key, path):
    if name not in ("metadata.annotations", "metadata.labels"):
        yield invalid(path, name, "does not support subscript")
        return
    key = key.lower() if name == "metadata.annotations" else key
    yield from each_message(path, key, names.qualified_name(key))


def resource_selector(selector, path, in_file=False):
    """Errors in a resourceFieldRef; in a file it must name its container."""
    resource = selector.get("resource") or ""
    if in_file and not selector.get("containerName"):
        yield required(f"{path}.containerName")
    elif not resource:
        yield required(f"{path}.resource")
    elif resource not in RESOURCES and not resource.startswith(HUGE_PAGES):
        yield not_supported(f"{path}.resource", resource, RESOURCES)
    divisor = selector.get("divisor") or "0"
    kind = resource.partition(".")[2]
    kind = "hugepages" if kind.startswith("hugepages-") else kind
    if kind in DIVISORS and quantities.parse(divisor).nano != 0:
        allowed, message = DIVISORS[kind]
        if quantities.canonical(divisor) not in allowed:
            yield invalid(f"{path}.divisor", resource, message)


def _key_selector(selector, path):
    name, key = selector.get("name") or "", selector.get("key") or ""
    yield from each_message(f"{path}.name", name, names.dns_subdomain(name))
    if not key:
        yield required(f"{path}.key")
    else:
        yield from each_message(f"{path}.key", key, names.config_key(key))


def _file_key(selector, path):
    for key in ("key", "volumeName", "path"):
        if not selector.get(key):
            yield required(f"{path}.{key}")


SOURCE_RULES = {
    "fieldRef": field_selector,
    "resourceFieldRef": resource_selector,
    "configMapKeyRef": _key_selector,
    "secretKeyRef": _key_selector,
    "fileKeyRef": _file_key,
}


def env_from(sources, path):
    for index, source in enumerate(sources or ()):
        here = f"{path}[{index}]"
        if source.get("prefix"):
            yield from each_message(f"{here}.prefix", source["prefix"], names.env_name(source["prefix"]))
        given = [kind for kind in ("configMapRef", "secretRef") if source.get(kind) is not None]
        for kind in given:
            yield from _named(source[kind].get("name") or "", f"{here}.{kind}.name")
        if not given:
            yield invalid(path, "", "must specify one of: `configMapRef` or `secretRef`")
        elif len(given) > 1:
            yield invalid(path, "", "may not have more than one field specified at a time")


def _named(name, path):
    if not name:
        yield required(path)
    else:
        yield from each_message(path, name, names.generated(names.dns_subdomain)(name))
