"""A StatefulSet with its Pods, in the order of their places, and how each of them stands."""
from typing import NamedTuple

from ....objects import is_deleting, is_ready
from ..adoption import is_controlled_by
from ..availability import is_available
from .identity import ordinal_of, ordinals


class Row(NamedTuple):
    """`places`: {ordinal: Pod, or None if there is none}, from the lowest on; `condemned`: the Pods beyond them, from the highest on.

    `current` and `update` are the ControllerRevisions of the Pods before and after a rolling update.
    """

    stateful_set: dict
    current: dict
    update: dict
    places: dict
    condemned: list

    @property
    def pods(self):
        return [pod for pod in self.places.values() if pod is not None] + self.condemned

    @property
    def ordered(self):
        """Whether Pods come and go one after another (podManagementPolicy)."""
        return self.stateful_set["spec"].get("podManagementPolicy") != "Parallel"


def row_of(stateful_set, current, update, pods):
    """The Row of a StatefulSet and the Pods that it controls."""
    wanted = ordinals(stateful_set)
    known = {ordinal_of(pod, stateful_set): pod for pod in pods}
    condemned = [known[ordinal] for ordinal in sorted(known, reverse=True) if ordinal >= 0 and ordinal not in wanted]
    return Row(stateful_set, current, update, {ordinal: known.get(ordinal) for ordinal in wanted}, condemned)


def members(indexes, stateful_set):
    """The Pods that a StatefulSet controls and that have one of its names."""
    pods = indexes.find("pods by owner", stateful_set["metadata"]["uid"]).values()
    return [pod for pod in pods if is_controlled_by(pod, stateful_set) and ordinal_of(pod, stateful_set) >= 0]


def phase(pod):
    return pod.get("status", {}).get("phase")


def is_running_and_ready(pod):
    return phase(pod) == "Running" and is_ready(pod)


def is_healthy(pod, stateful_set, clock):
    """Whether the Pod is there, runs, is ready and has been so for long enough, and stays."""
    least = stateful_set["spec"].get("minReadySeconds", 0)
    return pod is not None and is_running_and_ready(pod) and is_available(pod, least, clock) and not is_deleting(pod)
