"""The containers of a Pod or of a pod template."""
from json import dumps
from urllib.parse import quote

from lifecycle.simulation.objects import at
from lifecycle.simulation.quantities import milli, value
from lifecycle.simulation.summaries import host_port

from .page import NONE, bracketed, long_time, lower


def describe_containers(page, name, containers, statuses, pod, level=0):
    """A block for every container; `pod` is None for those of a template, which have no status."""
    known = {status["name"]: status for status in statuses}
    page.line(f"{name}:{'' if containers else ' ' + NONE}", level)
    for container in containers:
        page.line(f"{' ' if level else ''}{container['name']}:", 1)
        status = known.get(container["name"])
        _basics(page, container, status)
        _command(page, container)
        if status:
            _status(page, status)
        describe_resources(page, container.get("resources") or {}, 2)
        for label, probe in (("Liveness", "livenessProbe"), ("Readiness", "readinessProbe"), ("Startup", "startupProbe")):
            if container.get(probe):
                page.field(label, probe_text(container[probe]), 2)
        _environment(page, container, pod)
        _mounts(page, container)


def _basics(page, container, status):
    if status:
        page.field("Container ID", status.get("containerID", ""), 2)
    page.field("Image", container.get("image", ""), 2)
    if status:
        page.field("Image ID", status.get("imageID", ""), 2)
    for label, field in (("Port", "containerPort"), ("Host Port", "hostPort")):
        texts = [_port(port, field) for port in container.get("ports") or ()]
        page.field(f"{label}s" if len(texts) > 1 else label, ", ".join(texts) or NONE, 2)
    profile = at(container, "securityContext", "seccompProfile")
    if profile:
        page.field("SeccompProfile", profile.get("type", ""), 2)
        page.optional("LocalhostProfile", profile.get("localhostProfile"), 3)


def _port(port, field):
    return f"{port.get(field, 0)}/{port.get('protocol', 'TCP')}{' (' + port['name'] + ')' if port.get('name') else ''}"


def _command(page, container):
    for label, words in (("Command", container.get("command")), ("Args", container.get("args"))):
        if words:
            page.line(f"{label}:", 2)
            for word in words:
                for line in word.split("\n"):
                    page.line(line, 3)


def _status(page, status):
    _state(page, "State", status.get("state") or {})
    if at(status, "lastState", "terminated"):
        _state(page, "Last State", status["lastState"])
    page.field("Ready", bool(status.get("ready")), 2)
    page.field("Restart Count", status.get("restartCount", 0), 2)


def _state(page, name, state):
    running, ended, waiting = state.get("running"), state.get("terminated"), state.get("waiting") or {}
    page.field(name, "Running" if running is not None else "Terminated" if ended else "Waiting", 2)
    if running is not None:
        page.field("Started", long_time(running.get("startedAt")), 3)
    elif ended:
        page.optional("Reason", ended.get("reason"), 3)
        page.optional("Message", ended.get("message"), 3)
        page.field("Exit Code", ended.get("exitCode", 0), 3)
        page.optional("Signal", ended.get("signal") or None, 3)
        page.field("Started", long_time(ended.get("startedAt")), 3)
        page.field("Finished", long_time(ended.get("finishedAt")), 3)
    else:
        page.optional("Reason", waiting.get("reason"), 3)


def describe_resources(page, resources, level):
    """Limits and requests, each only if there are any."""
    for label, amounts in (("Limits", resources.get("limits")), ("Requests", resources.get("requests"))):
        if amounts:
            page.line(f"{label}:", level)
            for name in sorted(amounts):
                page.field(name, amounts[name], level + 1)


def probe_text(probe):
    """"http-get http://:80/healthz delay=0s timeout=1s period=10s #success=1 #failure=3"."""
    timing = "delay={}s timeout={}s period={}s #success={} #failure={}".format(*[probe.get(name, 0) for name in (
        "initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")])
    if probe.get("exec"):
        return f"exec {bracketed(probe['exec'].get('command'))} {timing}"
    if probe.get("httpGet"):
        return f"http-get {_url(probe['httpGet'])} {timing}"
    if probe.get("tcpSocket"):
        return f"tcp-socket {probe['tcpSocket'].get('host', '')}:{probe['tcpSocket'].get('port', 0)} {timing}"
    if probe.get("grpc"):
        return f"grpc <pod>:{probe['grpc'].get('port', 0)} {probe['grpc'].get('service') or ''} {timing}"
    return f"unknown {timing}"


