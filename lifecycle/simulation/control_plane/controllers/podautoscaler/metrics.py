"""What an autoscaler's metrics say: how many replicas each of them asks for (pkg/controller/podautoscaler, computeReplicasForMetric)."""
from typing import NamedTuple

from lifecycle.simulation.quantities import canonical, milli

from .replicas import Unknown, of_amounts, of_utilization

UNREGISTERED = {
    "Pods": "unable to get metric {name}: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered",
    "Object": "unable to get metric {name}: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered",
    "External": "unable to get external metric {namespace}/{name}: unable to fetch metrics from external metrics API: "
                "no external metrics API (external.metrics.k8s.io) registered"}


class Proposal(NamedTuple):
    """`replicas` that a metric asks for, its `name` in messages, and its entry of status.currentMetrics."""

    replicas: int
    name: str
    status: dict


class Failure(Exception):
    """A metric that could not be had. The exception's text is the event's; `reason` is the event's too, `summary` is what the whole computation says."""

    def __init__(self, reason, text, summary):
        super().__init__(text)
        self.reason, self.summary = reason, summary


def proposal(view, spec, namespace):
    """The Proposal of one entry of spec.metrics; `view` is a replicas.View. Raises Failure."""
    kind = spec["type"]
    if kind in UNREGISTERED:
        field = kind.lower()
        error = UNREGISTERED[kind].format(name=spec[field]["metric"]["name"], namespace=namespace)
        raise Failure(f"FailedGet{kind}Metric", error, f"failed to get {field} metric value: {error}")
    field = "resource" if kind == "Resource" else "containerResource"
    source = spec[field]
    name, target, container = source["name"], source["target"], source.get("container")
    try:
        replicas, current, what = _resource(view, name, target, container)
    except Unknown as error:
        what = "usage" if "averageValue" in target else "utilization"
        text = f"failed to get {name} {what}: {error}"
        raise Failure(f"FailedGet{kind}Metric", text, f"failed to get {name} {'container ' if container else ''}resource metric value: {text}") from None
    told = {"name": name, **({"container": container} if container else {}), "current": current}
    return Proposal(replicas, f"{name} {'container ' if container else ''}resource{what}", {"type": kind, field: told})


def _resource(view, name, target, container):
    """(replicas, current value for the status, the end of the metric's name)."""
    if "averageValue" in target:
        replicas, average = of_amounts(view, name, container, milli(target["averageValue"]))
        return replicas, {"averageValue": canonical(f"{average}m")}, ""
    replicas, percent, average = of_utilization(view, name, container, target["averageUtilization"])
    return replicas, {"averageUtilization": percent, "averageValue": canonical(f"{average}m")}, " utilization (percentage of request)"
