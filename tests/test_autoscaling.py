"""A HorizontalPodAutoscaler keeps the use of its target's Pods near what is wanted, neither too fast nor to and fro."""
import pytest

from lifecycle import examples
from lifecycle.simulation.control_plane.controllers.podautoscaler import behavior
from lifecycle.simulation.objects import condition

from .builders import a_cluster, a_deployment, create, every, get, kubectl, run, said

METRICS_SERVER = examples.text("metrics-server")


def an_autoscaler(name="web", target="Deployment", at=50, most=5, **spec):
    """An autoscaler by share of the CPU requests."""
    versions = {"Deployment": "apps/v1", "Nothing": "example.com/v1"}
    metric = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": at}}}
    return {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": name, "namespace": "default"},
            "spec": {"scaleTargetRef": {"apiVersion": versions[target], "kind": target, "name": "web"}, "maxReplicas": most, "metrics": [metric], **spec}}


def busy(millicores, replicas=1, requests="100m"):
    """A Deployment whose Pods take so much CPU each."""
    resources = {"resources": {"requests": {"cpu": requests}}} if requests else {}
    container = {"name": "app", "image": "demo:ok", "env": [{"name": "CPU_MILLICORES", "value": str(millicores)}], **resources}
    return a_deployment(replicas=replicas, template={"containers": [container]})


def scaled(*things, metrics=True, seconds=120):
    """A cluster in which these things were created, some time later."""
    cluster = a_cluster()
    if metrics:
        kubectl(cluster, "kubectl apply -f m.yaml", {"m.yaml": METRICS_SERVER}, seconds=30)
    for thing in things:
        answer = create(cluster, thing)
        assert answer.ok, answer.body
    run(cluster, seconds)
    return cluster


def replicas(cluster):
    return get(cluster, "deployments.apps", "web")["spec"]["replicas"]


def status(cluster):
    return get(cluster, "horizontalpodautoscalers.autoscaling", "web")["status"]


def told(cluster, kind):
    found = condition(get(cluster, "horizontalpodautoscalers.autoscaling", "web"), kind)
    return found["status"], found["reason"]


def events(cluster, reason):
    found = [event for event in every(cluster, "events") if event["involvedObject"]["kind"] == "HorizontalPodAutoscaler"]
    return [event["message"] for event in found if event["reason"] == reason]


def sizes(cluster):
    return [step.facts["replicas"] for step in said(cluster, "UpdateDeploymentScale")]


def test_more_use_than_wanted_makes_more_pods():
    cluster = scaled(busy(120), an_autoscaler())
    assert sizes(cluster)[0] == 3
    assert events(cluster, "SuccessfulRescale")[0] == "New size: 3; reason: cpu resource utilization (percentage of request) above target"
    assert replicas(cluster) == 5
    assert told(cluster, "ScalingLimited") == ("True", "TooManyReplicas")
    current = {"averageUtilization": 120, "averageValue": "120m"}
    assert status(cluster)["currentMetrics"] == [{"type": "Resource", "resource": {"name": "cpu", "current": current}}]


def test_use_within_a_tenth_of_what_is_wanted_changes_nothing():
    cluster = scaled(busy(54, replicas=2), an_autoscaler())
    assert sizes(cluster) == []
    assert told(cluster, "ScalingActive") == ("True", "ValidMetricFound")
    assert told(cluster, "AbleToScale") == ("True", "ReadyForNewScale")
    assert kubectl(cluster, "kubectl get hpa")["output"].splitlines()[1].split()[:7] == ["web", "Deployment/web", "cpu:", "54%/50%", "1", "5", "2"]


def test_less_use_makes_fewer_pods_only_after_five_minutes():
    cluster = scaled(busy(45, replicas=4), an_autoscaler(), seconds=60)
    assert sizes(cluster) == []
    kubectl(cluster, "kubectl set env deployment/web CPU_MILLICORES=1", seconds=120)
    assert told(cluster, "AbleToScale") == ("True", "ScaleDownStabilized")
    assert replicas(cluster) == 4
    run(cluster, 300)
    assert replicas(cluster) == 1
    assert events(cluster, "SuccessfulRescale") == ["New size: 1; reason: All metrics below target"]


@pytest.mark.parametrize(("start", "wanted", "reason"), [(1, 2, "Current number of replicas below Spec.MinReplicas"),
                                                         (5, 3, "Current number of replicas above Spec.MaxReplicas")])
