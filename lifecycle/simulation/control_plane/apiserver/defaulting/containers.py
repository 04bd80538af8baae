"""Defaults of containers (pkg/apis/core/v1/defaults.go: Container, Probe, HTTPGetAction, ResourceList, ObjectFieldSelector)."""

import functools
import re

from .filling import absent, applied, deep, each, empty, inside

PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
PROBE = {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}
COMPONENT = r"[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*"
DOMAIN = r"(?:localhost|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+|[A-Za-z0-9-]+(?=:)|\[[0-9a-fA-F:]+\])(?::[0-9]+)?"
REFERENCE = re.compile(rf"(?:{DOMAIN}/)?{COMPONENT}(?:/{COMPONENT})*(?::(?P<tag>\w[\w.-]{{0,127}}))?(?P<digest>@[A-Za-z0-9+._-]+:[0-9a-fA-F]{{32,}})?")


@functools.lru_cache(maxsize=1024)
def default_pull_policy(image):
    """"Always" for the tag latest, said or implied; else "IfNotPresent", also for a name that cannot be parsed (pkg/util/parsers)."""
    found = REFERENCE.fullmatch(image)
    latest = found and (found["tag"] == "latest" or not (found["tag"] or found["digest"]))
    return "Always" if latest else "IfNotPresent"


def default_container(container):
    """A container of any kind with the defaults that do not depend on its Pod."""
    container = empty(container, {"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File"})
    container = absent(container, {"resources": {}})
    if not container.get("imagePullPolicy"):
        container = {**container, "imagePullPolicy": default_pull_policy(container.get("image") or "")}
    return applied(container, (_ports, _env, _resources, _probes, _hooks))


def _ports(container):
    return each(container, "ports", lambda port: empty(port, {"protocol": "TCP"}))


def _env(container):
    return each(container, "env", lambda variable: inside(variable, "valueFrom", _env_source))


def _env_source(source):
    source = inside(source, "fieldRef", default_field_selector)
    source = inside(source, "fileKeyRef", lambda ref: absent(ref, {"optional": False}))
    # The divisor is a plain Quantity: one that was not given is printed as zero.
    return inside(source, "resourceFieldRef", default_resource_selector)


def default_field_selector(selector):
    return empty(selector, {"apiVersion": "v1"})


def default_resource_selector(selector):
    return absent(selector, {"divisor": "0"})


def _resources(container):
    return inside(container, "resources", default_resource_lists)


def default_resource_lists(resources):
    return inside(inside(resources, "limits", default_resource_list), "requests", default_resource_list)


def default_resource_list(quantities):
    """Quantities below a thousandth are rounded up to it."""
    finer = {name: rounded(text) for name, text in quantities.items() if isinstance(text, str) and text[-1:] in ("n", "u")}
    return {**quantities, **finer} if finer else quantities


def rounded(text):
    """"1500u" -> "2m": the canonical form of a quantity in nano or micro, rounded up to thousandths."""
    per_milli = 1_000_000 if text[-1] == "n" else 1000
    milli = -(-int(text[:-1]) // per_milli)
    return str(milli // 1000) if milli % 1000 == 0 else f"{milli}m"


def _probes(container):
    for name in PROBES:
        container = inside(container, name, _probe)
    return container


def _probe(probe):
    probe = inside(empty(probe, PROBE), "httpGet", _http_get)
    return inside(probe, "grpc", lambda action: absent(action, {"service": ""}))


def _hooks(container):
    container = deep(container, _http_get, "lifecycle", "postStart", "httpGet")
    return deep(container, _http_get, "lifecycle", "preStop", "httpGet")


def _http_get(action):
    return empty(action, {"path": "/", "scheme": "HTTP"})
