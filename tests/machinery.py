"""What must be true of the machinery behind a cluster at the end of a run: caches, disks, words, and that nobody has missed anything."""
import orjson

from lifecycle.explanations import LANGUAGES, explain, seed_steps
from lifecycle.simulation.indexes import Indexes
from lifecycle.simulation.node.durations import GC_PERIOD

from .random_runs import SECOND

# A taint is nothing that wakes the DaemonSet controller, so its status may be older.
TOLD_AGAIN = ("CreateEvent", "PatchEvent", "UpdateDaemonSetStatus")
KEPT_FOR_A_POD = ("pod", "runtime", "removed")          # what a node's disk holds under "WHAT UID"


def flaws(player):
    """A sentence for everything that is wrong."""
    yield from unexplained(player.cluster)
    yield from stale_indexes(player.cluster)
    yield from left_on_disks(player.cluster)
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


def left_on_disks(cluster):
    """What nodes with power keep for Pods that are long gone."""
    there = {thing["metadata"]["uid"] for _, thing in cluster.etcd.objects()}
    there |= {change.object["metadata"]["uid"] for change in cluster.etcd.history if change.type == "DELETED" and change.at > cluster.clock.now - 2 * GC_PERIOD}
    for space, part in cluster.etcd.spaces().items():
        node = space.removeprefix("node ")
        if node == space or node in cluster.etcd.disk("power"):
            continue
        for what, uid in [key.split(" ", 1) for key in part if key.split(" ")[0] in KEPT_FOR_A_POD]:
            if uid not in there:
                yield f"{node} still keeps {what} {uid}"


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
        if step.target == "etcd" and step.facts["for"] not in TOLD_AGAIN:
            yield f"after a fresh start {step.facts['by']} wrote {step.object}: {step.facts['for']}"
