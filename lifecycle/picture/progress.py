"""What takes time, in words and bars: image pulls and rollouts."""
from typing import NamedTuple

from django.utils.translation import gettext as _

from ..simulation.node import images
from ..simulation.objects import at
from .messages import duration

DEPLOYMENTS = "/registry/deployments/"


class Pull(NamedTuple):
    """`share` is from 0 to 1, or None if nobody can know."""

    image: str
    node: str
    pod: str
    done: bool
    share: float | None
    words: str


class Rollout(NamedTuple):
    name: str
    wanted: int
    updated: int
    ready: int
    available: int
    done: bool
    words: str


def pulls(steps, now):
    """A Pull for every PullImage among the messages, the newest last."""
    found = {}
    for step in steps:
        name = (step.facts.get("node"), step.facts.get("pod"), step.facts.get("image"))
        if step.reason == "PullImage":
            found[name] = going_on(step, now)
        elif step.reason == "ImagePulled" and name in found:
            found[name] = finished(step)
    return list(found.values())


def going_on(step, now):
    facts, took = step.facts, now - step.at
    try:
        expected = images.pull_duration(images.canonical(facts["image"]))
    except images.InvalidReference:
        expected = 0
    share = min(took / expected, 0.99) if expected else None
    return Pull(facts["image"], facts["node"], facts["pod"], False, share, _("pulling for %(duration)s") % {"duration": duration(took)})


def finished(step):
    facts = step.facts
    words = _("%(size)s MB in %(duration)s") % {"size": f"{facts['bytes'] / 1e6:.1f}", "duration": duration(facts["ms"])}
    return Pull(facts["image"], facts["node"], facts["pod"], True, 1, words)


def rollouts(objects):
    """A Rollout for every Deployment of a snapshot."""
    return [rollout(thing) for key, thing in sorted(objects.items()) if key.startswith(DEPLOYMENTS)]


def rollout(thing):
    """The words are those of `kubectl rollout status` (kubectl/pkg/polymorphichelpers/rollout_status.go), in the reader's language."""
    spec, status = thing["spec"], thing.get("status", {})
    wanted, replicas, updated, available = spec.get("replicas", 1), *(status.get(name, 0) for name in ("replicas", "updatedReplicas", "availableReplicas"))
    numbers = {"wanted": wanted, "updated": updated, "available": available, "old": replicas - updated}
    done = False
    if thing["metadata"].get("generation", 0) > status.get("observedGeneration", 0):
        words = _("waiting for the Deployment controller to see the change")
    elif any(each.get("reason") == "ProgressDeadlineExceeded" for each in at(thing, "status", "conditions", default=())):
        words = _("exceeded its progress deadline")
    elif updated < wanted:
        words = _("%(updated)s of %(wanted)s new replicas have been created") % numbers
    elif replicas > updated:
        words = _("%(old)s old replicas still have to end") % numbers
    elif available < updated:
        words = _("%(available)s of %(updated)s updated replicas are available") % numbers
    else:
        words, done = _("successfully rolled out"), True
    return Rollout(thing["metadata"]["name"], wanted, updated, status.get("readyReplicas", 0), available, done, words)
