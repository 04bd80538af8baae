"""What must be true of the machinery behind a cluster at the end of a run: caches, disks, words, and that nobody has missed anything."""
import orjson

from lifecycle.explanations import LANGUAGES, explain, seed_steps
from lifecycle.simulation.hindrances import DELAYED, REFUSED
from lifecycle.simulation.indexes import Indexes
from lifecycle.simulation.node.durations import GC_PERIOD
from lifecycle.simulation.resources import resource_of_key

from .random_runs import SECOND, WRITES

# A taint is nothing that wakes the DaemonSet controller, so its status may be older.
TOLD_AGAIN = ("CreateEvent", "PatchEvent", "UpdateLease")          # a kubelet that starts renews its Lease
BLIND = "daemonset"          # many a taint is nothing that wakes the DaemonSet controller: it acts on it when it looks for another reason
KEPT_FOR_A_POD = ("pod", "runtime", "removed", "own")          # what a node's disk holds under "WHAT UID"


def flaws(player):
    """A sentence for everything that is wrong."""
    yield from unexplained(player.cluster)
    yield from stale_indexes(player.cluster)
    yield from left_on_disks(player)
    yield from stuck(player)
    yield from refused(player)
    yield from missed(player)


def unexplained(cluster):
    """Messages without words in a language, or which cannot be sent anywhere."""
    for step in {step.reason: step for step in cluster.log.steps}.values():
        seed_steps(step)
        orjson.dumps(step.facts)
        for language in LANGUAGES:
            try:
                explain(step, language)
            except KeyError as error:
                yield str(error)


def stale_indexes(cluster):
    """Indexes that are not what they would be if they were made now."""
    fresh = Indexes(cluster.etcd)
    for name, found in fresh._found.items():
        for key in {*found, *cluster.indexes._found[name]}:
            if list(fresh.find(name, key).items()) != list(cluster.indexes.find(name, key).items()):
                yield f"index {name} is stale at {key}"


def left_on_disks(player):
    """What nodes that hear the API server keep for Pods that are long gone."""
    cluster = player.cluster
    there = {thing["metadata"]["uid"] for _, thing in cluster.etcd.objects()}
    there |= {change.object["metadata"]["uid"] for change in cluster.etcd.history if change.type == "DELETED" and change.at > cluster.clock.now - 2 * GC_PERIOD}
    for space, part in cluster.etcd.spaces().items():
        node = space.removeprefix("node ")
        if node == space or node in player.down:
            continue
        for what, uid in [key.split(" ", 1) for key in part if key.split(" ")[0] in KEPT_FOR_A_POD]:
            if uid not in there:
                yield f"{node} still keeps {what} {uid}"


def stuck(player):
    """Work that is noted somewhere as not done, and that nobody's queue holds."""
    cluster = player.cluster
    noted = [tuple(name.split(" ", 1)) for space in (DELAYED, REFUSED) for name in cluster.etcd.disk(space)]
    for space in cluster.etcd.spaces():
        sender = space.removeprefix("events of ")
        if sender != space and sender.rpartition("/")[2] not in player.down:
            noted.append(("recorder", sender))
    for component, key in noted:
        if (component, key) not in cluster.queue.waiting and not cluster.is_stopped(cluster.components[component]):
            yield f"{component} has yet to do {key} and does not wait for it"


def refused(player):
    """What is stored and would not be taken: every object that is sent back as it is has to be accepted."""
    api = player.cluster.api
    for key, thing in player.cluster.etcd.objects():
        if int(thing["metadata"]["resourceVersion"]) <= player.revision or key.startswith("/registry/events/"):
            continue
        row = api.resource(resource_of_key(key).qualified)
        place = thing["metadata"].get("namespace"), thing["metadata"]["name"]
        read = api.http("GET", row.path(*place)).body
        for subresource in (None, *(["status"] if "status" in row.subresources else [])):
            answer = api.http("PUT", row.path(*place, subresource), {"dryRun": "All", "fieldValidation": "Strict"}, read)
            if not answer.ok:
                yield f"{key} {subresource or ''} is stored and refused: {answer.body['message']}"


def missed(player):
    """What components do when they start anew and look at everything, though the cluster had come to rest: somebody must have missed a watch event."""
    cluster = player.cluster
    player.calm_down()
    if player.stopped or any(name != "kubectl" for name, _ in cluster.queue.waiting):
        return
    said = len(cluster.log.steps)
    for component in list(cluster.components.values()):
        if component.name != "kubectl":
            cluster.stop(component.name)
            cluster.start(component.name)
    player.run_until(cluster.clock.now + 60 * SECOND)
    for step in cluster.log.steps[said:]:
        if step.target == "apiserver" and is_write(step) and step.reason not in TOLD_AGAIN and step.facts.get("controller") != BLIND:
            yield f"after a fresh start {step.source} {step.facts} wrote {step.object}: {step.reason}"


def is_write(step):
    return step.reason.startswith(WRITES) and "code" not in step.facts
