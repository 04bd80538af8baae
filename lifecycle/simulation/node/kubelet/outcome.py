"""How it went with one container in the running sync: events about it, and whether it stands in the way of the Pod (`tried` in the worker's record)."""


def tell(worker, container, field, kind, reason, message):
    """Record an Event on a container."""
    worker.event(kind, reason, message, container["name"], field)


def fail(worker, container, error):
    """Note why a container did not start in this sync: [reason, message, ms of the end of a back-off or None]. Returns ms until the next step."""
    worker.record["tried"] = {**worker.record["tried"], container["name"]: error}
    return 0


def fail_loudly(worker, container, field, reason, message):
    """`fail`, with the Event that the kubelet adds to it."""
    tell(worker, container, field, "Warning", "Failed", f"Error: {reason}")
    return fail(worker, container, [reason, message, None])


def succeed(worker, container):
    """The container runs: nothing stands against it any more. Returns ms until the next step."""
    return fail(worker, container, None)
