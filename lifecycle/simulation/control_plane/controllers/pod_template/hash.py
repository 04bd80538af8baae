"""The `pod-template-hash` of a ReplicaSet: a short name for a Pod template (pkg/controller/controller_utils.go ComputeHash)."""
from ....randomness import SAFE
from .printing import printed_template

LABEL = "pod-template-hash"

_hashes = {}            # (id(template), collisions) -> (template, hash); keeps the template alive, so that its id stays its own


def pod_template_hash(template, collisions=0):
    """Up to ten letters of the safe alphabet, as a v1.36 cluster names this template. `collisions` is the Deployment's collisionCount."""
    known = _hashes.get((id(template), collisions))
    if known is None:
        if len(_hashes) > 1024:
            _hashes.clear()
        data = printed_template(template).encode() + (collisions.to_bytes(8, "little") if collisions else b"")
        known = _hashes[id(template), collisions] = (template, safe_encoded(str(fnv32a(data))))
    return known[1]


def fnv32a(data):
    """The 32-bit FNV-1a hash of some bytes."""
    value = 0x811C9DC5
    for byte in data:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def safe_encoded(text):
    """Kubernetes' SafeEncodeString: every character becomes one of the safe letters."""
    return "".join(SAFE[ord(character) % len(SAFE)] for character in text)
