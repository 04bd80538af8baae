"""What a fault can name, by the word in capitals that stands for it: how it is read, and what the message says of it."""
import re
from typing import NamedTuple

from ..node.disk import PodKey
from ..node.images import InvalidReference, canonical
from ..resources import resource
from .durations import milliseconds

FACTOR, SLOWEST = 100, 100_000
SECONDS, LONGEST = 40, 86_400
NOT_PROCESSES = ("kubectl", "user", "reflectors", "recorder")


class Place(NamedTuple):
    """`read(cluster, word)` gives the value of a word (None if it was left out) or raises ValueError; `facts(value)` is what the message says."""

    read: object
    facts: object


class Target(NamedTuple):
    """A container of a Pod that is on a node."""

    pod: PodKey
    container: str


def _node(cluster, word):
    if cluster.etcd.get(resource("nodes").key("", word)) is None:
        raise ValueError(f'there is no node "{word}"')
    return word


def _component(cluster, word):
    if word in NOT_PROCESSES or all(word not in (component.name, component.actor) for component in cluster.components.values()):
        raise ValueError(f'there is no component "{word}"')
    return word


def _container(cluster, word):
    """POD, POD/CONTAINER or NAMESPACE/POD/CONTAINER; without a container its first main container."""
    parts = word.split("/")
    namespace, name, container = ["default", *parts, ""] if len(parts) == 1 else ["default", *parts] if len(parts) == 2 else parts[:3]
    pod = cluster.etcd.get(resource("pods").key(namespace, name))
    if pod is None or not pod["spec"].get("nodeName"):
        raise ValueError(f'there is no Pod "{namespace}/{name}" on a node')
    names = [each["name"] for field in ("containers", "initContainers", "ephemeralContainers") for each in pod["spec"].get(field) or ()]
    if container and container not in names:
        raise ValueError(f'Pod "{namespace}/{name}" has no container "{container}"; it has {", ".join(names)}')
    return Target(PodKey.of(pod), container or names[0])


def _image(cluster, word):
    try:
        return canonical(word)
    except InvalidReference as problem:
        raise ValueError(f'"{word}" is no image name: {problem}') from None


def _host(cluster, word):
    if not re.fullmatch(r"[a-z0-9.-]+(:\d+)?", word):
        raise ValueError(f'"{word}" is no registry, such as docker.io')
    return word


def _number(usual, most, what):
    def read(cluster, word):
        if word is None:
            return usual
        if not word.isdigit() or not 1 < int(word) <= most:
            raise ValueError(f'"{word}" is no {what} from 2 to {most}')
        return int(word)
    return read


def _duration(cluster, word):
    """"5m", "-90s", "1h30m" as virtual ms."""
    found = milliseconds(word.removeprefix("+").removeprefix("-"))
    if not found or found > LONGEST * 1000 * 366:
        raise ValueError(f'"{word}" is no time to jump by, such as 5m')
    return -found if word.startswith("-") else found


def _facts_of_container(target):
    return {**target.pod.facts, "container": target.container, "object": target.pod.object}


PLACES = {
    "NODE": Place(_node, lambda node: {"node": node, "object": resource("nodes").key("", node)}),
    "COMPONENT": Place(_component, lambda name: {"component": name}),
    "CONTAINER": Place(_container, _facts_of_container),
    "IMAGE": Place(_image, lambda image: {"image": image}),
    "HOST": Place(_host, lambda host: {"host": host}),
    "FACTOR": Place(_number(FACTOR, SLOWEST, "factor"), lambda factor: {"factor": factor}),
    "SECONDS": Place(_number(SECONDS, LONGEST, "number of seconds"), lambda seconds: {"seconds": seconds}),
    "DURATION": Place(_duration, lambda duration: {"ms": duration}),
}
