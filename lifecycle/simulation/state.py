"""A cluster as plain data, and back: between any two work items it can be put down here and taken up elsewhere."""
from .cluster import Cluster
from .control_plane.etcd import Change, Manager


def saved(cluster):
    """Everything durable, JSON-shaped. Messages are not part of it, only how many there were."""
    etcd, queue = cluster.etcd, cluster.queue
    return {
        "seed": cluster.random.seed, "draws": cluster.random.draws, "epoch": cluster.clock.epoch, "now": cluster.clock.now, "messages": cluster.log.seq,
        "revision": etcd.revision, "compacted": etcd.compacted,
        "objects": [[key, etcd.created[key], thing] for key, thing in etcd.objects()],
        "history": [[*change[:-1], list(change.manager) if change.manager else None] for change in etcd.history],
        "disk": etcd.spaces(),
        "serial": queue.serial,
        "waiting": [[*name, *place] for name, place in queue.waiting.items()],
        "deliveries": [[*name, [list(event) for event in events]] for name, events in queue.deliveries.items()],
    }


def loaded(state, freeze=None):
    """The Cluster that was saved; it goes on exactly as the original would have. `freeze`: see Etcd."""
    return Cluster(state["seed"], state["epoch"], lambda cluster: _restore(cluster, state, freeze))


def _restore(cluster, state, freeze):
    """Put the state back before any component looks."""
    cluster.clock.now, cluster.random.draws, cluster.log.seq = state["now"], state["draws"], state["messages"]
    history = [Change(*row[:-1], Manager(*row[-1]) if row[-1] else None) for row in state["history"]]
    cluster.etcd.restore(state["revision"], state["compacted"], state["objects"], history, state["disk"], freeze)
    cluster.queue.restore(state["serial"], state["waiting"], state["deliveries"])
