"""How many replicas bring a metric to its target (pkg/controller/podautoscaler/replica_calculator.go, metrics/utilization.go).

Amounts are thousandths: millicores, or thousandths of a byte.
"""
from math import ceil
from typing import NamedTuple

from lifecycle.simulation.objects import at, condition, is_deleting
from lifecycle.simulation.quantities import milli
from lifecycle.simulation.timings import MINUTE, SECOND

INITIALIZATION = 5 * MINUTE          # --horizontal-pod-autoscaler-cpu-initialization-period
FIRST_READINESS = 30 * SECOND        # --horizontal-pod-autoscaler-initial-readiness-delay
WINDOW = 15 * SECOND                 # of the metrics, as they say themselves
FULL = 100


class Unknown(Exception):
    """Why there is no number."""


class View(NamedTuple):
    """What is known at one moment: the target's `pods`, `metrics` {Pod name: PodMetrics} or an error text, how many replicas there are, the tolerances
    (down, up) around the target, and the clock."""

    pods: list
    metrics: dict | str
    current: int
    tolerance: tuple
    clock: object

    def is_close(self, ratio):
        down, up = self.tolerance
        return 1 - down - 1e-9 <= ratio <= 1 + up + 1e-9


def of_utilization(view, name, container, target):
    """(replicas, percentage of the requests in use, average amount). Raises Unknown."""
    used, unready, missing = _grouped(view, name, container)
    requests = {pod["metadata"]["name"]: _request(pod, name, container) for pod in view.pods}
    if not used:
        raise Unknown("did not receive metrics for targeted pods (pods might be unready)")

    def percent(amounts):
        asked = sum(requests[pod] for pod in amounts if pod in requests)
        if not asked:
            raise Unknown("no metrics returned matched known pods")
        return sum(amounts.values()) * 100 // asked
    filler = {pod: requests[pod] * max(FULL, target) // 100 for pod in missing}
    replicas = _replicas(view, used, unready, missing, lambda amounts: percent(amounts) / target, filler)
    return replicas, percent(used), sum(used.values()) // len(used)


def of_amounts(view, name, container, target):
    """(replicas, average amount) for a target amount for each Pod. Raises Unknown."""
    used, unready, missing = _grouped(view, name, container)
    if not used:
        raise Unknown("did not receive metrics for targeted pods (pods might be unready)")
    replicas = _replicas(view, used, unready, missing, lambda amounts: sum(amounts.values()) / len(amounts) / target, dict.fromkeys(missing, target))
    return replicas, sum(used.values()) // len(used)


def _replicas(view, used, unready, missing, ratio_of, filler):
    """Pods without metrics, or not ready, are counted so that they damp the change; they never turn it round."""
    ratio = ratio_of(used)
    if not (unready and ratio > 1) and not missing:
        return view.current if view.is_close(ratio) else ceil(ratio * len(used) - 1e-9)
    amounts = {**used, **(filler if ratio < 1 else dict.fromkeys(missing, 0) if ratio > 1 else {})}
    if ratio > 1:
        amounts.update(dict.fromkeys(unready, 0))
    damped = ratio_of(amounts)
    if view.is_close(damped) or ratio < 1 < damped or damped < 1 < ratio:
        return view.current
    wanted = ceil(damped * len(amounts) - 1e-9)
    return view.current if ratio < 1 and wanted > view.current or ratio > 1 and wanted < view.current else wanted


def _grouped(view, name, container):
    """({Pod name: amount} of Pods that count, names of unready Pods, names of Pods without metrics). Raises Unknown."""
    if isinstance(view.metrics, str):
        raise Unknown(f"unable to get metrics for resource {name}: {view.metrics}")
    used, unready, missing = {}, [], []
    for pod in view.pods:
        pod_name, found = pod["metadata"]["name"], view.metrics.get(pod["metadata"]["name"])
        if is_deleting(pod) or at(pod, "status", "phase") == "Failed":
            continue
        if at(pod, "status", "phase") == "Pending":
            unready.append(pod_name)
        elif found is None:
            missing.append(pod_name)
        elif name == "cpu" and _starts(pod, found, view.clock):
            unready.append(pod_name)
        else:
            used[pod_name] = _amount(found, name, container)
    return used, unready, missing


def _starts(pod, metrics, clock):
    """Whether a Pod's CPU does not count yet, because it may still be starting."""
    ready, started = condition(pod, "Ready"), at(pod, "status", "startTime")
    if ready is None or started is None:
        return True
    changed = clock.parse(ready["lastTransitionTime"])
    if clock.parse(started) + INITIALIZATION > clock.now:
        return ready["status"] == "False" or clock.parse(metrics["timestamp"]) < changed + WINDOW
    return ready["status"] == "False" and clock.parse(started) + FIRST_READINESS > changed


def _amount(metrics, name, container):
    return sum(milli(one["usage"].get(name, "0")) for one in metrics["containers"] if container in (None, one["name"]))


def _request(pod, name, container):
    total = 0
    for one in pod["spec"]["containers"]:
        if container in (None, one["name"]):
            asked = at(one, "resources", "requests", name)
            if asked is None:
                raise Unknown(f"missing request for {name} in container {one['name']} of Pod {pod['metadata']['name']}")
            total += milli(asked)
    return total
