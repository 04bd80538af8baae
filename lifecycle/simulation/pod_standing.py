"""How a Pod counts for its controller, as index keys: so that counting the Pods of a ReplicaSet never walks over them."""
from .objects import condition, controller_of, is_deleting, is_terminal

ACTIVE, READY, TERMINATING = "active", "ready", "terminating"


def labels_key(labels):
    """Labels as something that can be part of an index key."""
    return tuple(sorted((labels or {}).items()))


def standing(pod):
    """The index keys of a Pod below its controller's uid; () for a Pod without a controller.

    (uid, ACTIVE), with its labels (uid, ACTIVE, labels), (uid, READY), with the time (uid, READY, "2026-01-01T00:00:05Z"), or (uid, TERMINATING).
    Pods that have ended, and ready Pods that are being deleted, count as in pkg/controller/controller_utils.go.
    """
    owner = controller_of(pod)
    if owner is None or is_terminal(pod):
        return ()
    uid = owner["uid"]
    if is_deleting(pod):
        return ((uid, TERMINATING),)
    active = ((uid, ACTIVE), (uid, ACTIVE, labels_key(pod["metadata"].get("labels"))))
    ready = condition(pod, "Ready")
    if ready is None or ready["status"] != "True":
        return active
    return (*active, (uid, READY), (uid, READY, ready["lastTransitionTime"]))


def without_controller(thing):
    """The index keys of an object that a controller could adopt: its namespace, alone and with each of its labels."""
    if controller_of(thing) is not None:
        return ()
    namespace = thing["metadata"].get("namespace")
    return (namespace, *((namespace, *label) for label in (thing["metadata"].get("labels") or {}).items()))
