"""The phase of a Pod from the states of its containers (pkg/kubelet/kubelet_pods.go getPhase)."""


def is_sidecar(container):
    """Whether an init container's spec makes it a native sidecar."""
    return container.get("restartPolicy") == "Always"


def ended(status):
    """The terminated state that counts for a container status: its own, or the last one while it waits; None if it never ended."""
    state = status["state"]
    return state.get("terminated") or ("waiting" in state and status["lastState"].get("terminated")) or None


def phase_of(spec, init_statuses, statuses, terminal):
    """Pending, Running, Succeeded or Failed. `terminal`: the kubelet has stopped everything and will start nothing again."""
    policy = spec.get("restartPolicy", "Always")
    inits = _init_counts(spec, init_statuses)
    if inits["failed"] and policy == "Never":
        return "Failed"
    done = [ended(status) for status in statuses]
    running = sum("running" in status["state"] for status in statuses)
    waiting = sum("waiting" in status["state"] and not end for status, end in zip(statuses, done))
    if inits["pending"] or inits["starting"] and not _any_started(statuses) or waiting:
        return "Pending"
    if running or inits["running"]:
        return "Running"
    return _stopped(policy, [end["exitCode"] for end in done if end], terminal)


def _any_started(statuses):
    return any("running" in status["state"] or ended(status) for status in statuses)


def _stopped(policy, codes, terminal):
    """Every main container has ended."""
    if not terminal and policy == "Always":
        return "Running"
    if not any(codes):
        return "Succeeded"
    return "Failed" if terminal or policy == "Never" else "Running"


def _init_counts(spec, init_statuses):
    """{"pending", "failed", "starting" (sidecars), "running" (sidecars)}"""
    counts = {"pending": 0, "failed": 0, "starting": 0, "running": 0}
    for container, status in zip(spec.get("initContainers", ()), init_statuses):
        end = ended(status)
        if is_sidecar(container):
            counts["running"] += "running" in status["state"]
            counts["starting"] += not status.get("started") and not end
        elif end:
            counts["failed"] += end["exitCode"] != 0
        else:
            counts["pending"] += 1
    return counts
