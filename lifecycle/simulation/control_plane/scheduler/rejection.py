"""How a plugin says no."""
from typing import NamedTuple

HIGHEST = 100                  # the best score that a plugin gives a node


class Rejection(NamedTuple):
    """`plugin` rejected a node (or, before any node was looked at, the Pod) for `reasons`. `resolvable`: removing Pods might help."""

    plugin: str
    reasons: tuple
    resolvable: bool = False
