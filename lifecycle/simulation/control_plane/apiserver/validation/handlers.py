"""Rules for probes and lifecycle hooks (pkg/apis/core/validation/validation.go: validateProbe, validateHandler)."""

from . import names
from .errors import each_message, forbidden, invalid, not_negative, not_supported, required

PROBE_SECONDS = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")


def port(path, value):
    """Errors in a port given by number or by name."""
    check = names.port_name if isinstance(value, str) else names.port_number
    yield from each_message(path, value, check(value))


def _exec(action, path, grace):
    if not action.get("command"):
        yield required(f"{path}.command")


def _http_get(action, path, grace):
    if not action.get("path"):
        yield required(f"{path}.path")
    yield from port(f"{path}.port", action.get("port", 0))
    if action.get("scheme") not in ("HTTP", "HTTPS"):
        yield not_supported(f"{path}.scheme", action.get("scheme") or "", ("HTTP", "HTTPS"))
    for header in action.get("httpHeaders") or ():
        name = header.get("name") or ""
        yield from each_message(f"{path}.httpHeaders", name, names.header_name(name))


def _port_action(action, path, grace):
    yield from port(f"{path}.port", action.get("port", 0))


def _sleep(action, path, grace):
    seconds = action.get("seconds", 0)
    if grace is not None and not 0 <= seconds <= grace:
        yield invalid(path, seconds, f"must be non-negative and less than terminationGracePeriodSeconds ({grace})")


PROBE_HANDLERS = {"exec": _exec, "httpGet": _http_get, "tcpSocket": _port_action, "grpc": _port_action}
HOOK_HANDLERS = {"exec": _exec, "httpGet": _http_get, "tcpSocket": _port_action, "sleep": _sleep}


def _handler(thing, path, grace, handlers):
    """Errors in the one way a probe or a hook acts."""
    given = [kind for kind in handlers if thing.get(kind) is not None]
    if not given:
        yield required(path, "must specify a handler type")
    for kind in given[:1]:
        yield from handlers[kind](thing[kind], f"{path}.{kind}", grace)
    for kind in given[1:]:
        yield forbidden(f"{path}.{kind}", "may not specify more than 1 handler type")


def hooks(lifecycle, path, grace):
    for moment in ("postStart", "preStop"):
        if (lifecycle or {}).get(moment) is not None:
            yield from _handler(lifecycle[moment], f"{path}.{moment}", grace, HOOK_HANDLERS)


def probes(container, path, grace):
    """Errors in the three probes of a container."""
    for name in ("livenessProbe", "readinessProbe", "startupProbe"):
        probe = container.get(name)
        if probe is None:
            continue
        yield from _probe(probe, f"{path}.{name}", grace)
        if name == "readinessProbe":
            if probe.get("terminationGracePeriodSeconds") is not None:
                yield invalid(f"{path}.{name}.terminationGracePeriodSeconds", probe["terminationGracePeriodSeconds"], "must not be set for readinessProbes")
        elif probe["successThreshold"] != 1:
            yield invalid(f"{path}.{name}.successThreshold", probe["successThreshold"], "must be 1")


def _probe(probe, path, grace):
    yield from _handler(probe, path, grace, PROBE_HANDLERS)
    for key in PROBE_SECONDS:
        yield from not_negative(f"{path}.{key}", probe.get(key))
    seconds = probe.get("terminationGracePeriodSeconds")
    if seconds is not None and seconds <= 0:
        yield invalid(f"{path}.terminationGracePeriodSeconds", seconds, "must be greater than 0")
