"""Random names and choices that repeat exactly from the same seed and the same history."""
from hashlib import blake2b

SAFE = "bcdfghjklmnpqrstvwxz2456789"          # Kubernetes' alphabet for generated names (apimachinery/pkg/util/rand): no vowels, no look-alikes


class Randomness:
    """Draws depend on the cluster's seed, the store's revision and how often was drawn at that revision; nothing else."""

    def __init__(self, seed, etcd, draws=0):
        self.seed = seed
        self.etcd = etcd
        self.draws = draws

    def bytes(self):
        """Twenty fresh bytes."""
        self.draws += 1
        return blake2b(b"%d/%d/%d" % (self.seed, self.etcd.revision, self.draws), digest_size=20).digest()

    def suffix(self, length=5):
        """The random end of a generated name, at most twenty letters."""
        return "".join([SAFE[byte % 27] for byte in self.bytes()[:length]])

    def uid(self):
        """A version 4 UUID."""
        text = self.bytes().hex()
        return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-{'89ab'[int(text[16], 16) % 4]}{text[17:20]}-{text[20:32]}"

    def hexadecimal(self, length=64):
        """Hexadecimal digits, as in container ids."""
        text = ""
        while len(text) < length:
            text += self.bytes().hex()
        return text[:length]

    def below(self, limit):
        """A whole number from 0 to limit - 1."""
        return int.from_bytes(self.bytes()[:8]) % limit

    def choice(self, things):
        """One of a non-empty sequence."""
        return things[self.below(len(things))]
