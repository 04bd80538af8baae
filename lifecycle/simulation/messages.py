"""The message log: every message between two actors, in order, as facts without words.

The words that explain a message live in `lifecycle/explanations/`, looked up by `reason`.
"""
from typing import NamedTuple

ACTORS = ("user", "kubectl", "apiserver", "etcd", "controller-manager", "scheduler", "kubelet", "cri", "cni", "csi", "kube-proxy")


class Step(NamedTuple):
    """One message. `at` is in virtual ms; `request` is "VERB path" or None; `object` is a store key (or several, in a list) or None;
    `facts` is a small JSON-shaped dict that is never changed after the work item that said it."""

    seq: int
    at: int
    source: str
    target: str
    reason: str
    request: str | None
    object: str | list | None
    revision: int | None
    facts: dict


class MessageLog:
    """What was said so far. `steps` can be trimmed from the front (they are saved elsewhere); `seq` goes on."""

    def __init__(self, clock):
        self.clock = clock
        self.seq = 0
        self.steps = []

    def say(self, source, target, reason, request=None, object=None, revision=None, facts=None):
        """Append a message at the current virtual time. Narration never changes behaviour."""
        self.seq += 1
        self.steps.append(Step(self.seq, self.clock.now, source, target, reason, request, object, revision, {} if facts is None else facts))

    def mark(self):
        """A place in the log to which `forget_since` can return."""
        return len(self.steps)

    def forget_since(self, mark):
        """Unsay the messages said after `mark`: deliveries on which the receiver did nothing."""
        self.seq -= len(self.steps) - mark
        del self.steps[mark:]
