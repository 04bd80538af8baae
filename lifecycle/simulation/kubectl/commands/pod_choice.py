"""Which pod and which container a command is about that was given a pod, or something that makes pods."""
from lifecycle.simulation.kubectl.arguments import resolve, with_kind
from lifecycle.simulation.kubectl.errors import CommandError, ServerError
from lifecycle.simulation.kubectl.process import Sleep
from lifecycle.simulation.label_text import requirements
from lifecycle.simulation.objects import condition, is_ready
from lifecycle.simulation.resources import resource

DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container"
PHASES = {"Unknown": 1, "Pending": 2}
POLL = 500


def chosen_pod(invocation, words, timeout):
    """The Pod of "pod", "pod/name", "deploy/name"; waits up to `timeout` ms for one to exist."""
    typed, _, name = words.rpartition("/")
    found = yield from resolve(invocation, typed or "pods")
    thing = yield from invocation.read(found, invocation.namespace, name)
    if found.qualified == "pods":
        return thing
    pods = yield from _pods_of(invocation, found, thing, timeout)
    if len(pods) > 1:
        invocation.err(f"Found {len(pods)} pods, using pod/{pods[0]['metadata']['name']}")
    return pods[0]


def _pods_of(invocation, found, thing, timeout):
    selector = thing["spec"].get("selector")
    if not selector:
        raise CommandError(f'cannot get the logs from {found.kind}: selector is missing')
    terms = requirements(selector if "matchLabels" in selector or "matchExpressions" in selector else {"matchLabels": selector})
    until = invocation.now + timeout
    while True:
        pods = yield from listed_pods(invocation, ",".join(terms))
        if pods:
            return sorted(pods, key=lambda pod: rank(invocation, pod))
        if invocation.now >= until:
            raise CommandError("timed out waiting for the condition")
        yield Sleep(min(POLL, until - invocation.now))


def listed_pods(invocation, selector):
    pods = resource("pods")
    answer = yield from invocation.get(pods.path(invocation.namespace), {"labelSelector": selector})
    return [with_kind(item, pods) for item in answer["items"]]


def rank(invocation, pod):
    """The best one to look at comes first: bound, running, ready for longest, restarted most, oldest (kubectl/pkg/util/podutils)."""
    ready = is_ready(pod)
    restarts = max((status.get("restartCount", 0) for status in pod.get("status", {}).get("containerStatuses") or ()), default=0)
    since = invocation.clock.parse(condition(pod, "Ready")["lastTransitionTime"]) if ready else 0
    return (not pod["spec"].get("nodeName"), PHASES.get(pod.get("status", {}).get("phase"), 0), not ready, since, -restarts,
            pod["metadata"]["creationTimestamp"])


def container_names(pod):
    """(name as shown, name) of all containers of a pod."""
    spec = pod["spec"]
    marked = (("containers", ""), ("ephemeralContainers", " (ephem)"), ("initContainers", " (init)"))
    return [(container["name"] + mark, container["name"]) for part, mark in marked for container in spec.get(part) or ()]


def chosen_container(invocation, pod, name, quiet=False):
    """The name of the container: the one asked for, or the default one, which is said if there are others."""
    names = container_names(pod)
    shown = ", ".join(label for label, _ in names)
    if name:
        if name not in [known for _, known in names]:
            raise CommandError(f"container {name} is not valid for pod {pod['metadata']['name']} out of: {shown}")
        return name
    wanted = (pod["metadata"].get("annotations") or {}).get(DEFAULT_CONTAINER)
    if wanted in [known for _, known in names]:
        return wanted
    first = pod["spec"]["containers"][0]["name"]
    if len(names) > 1 and not quiet:
        invocation.err(f'Defaulted container "{first}" out of: {shown}')
    return first


def as_kubectl_says(error, invocation):
    """A refusal on the way to a pod, as logs words it."""
    place = f' in namespace "{invocation.namespace}"' if error.reason == "NotFound" else ""
    return CommandError(f"error from server ({error.reason}): {error.message}{place}") if isinstance(error, ServerError) else error