def test_a_target_outside_its_bounds_is_brought_back_whatever_is_used(start, wanted, reason):
    cluster = scaled(busy(50, replicas=start), an_autoscaler(minReplicas=2, most=3), metrics=False, seconds=17)
    assert replicas(cluster) == wanted
    assert events(cluster, "SuccessfulRescale") == [f"New size: {wanted}; reason: {reason}"]


def test_a_target_of_no_replicas_switches_the_autoscaler_off():
    cluster = scaled(busy(200, replicas=0), an_autoscaler(), seconds=40)
    assert replicas(cluster) == 0
    assert told(cluster, "ScalingActive") == ("False", "ScalingDisabled")


@pytest.mark.parametrize(("deployment", "metrics", "why"), [
    (busy(100), False, "unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: "
                       "the server could not find the requested resource (get pods.metrics.k8s.io)"),
    (busy(100, requests=None), True, "missing request for cpu in container app of Pod web-"),
])
def test_what_cannot_be_measured_is_said_and_changes_nothing(deployment, metrics, why):
    cluster = scaled(deployment, an_autoscaler(), metrics=metrics, seconds=60)
    assert sizes(cluster) == []
    assert told(cluster, "ScalingActive") == ("False", "FailedGetResourceMetric")
    assert f"failed to get cpu utilization: {why}" in events(cluster, "FailedGetResourceMetric")[-1]
    assert events(cluster, "FailedComputeMetricsReplicas")[-1].startswith(
        "invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: failed to get cpu utilization: ")


def test_a_target_that_has_no_scale_is_said():
    cluster = scaled(an_autoscaler(), seconds=20)
    assert events(cluster, "FailedGetScale") == ['deployments.apps "web" not found']
    assert told(cluster, "AbleToScale") == ("False", "FailedGetScale")


def test_a_policy_slows_the_growth():
    rules = {"scaleUp": {"policies": [{"type": "Pods", "value": 1, "periodSeconds": 60}]}}
    cluster = scaled(busy(200), an_autoscaler(behavior=rules), seconds=110)
    assert sizes(cluster) == [2, 3]
    assert told(cluster, "ScalingLimited") == ("True", "ScaleUpLimit")


NO_RULES = {"maxReplicas": 20, "minReplicas": 1}
FOUR, TWO, HALF = ({"type": kind, "value": value, "periodSeconds": period} for kind, value, period in (("Pods", 4, 15), ("Pods", 2, 60), ("Percent", 50, 60)))
AT_ONCE = {"stabilizationWindowSeconds": 0, "selectPolicy": "Max"}
SHRINK = {**NO_RULES, "behavior": {"scaleUp": {**AT_ONCE, "policies": [FOUR]}, "scaleDown": {**AT_ONCE, "policies": [HALF, TWO]}}}
DISABLED = {**SHRINK, "behavior": {**SHRINK["behavior"], "scaleDown": {"stabilizationWindowSeconds": 0, "selectPolicy": "Disabled"}}}
QUIET = {"recommendations": [], "up": [], "down": []}


@pytest.mark.parametrize(("spec", "history", "current", "wanted", "replicas", "reason"), [
    (NO_RULES, QUIET, 3, 12, 6, "ScaleUpLimit"),                                          # It should double at most
    (NO_RULES, QUIET, 1, 12, 4, "ScaleUpLimit"),                                          # or come to four
    (NO_RULES, QUIET, 15, 30, 20, "TooManyReplicas"),
    (NO_RULES, {**QUIET, "recommendations": [[900_000, 7]]}, 9, 2, 7, "DesiredWithinRange"),
    (SHRINK, QUIET, 10, 1, 5, "ScaleDownLimit"),                                          # It should take the policy that allows more
    (SHRINK, QUIET, 3, 1, 1, "DesiredWithinRange"),
    (SHRINK, {**QUIET, "down": [[990_000, 5]]}, 5, 1, 5, "ScaleDownLimit"),               # It should count what went in the same period
    (SHRINK, QUIET, 2, 15, 6, "ScaleUpLimit"),
    (DISABLED, QUIET, 5, 1, 5, "ScaleDownLimit"),
])
def test_how_fast_a_target_may_change(spec, history, current, wanted, replicas, reason):
    decision = behavior.decide(spec, history, current, wanted, 1_000_000)
    assert (decision.replicas, decision.limited[0]) == (replicas, reason)


def test_without_an_autoscaler_nothing_waits():
    cluster = scaled(busy(100), an_autoscaler(), seconds=60)
    assert any(name == "horizontal-pod-autoscaler" for name, _ in cluster.queue.waiting)
    kubectl(cluster, "kubectl delete hpa web", seconds=60)
    assert len(cluster.queue) == 0
