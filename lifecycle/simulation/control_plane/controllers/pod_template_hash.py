"""The `pod-template-hash` of a ReplicaSet: a short name for a Pod template (pkg/controller/controller_utils.go ComputeHash).

Kubernetes hashes Go's own printing of the template, which nothing outside Go can repeat; here it is the template as JSON with sorted keys.
"""
from json import dumps

from ...randomness import SAFE

LABEL = "pod-template-hash"

_hashes = {}            # (id(template), collisions) -> (template, hash); keeps the template alive, so that its id stays its own


def pod_template_hash(template, collisions=0):
    """Eight to ten letters of the safe alphabet, the same for equal templates in every process. `collisions` is the Deployment's collisionCount."""
    known = _hashes.get((id(template), collisions))
    if known is None:
        if len(_hashes) > 1024:
            _hashes.clear()
        text = dumps(template, sort_keys=True, separators=(",", ":"))
        known = _hashes[id(template), collisions] = (template, _safe(_fnv32a(f"{text}{collisions or ''}".encode())))
    return known[1]


def _fnv32a(data):
    value = 0x811C9DC5
    for byte in data:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def _safe(number):
    """Kubernetes' SafeEncodeString: the decimal digits, each as one of the safe letters."""
    return "".join(SAFE[ord(digit) % len(SAFE)] for digit in str(number))
