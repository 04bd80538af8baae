"""Scheduling gates (plugins/schedulinggates): the queue does not take a Pod that has some."""
NAME = "SchedulingGates"


def is_gated(pod):
    """Whether the Pod waits for someone to remove its gates."""
    return bool(pod["spec"].get("schedulingGates"))
