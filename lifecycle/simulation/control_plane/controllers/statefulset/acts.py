"""What a StatefulSet does next about its Pods (pkg/controller/statefulset/stateful_set_control.go).

An act is (kind, object): ("create claim" or "create", a body), ("update claim" or "update", a changed object), ("delete", a Pod), or ("wait for claim", a claim
that is being deleted). Ordered StatefulSets stop at the first Pod that is not as it should be; Parallel ones go through all.
"""
from typing import NamedTuple

from ....objects import is_deleting, is_terminal
from ..availability import is_available
from . import identity, retention
from .row import is_healthy, is_running_and_ready, phase


class Look(NamedTuple):
    """What the decision needs: the Row, function(name) -> claim or None, and the clock."""

    row: object
    claim: object
    clock: object


def next_act(look):
    """The next act, or None if there is nothing to do now."""
    row = look.row
    for ordinal, pod in row.places.items():
        act, stop = _fill(look, ordinal, pod)
        if act or stop and row.ordered:
            return act
    for pod in row.condemned:
        act = _keep_claims(look, pod, True)
        if act:
            return act
    for pod in row.condemned:
        act, stop = _condemn(look, pod)
        if act or stop and row.ordered:
            return act
    return _update(look) if row.stateful_set["spec"]["updateStrategy"]["type"] == "RollingUpdate" else None


def _fill(look, ordinal, pod):
    """(act, whether the Pods behind have to wait) for a place."""
    stateful_set, least = look.row.stateful_set, look.row.stateful_set["spec"].get("minReadySeconds", 0)
    if pod is None:
        return _create(look, ordinal), True
    if is_terminal(pod):
        return None if is_deleting(pod) else ("delete", pod), True
    act = phase(pod) == "Pending" and _missing_claim(look, ordinal) or _keep_claims(look, pod, False)
    if act or is_deleting(pod) or not is_running_and_ready(pod) or not is_available(pod, least, look.clock):
        return act or None, True
    labels = identity.identity_labels(stateful_set, ordinal)
    known = pod["metadata"].get("labels") or {}
    if labels.items() <= known.items():
        return None, False
    return ("update", {**pod, "metadata": {**pod["metadata"], "labels": {**known, **labels}}}), False


def _create(look, ordinal):
    """First the claims, then the Pod; neither while a claim of the last Pod of this name has yet to go."""
    stateful_set = look.row.stateful_set
    name = f"{stateful_set['metadata']['name']}-{ordinal}"
    claims = [look.claim(claim) for claim in identity.claim_names(stateful_set, ordinal)]
    if any(claim is not None and retention.is_stale(claim, stateful_set, name) for claim in claims):
        return None
    return _missing_claim(look, ordinal) or ("create", identity.stateful_pod(stateful_set, _revision(look.row, ordinal), ordinal))


def _revision(row, ordinal):
    """New Pods below the partition are made as before the update."""
    stateful_set = row.stateful_set
    strategy, first = stateful_set["spec"]["updateStrategy"], identity.ordinals(stateful_set).start
    if strategy["type"] != "RollingUpdate":
        return row.update
    rolling = strategy.get("rollingUpdate")
    kept = rolling.get("partition", 0) if rolling else (stateful_set.get("status") or {}).get("currentReplicas", 0)
    return row.current if ordinal < first + kept else row.update


def _missing_claim(look, ordinal):
    stateful_set = look.row.stateful_set
    for template in stateful_set["spec"].get("volumeClaimTemplates") or ():
        claim = look.claim(identity.claim_name(stateful_set, template, ordinal))
        if claim is None:
            return "create claim", identity.new_claim(stateful_set, template, ordinal)
        if is_deleting(claim):
            return "wait for claim", claim
    return None


def _keep_claims(look, pod, condemned):
    """Give the Pod's claims the owners that the retention policy wants."""
    stateful_set = look.row.stateful_set
    for name in identity.claim_names(stateful_set, identity.ordinal_of(pod, stateful_set)):
        claim = look.claim(name)
        kept = claim and retention.retained(claim, stateful_set, pod, condemned)
        if kept is not claim:
            return "update claim", kept
    return None


def _condemn(look, pod):
    """(act, whether the Pods before have to wait). An ordered StatefulSet gives up an unhealthy Pod only if no other is."""
    row = look.row
    if is_deleting(pod):
        return None, True
    first = next((each for each in reversed(row.condemned) if not is_healthy(each, row.stateful_set, look.clock)), None)
    unhealthy = not is_healthy(pod, row.stateful_set, look.clock)
    if row.ordered and unhealthy and pod is not first:
        return None, True
    return ("delete", pod), True


def _update(look):
    """Delete the highest Pod of an older revision, if all Pods above it are well; it comes back as a new one."""
    row, rolling = look.row, look.row.stateful_set["spec"]["updateStrategy"].get("rollingUpdate") or {}
    for pod in list(row.places.values())[rolling.get("partition", 0):][::-1]:
        if pod is not None and not is_deleting(pod) and identity.revision_name(pod) != row.update["metadata"]["name"]:
            return "delete", pod
        if not is_healthy(pod, row.stateful_set, look.clock):
            return None
    return None
