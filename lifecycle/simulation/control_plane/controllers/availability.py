"""When a ready Pod counts as available: it has been ready for `minReadySeconds` (pkg/api/v1/pod IsPodAvailable)."""
from ...objects import condition, is_ready
from ...timings import SECOND


def ready_for(pod, clock):
    """For how many virtual ms the Pod has been ready; it must be."""
    return clock.since(condition(pod, "Ready")["lastTransitionTime"])


def is_available(pod, least, clock):
    """Whether the Pod has been ready for more than `least` seconds."""
    return is_ready(pod) and (not least or ready_for(pod, clock) > least * SECOND)


def next_available(pods, least, clock):
    """In how many virtual ms the next of the ready Pods becomes available, or None if none has to wait."""
    waited = [ready_for(pod, clock) for pod in pods if is_ready(pod) and not is_available(pod, least, clock)]
    return least * SECOND - max(waited) + 1 if waited else None
