"""What a container has printed, as its node keeps it. Read from a simulation made for the purpose, which is thrown away."""
from typing import NamedTuple

from .. import sessions
from ..picture.messages import clock
from ..simulation.node.disk import PodKey

MOST = 500                       # lines that are shown


class LogLine(NamedTuple):
    clock: str
    stream: str
    text: str


def log_lines(cluster, pod, container, at):
    """The last lines that the container of a Pod object had printed at virtual ms `at`: the newest run of it."""
    simulation = sessions.load(cluster).simulation
    runtime, key = simulation.components["cri"], PodKey.of(pod)
    runs = [each for each in runtime.of(key)["containers"].values() if each["name"] == container and each["created"] <= at]
    if not runs:
        return []
    lines = runtime.log(key, max(runs, key=lambda each: each["created"]))
    return [LogLine(clock(said), stream, text) for said, stream, text in lines if said <= at][-MOST:]
