"""kubectl debug (kubectl/pkg/cmd/debug): an ephemeral container in a Pod, a copy of a Pod, or a Pod on a node."""
from lifecycle.simulation.kubectl.arguments import resolve
from lifecycle.simulation.kubectl.commands.attach import attach_or_log, print_log, wait_for
from lifecycle.simulation.kubectl.commands.connection import NO_TERMINAL
from lifecycle.simulation.kubectl.commands.deletion import delete_options
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.files import Info
from lifecycle.simulation.kubectl.flags import boolean, repeated, text
from lifecycle.simulation.kubectl.options import Command
from lifecycle.simulation.kubectl.process import Suffix
from lifecycle.simulation.objects import at, removed
from lifecycle.simulation.resources import resource

TARGETED = ("Targeting container \"{}\". If you don't see processes from this container it may be because the container runtime doesn't support this feature.")
TRACING, NETWORK, EVERYTHING = {"capabilities": {"add": ["SYS_PTRACE"]}}, {"capabilities": {"add": ["NET_ADMIN", "NET_RAW"]}}, {"privileged": True}
RESTRICTED = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}, "runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
# securityContext of the container, by profile: (in a Pod or its copy, on a node)
PROFILES = {"general": (TRACING, None), "legacy": (None, None), "baseline": (None, None), "netadmin": (NETWORK, NETWORK),
            "restricted": (RESTRICTED, RESTRICTED), "sysadmin": (EVERYTHING, EVERYTHING)}
OF_THE_OLD_POD = ("livenessProbe", "readinessProbe", "startupProbe")            # what a copied container does without


def debug(invocation):
    """Make the container to look from, and with -i print what it prints until it ends."""
    flags = invocation.flags
    names = invocation.args if invocation.dash is None else invocation.args[:invocation.dash]
    words = () if invocation.dash is None else invocation.args[invocation.dash:]
    _check(invocation, names, words)
    if invocation.state is None:
        typed, _, name = names[0].rpartition("/")
        row = yield from resolve(invocation, typed or "pods")
        if row.qualified not in ("pods", "nodes"):
            raise CommandError(f'"{row.group + "/" if row.group else ""}{row.version}, Kind={row.kind}" not supported by debug')
        thing = yield from invocation.read(row, invocation.namespace, name)
        make = _on_node if row.qualified == "nodes" else _copy if flags["copy-to"] else _ephemeral
        pod, container = yield from make(invocation, thing, words)
    else:
        pod, container = invocation.state["pod"], invocation.state["container"]
    if flags["attach"] or flags["stdin"]:
        yield from _attached(invocation, pod, container)


def _check(invocation, names, words):
    flags = invocation.flags
    if flags["profile"] not in PROFILES:
        raise CommandError(f"unknown profile: {flags['profile']}")
    if not flags["copy-to"] and not flags["image"]:
        raise CommandError("you must specify --image when not using --copy-to.")
    if flags["copy-to"] and not (flags["image"] or flags["set-image"] or words):
        raise CommandError("you must specify --image, --set-image or command arguments.")
    if not names:
        raise CommandError("NAME or filename is required for debug")
    if flags["tty"] and not flags["stdin"]:
        raise CommandError("-i/--stdin is required for containers with -t/--tty=true")


def _attached(invocation, pod, container):
    """Print what the container prints, once it runs."""
    if invocation.state is None:
        if invocation.flags["tty"]:
            invocation.err(NO_TERMINAL)
        meta = pod["metadata"]
        info = Info(resource("pods"), meta["namespace"], meta["name"], pod)
        pod = yield from wait_for(invocation, info, lambda found: state_of(found, container), None)
        if "terminated" in state_of(pod, container):
            return (yield from print_log(invocation, pod, container))
        invocation.state = {"pod": {"metadata": {"name": meta["name"], "namespace": meta["namespace"]}}, "container": container}
    yield from attach_or_log(invocation, pod, container)


def state_of(pod, container):
    """The state of a container that runs or has ended, else None."""
    status = pod.get("status", {})
    for part in ("containerStatuses", "ephemeralContainerStatuses"):
        for each in status.get(part) or ():
            if each["name"] == container:
                return each["state"] if "waiting" not in each["state"] else None
    return None


# -- what is made ----------------------------------------------------------------------------------------------------------
def _container(invocation, name, words, node=False):
    """The container as kubectl writes it."""
    flags = invocation.flags
    security = PROFILES[flags["profile"]][node]
    made = {"name": name, "image": flags["image"], "args" if flags["arguments-only"] else "command": list(words),
            "env": [dict(zip(("name", "value"), word.split("=", 1))) for word in flags["env"]], "resources": {}, "imagePullPolicy": flags["image-pull-policy"],
            "stdin": flags["stdin"], "tty": flags["tty"], "terminationMessagePolicy": "File", "securityContext": security}
    return {field: value for field, value in made.items() if value or field == "resources"}


