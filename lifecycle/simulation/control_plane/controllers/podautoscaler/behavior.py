"""How fast an autoscaler may change its target (pkg/controller/podautoscaler/horizontal.go, normalizeDesiredReplicas).

A history is {"recommendations": [[ms, replicas]], "up": [[ms, replicas added]], "down": [[ms, replicas removed]]}.
"""
from math import ceil
from typing import NamedTuple

from lifecycle.simulation.timings import SECOND

STABILIZATION = 300                  # seconds: --horizontal-pod-autoscaler-downscale-stabilization
LONGEST = 3600 * SECOND              # the longest window that a manifest may ask for
READY = ("ReadyForNewScale", "recommended size matches current size")
HELD_DOWN = ("ScaleDownStabilized", "recent recommendations were higher than current one, applying the highest recent recommendation")
HELD_UP = ("ScaleUpStabilized", "recent recommendations were lower than current one, applying the lowest recent recommendation")
WITHIN = ("DesiredWithinRange", "the desired count is within the acceptable range")
TOO_MANY = ("TooManyReplicas", "the desired replica count is more than the maximum replica count")
TOO_FEW = ("TooFewReplicas", "the desired replica count is less than the minimum replica count")
TOO_FAST_UP = ("ScaleUpLimit", "the desired replica count is increasing faster than the maximum scale rate")
TOO_FAST_DOWN = ("ScaleDownLimit", "the desired replica count is decreasing faster than the maximum scale rate")


class Decision(NamedTuple):
    """The replicas to have; (reason, message) of AbleToScale, of ScalingLimited, and whether the latter is true."""

    replicas: int
    able: tuple
    limited: tuple
    is_limited: bool


def decide(spec, history, current, wanted, now):
    """The Decision about `wanted` replicas, which are the newest recommendation in the history."""
    steady = _stabilized(spec, history, current, wanted, now)
    able = READY if steady == wanted else HELD_UP if spec.get("behavior") and wanted >= current else HELD_DOWN
    replicas, limited = _limited(spec, history, current, steady, now)
    return Decision(replicas, able, limited, limited is not WITHIN)


def remembered(history, now):
    """The history without what no window reaches any more."""
    return {what: [entry for entry in entries if entry[0] > now - LONGEST] for what, entries in history.items()}


def _recent(entries, seconds, now):
    return [number for at, number in entries if at > now - seconds * SECOND]


def _stabilized(spec, history, current, wanted, now):
    """Between the lowest recommendation of the window for growing and the highest of that for shrinking."""
    rules = spec.get("behavior")
    if not rules:
        return max([wanted, *_recent(history["recommendations"], STABILIZATION, now)])
    up, down = (rules[way].get("stabilizationWindowSeconds") for way in ("scaleUp", "scaleDown"))
    lowest = min([wanted, *_recent(history["recommendations"], up or 0, now)])
    highest = max([wanted, *_recent(history["recommendations"], STABILIZATION if down is None else down, now)])
    return min(max(current, lowest), highest)


def _limited(spec, history, current, wanted, now):
    """(replicas, (reason, message)): within the bounds of the spec and the speed that is allowed."""
    most, least, rules = spec["maxReplicas"], spec.get("minReplicas", 1), spec.get("behavior")
    fastest = max(current, _fastest_up(rules["scaleUp"], history, current, now)) if rules else max(2 * current, 4)
    slowest = min(current, _fastest_down(rules["scaleDown"], history, current, now)) if rules else 0
    if wanted > min(most, fastest):
        return (fastest, TOO_FAST_UP) if most > fastest else (most, TOO_MANY)
    if wanted < max(least, slowest):
        return (slowest, TOO_FAST_DOWN) if least < slowest else (least, TOO_FEW)
    return wanted, WITHIN


def _limits(rules, history, current, now, of_policy):
    """What each policy allows, counted from how many replicas there were when its period began."""
    for policy in rules.get("policies") or ():
        added, removed = (sum(_recent(history[way], policy["periodSeconds"], now)) for way in ("up", "down"))
        yield of_policy(policy, current - added + removed)


def _fastest_up(rules, history, current, now):
    if rules.get("selectPolicy") == "Disabled":
        return current
    allowed = list(_limits(rules, history, current, now, lambda policy, start: (
        start + policy["value"] if policy["type"] == "Pods" else ceil(start * (100 + policy["value"]) / 100))))
    return (min if rules.get("selectPolicy") == "Min" else max)(allowed)


def _fastest_down(rules, history, current, now):
    if rules.get("selectPolicy") == "Disabled":
        return current
    allowed = list(_limits(rules, history, current, now, lambda policy, start: (
        start - policy["value"] if policy["type"] == "Pods" else start * (100 - policy["value"]) // 100)))
    return max(0, (max if rules.get("selectPolicy") == "Min" else min)(allowed))