def _url(action):
    path = quote(action.get("path", ""), safe="/$&+,:;=@~!*'()")
    slash = "/" if path and not path.startswith("/") else ""
    return f"{action.get('scheme', 'HTTP').lower()}://{host_port(action.get('host', ''), action.get('port', ''))}{slash}{path}"


def _environment(page, container, pod):
    if container.get("envFrom"):
        page.line("Environment Variables from:", 2)
        for source in container["envFrom"]:
            kind, reference = ("ConfigMap", source["configMapRef"]) if source.get("configMapRef") else ("Secret", source.get("secretRef") or {})
            prefix = f" with prefix '{source['prefix']}'" if source.get("prefix") else ""
            page.line(f"{reference.get('name', '')}\t{kind}{prefix}\tOptional: {lower(reference.get('optional'))}", 3)
    page.line("Environment:" if container.get("env") else f"Environment:\t{NONE}", 2)
    for variable in container.get("env") or ():
        if variable.get("valueFrom"):
            page.field(variable["name"], _source(variable["valueFrom"], container, pod), 3)
        else:
            page.several(variable["name"], variable.get("value", "").split("\n"), 3)


def _source(source, container, pod):
    if source.get("fieldRef"):
        path = source["fieldRef"]["fieldPath"]
        return f"{_pod_field(pod, path)} ({source['fieldRef'].get('apiVersion', 'v1')}:{path})"
    if source.get("resourceFieldRef"):
        return f"{_resource(source['resourceFieldRef'], container)} ({source['resourceFieldRef']['resource']})"
    if source.get("secretKeyRef"):
        key = source["secretKeyRef"]
        return f"<set to the key '{key['key']}' in secret '{key.get('name', '')}'>\tOptional: {lower(key.get('optional'))}"
    key = source.get("configMapKeyRef") or {}
    return f"<set to the key '{key.get('key', '')}' of config map '{key.get('name', '')}'>\tOptional: {lower(key.get('optional'))}"


def _pod_field(pod, path):
    """The fields of metadata, as text; the others are known on the node only and stay empty."""
    if pod is None or not path.startswith("metadata."):
        return ""
    name, bracket, key = path.removeprefix("metadata.").partition("['")
    found = at(pod, "metadata", name, default="")
    if bracket:
        return found.get(key.removesuffix("']"), "") if found else ""
    return "\n".join([f"{each}={dumps(found[each])}" for each in sorted(found)]) if isinstance(found, dict) else found


def _resource(reference, container):
    kind, name = reference["resource"].split(".", 1)
    divisor = reference.get("divisor") or "1"
    amount = at(container, "resources", kind, name, default="0")
    measure = milli if name == "cpu" else value
    count = -(-measure(amount) // (measure("1" if divisor == "0" else divisor) or 1))
    return "node allocatable" if count == 0 and reference["resource"] in ("limits.cpu", "limits.memory") else str(count)


def _mounts(page, container):
    mounts = sorted(container.get("volumeMounts") or (), key=lambda each: each["mountPath"])
    page.line("Mounts:" if mounts else f"Mounts:\t{NONE}", 2)
    for mount in mounts:
        path = f",path={dumps(mount['subPath'])}" if mount.get("subPath") else ""
        page.line(f"{mount['mountPath']} from {mount['name']} ({'ro' if mount.get('readOnly') else 'rw'}{path})", 3)
    devices = sorted(container.get("volumeDevices") or (), key=lambda each: each["devicePath"])
    if devices:
        page.line("Devices:" if mounts else f"Devices:\t{NONE}", 2)
        for device in devices:
            page.line(f"{device['devicePath']} from {device['name']}", 3)