def _name(invocation, thing):
    """The name that -c gives, else one that nobody has."""
    given = invocation.flags["container"]
    if given:
        return given
    name = f"debugger-{(yield Suffix())}"
    if not invocation.flags["quiet"]:
        invocation.out(f"Defaulting debug container name to {name}.")
    return name


def _ephemeral(invocation, pod, words):
    """Add an ephemeral container to a Pod; returns (Pod, name of the container)."""
    target, meta = invocation.flags["target"], pod["metadata"]
    if target and not invocation.flags["quiet"]:
        invocation.out(TARGETED.format(target))
    name = yield from _name(invocation, pod)
    container = {**_container(invocation, name, words), **({"targetContainerName": target} if target else {})}
    path = resource("pods").path(meta["namespace"], meta["name"], "ephemeralcontainers")
    return (yield from invocation.patch(path, {"spec": {"ephemeralContainers": [container]}})), name


def _copy(invocation, pod, words):
    """Create a copy of a Pod with another container, or with other images or words in its own."""
    flags = invocation.flags
    spec = pod["spec"] if flags["same-node"] else removed(pod["spec"], "nodeName")
    images = dict(word.split("=", 1) for word in flags["set-image"].split(",")) if flags["set-image"] else {}
    containers = [{**each, "image": images.get(each["name"], images.get("*", each["image"]))} for each in spec["containers"]]
    name = flags["container"] or (containers[0]["name"] if not flags["image"] else "")
    if any(each["name"] == name for each in containers):
        added = _container(invocation, name, words)
        containers = [_without({**each, **{field: value for field, value in added.items() if field not in ("resources", "terminationMessagePolicy")}})
                      if each["name"] == name and (words or flags["image"]) else each for each in containers]
    else:
        name = name or (yield from _name(invocation, pod))
        containers = [*map(_without, containers), _container(invocation, name, words)]
    shared = flags["share-processes"] and (flags["image"] or words)
    labels = {"labels": at(pod, "metadata", "labels")} if flags["keep-labels"] and at(pod, "metadata", "labels") else {}
    made = {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": flags["copy-to"], "namespace": pod["metadata"]["namespace"], **labels},
            "spec": {**removed(spec, "ephemeralContainers"), "containers": containers, **({"shareProcessNamespace": True} if shared else {})}}
    created = yield from invocation.post(resource("pods").path(pod["metadata"]["namespace"]), made)
    if flags["replace"]:
        yield from invocation.ask("DELETE", resource("pods").path(pod["metadata"]["namespace"], pod["metadata"]["name"]), body=delete_options(0, None))
    return created, name


def _without(container):
    return {field: value for field, value in container.items() if field not in OF_THE_OLD_POD}


def _on_node(invocation, node, words):
    """Create a Pod in the namespaces of a node, with its files below /host."""
    flags = invocation.flags
    name, container = f"node-debugger-{node['metadata']['name']}-{(yield Suffix())}", flags["container"] or "debugger"
    mounted = flags["profile"] not in ("netadmin", "restricted")
    made = _container(invocation, container, words, True)
    host = flags["profile"] not in ("restricted", "baseline")
    pod = {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": name, "labels": {"app.kubernetes.io/managed-by": "kubectl-debug"}},
           "spec": {"containers": [{**made, **({"volumeMounts": [{"mountPath": "/host", "name": "host-root"}]} if mounted else {})}],
                    **({"volumes": [{"name": "host-root", "hostPath": {"path": "/"}}]} if mounted else {}),
                    "nodeName": node["metadata"]["name"], "restartPolicy": "Never", "tolerations": [{"operator": "Exists"}],
                    **({"hostIPC": True, "hostNetwork": True, "hostPID": True} if host else {})}}
    if not flags["quiet"]:
        invocation.out(f"Creating debugging pod {name} with container {container} on node {node['metadata']['name']}.")
    return (yield from invocation.post(resource("pods").path(invocation.namespace), pod)), container


FLAGS = {"arguments-only": boolean(), "attach": boolean(), "container": text(short="c"), "copy-to": text(), "custom": text(), "env": repeated(),
         "image": text(), "image-pull-policy": text(), "keep-annotations": boolean(), "keep-init-containers": boolean(default=True), "keep-labels": boolean(),
         "keep-liveness": boolean(), "keep-readiness": boolean(), "keep-startup": boolean(), "profile": text("general"), "quiet": boolean("q"),
         "replace": boolean(), "same-node": boolean(), "set-image": text(), "share-processes": boolean(default=True), "stdin": boolean("i"), "target": text(),
         "tty": boolean("t")}
COMMANDS = {("debug",): Command(debug, "(POD | TYPE[[.VERSION].GROUP]/NAME) [ -- COMMAND [args...] ]", FLAGS)}
