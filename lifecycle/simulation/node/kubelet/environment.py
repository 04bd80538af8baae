"""What a container is given when it is made: environment, command line, limits (pkg/kubelet/kubelet_pods.go makeEnvironmentVariables)."""
import re
from base64 import b64decode

from ...objects import at
from ...quantities import value
from .. import images, programs

REFERENCE = re.compile(r"\$\$|\$\(([A-Za-z_][A-Za-z0-9_.-]*)\)")


def variables(worker, container, linked):
    """({name: value} as the manifest asks, error text): an error if a ConfigMap, Secret or key that is not optional is missing.

    `linked` are the variables of Services, which values may refer to.
    """
    env = {}
    for source in container.get("envFrom", ()):
        error = _from_whole(worker, source, env)
        if error:
            return None, error
    for item in container.get("env", ()):
        text, error = _value(worker, container, item, {**linked, **env})
        if error:
            return None, error
        if text is not None:
            env[item["name"]] = text
    return env, None


def _from_whole(worker, source, env):
    """Add every key of a ConfigMap or Secret to `env`; returns an error text or None."""
    for field, qualified in (("configMapRef", "configmaps"), ("secretRef", "secrets")):
        asked = source.get(field)
        if asked:
            found = worker.kubelet.api.get(qualified, worker.key.namespace, asked["name"])
            if found is None and not asked.get("optional"):
                return f'{qualified[:-1]} "{asked["name"]}" not found'
            for key, text in contents(found).items():
                env[source.get("prefix", "") + key] = text
    return None


def contents(thing):
    """{key: text} of a ConfigMap or Secret (or None)."""
    data = (thing or {}).get("data") or {}
    if thing and thing["kind"] == "Secret":
        return {key: b64decode(text).decode("utf-8", "replace") for key, text in data.items()}
    return data


def _value(worker, container, item, env):
    """(the value of an env entry or None, error text or None)"""
    if "valueFrom" not in item:
        return expanded(item.get("value", ""), env), None
    source = item["valueFrom"]
    for field, qualified, kind in (("configMapKeyRef", "configmaps", "ConfigMap"), ("secretKeyRef", "secrets", "Secret")):
        if field in source:
            return _key(worker, source[field], qualified, kind)
    if "fieldRef" in source:
        return field_value(worker, source["fieldRef"]["fieldPath"]), None
    return resource_value(worker, container, source.get("resourceFieldRef", {})), None


def _key(worker, asked, qualified, kind):
    found = worker.kubelet.api.get(qualified, worker.key.namespace, asked["name"])
    if found is None:
        return None, None if asked.get("optional") else f'{qualified[:-1]} "{asked["name"]}" not found'
    known = contents(found)
    if asked["key"] not in known:
        return None, None if asked.get("optional") else f"couldn't find key {asked['key']} in {kind} {worker.key.namespace}/{asked['name']}"
    return known[asked["key"]], None


def field_value(worker, path):
    """A downward API field as text."""
    meta, spec = worker.pod["metadata"], worker.spec
    sandbox, host = worker.runtime["sandbox"], worker.kubelet.address(worker.key.node)
    plain = {"metadata.name": meta["name"], "metadata.namespace": meta["namespace"], "metadata.uid": meta["uid"], "spec.nodeName": spec["nodeName"],
             "spec.serviceAccountName": spec.get("serviceAccountName", ""), "status.hostIP": host, "status.hostIPs": host,
             "status.podIP": sandbox["ip"] if sandbox else "", "status.podIPs": sandbox["ip"] if sandbox else ""}
    if path in plain:
        return plain[path]
    field, _, key = path.partition("[")
    return at(meta, field.rpartition(".")[2], default={}).get(key.strip("]'\""), "")


def resource_value(worker, container, asked):
    """requests.cpu, limits.memory ... of a container as a whole number of the divisor; what is not set is the node's."""
    owner = next((other for other in worker.specs() if other["name"] == asked.get("containerName")), container)
    kind, _, name = asked.get("resource", "").partition(".")
    text = at(owner, "resources", kind, name) or (at(worker.node, "status", "allocatable", name) if kind == "limits" else "0")
    divisor = asked.get("divisor") or "1"
    return str(-(-value(text or "0") // max(value(divisor if divisor != "0" else "1"), 1)))


def expanded(text, env):
    """$(NAME) of known variables replaced; $$ stands for $."""
    return REFERENCE.sub(lambda found: "$" if found.group() == "$$" else env.get(found.group(1), found.group()), text)


def command_line(container, reference, env):
    """The argv that runs: the manifest's command and args over the image's entrypoint and cmd."""
    entry = images.entry(reference)
    command, args = container.get("command"), container.get("args")
    argv = [*(command or entry.get("entrypoint", [])), *(args or ([] if command else entry.get("cmd", [])))]
    return [expanded(word, env) for word in argv]


def memory_limit(container):
    """The memory limit in bytes, or None."""
    limit = at(container, "resources", "limits", "memory")
    return value(limit) if limit else None


def cannot_start(container):
    """The runtime's error if the program of a created container does not exist, else None."""
    argv = container["argv"]
    if not argv or programs.exists(container["image"], argv):
        return None
    return ("failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: "
            f'error during container init: exec: "{argv[0]}": {programs.not_found(argv[0])}')
