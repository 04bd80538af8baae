"""Defaults of the kinds that make Pods (pkg/apis/apps/v1/defaults.go, pkg/apis/batch/v1/defaults.go, ReplicationController in pkg/apis/core/v1)."""

from ....objects import at
from .filling import absent, deep, each, empty, inside
from .pods import default_template
from .volumes import default_claim_spec

ROLLING = "RollingUpdate"
MAX_INT32 = 2**31 - 1


def _templated(thing):
    """`thing` with a spec, and in it a pod template with its defaults."""
    thing = absent(thing, {"spec": {}})
    return inside(thing, "spec", lambda spec: inside(absent(spec, {"template": {}}), "template", default_template))


def _strategy(spec, key, rolling):
    """`spec` with its update strategy under `key`; `rolling` are the settings of a RollingUpdate."""
    strategy = empty(spec.get(key) or {}, {"type": ROLLING})
    if strategy["type"] == ROLLING:
        strategy = inside(absent(strategy, {"rollingUpdate": {}}), "rollingUpdate", lambda settings: absent(settings, rolling))
    return spec if strategy == spec.get(key) else {**spec, key: strategy}


def default_deployment(deployment):
    def defaults(spec):
        spec = absent(spec, {"replicas": 1, "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600})
        return _strategy(spec, "strategy", {"maxUnavailable": "25%", "maxSurge": "25%"})

    return inside(_templated(deployment), "spec", defaults)


def default_replica_set(replica_set):
    return inside(_templated(replica_set), "spec", lambda spec: absent(spec, {"replicas": 1}))


def default_daemon_set(daemon_set):
    def defaults(spec):
        return _strategy(absent(spec, {"revisionHistoryLimit": 10}), "updateStrategy", {"maxUnavailable": 1, "maxSurge": 0})

    return inside(_templated(daemon_set), "spec", defaults)


def default_stateful_set(stateful_set):
    def defaults(spec):
        spec = absent(empty(spec, {"podManagementPolicy": "OrderedReady"}), {"replicas": 1, "revisionHistoryLimit": 10})
        spec = absent(spec, {"persistentVolumeClaimRetentionPolicy": {}})
        spec = inside(spec, "persistentVolumeClaimRetentionPolicy", lambda policy: empty(policy, {"whenDeleted": "Retain", "whenScaled": "Retain"}))
        return _stateful_strategy(each(spec, "volumeClaimTemplates", _claim_template))

    return inside(_templated(stateful_set), "spec", defaults)


def _stateful_strategy(spec):
    strategy = spec.get("updateStrategy") or {}
    if strategy.get("type") and not strategy.get("rollingUpdate"):
        return spec
    return _strategy(spec, "updateStrategy", {"partition": 0})


def _claim_template(claim):
    claim = absent(claim, {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "spec": {}, "status": {"phase": "Pending"}})
    return inside(claim, "spec", default_claim_spec)


def default_replication_controller(controller):
    controller = inside(_templated(controller), "spec", lambda spec: absent(spec, {"replicas": 1}))
    labels = at(controller, "spec", "template", "metadata", "labels")
    if not labels:
        return controller
    return inside(_labelled(controller, labels), "spec", lambda spec: empty(spec, {"selector": labels}))


def default_job(job):
    """A Job; called again after its labels were generated, it takes them over from its template."""
    job = inside(_templated(job), "spec", _job_spec)
    return _labelled(job, at(job, "spec", "template", "metadata", "labels"))


def _labelled(thing, labels):
    return inside(thing, "metadata", lambda meta: empty(meta, {"labels": labels})) if labels else thing


def _job_spec(spec):
    failure = spec.get("podFailurePolicy")
    defaults = {
        "parallelism": 1,
        "backoffLimit": 6 if spec.get("backoffLimitPerIndex") is None else MAX_INT32,
        "completionMode": "NonIndexed",
        "suspend": False,
        "manualSelector": False,
        "podReplacementPolicy": "Failed" if failure else "TerminatingOrFailed",
    }
    if spec.get("completions") is None and spec.get("parallelism") is None:
        defaults["completions"] = 1
    return inside(absent(spec, defaults), "podFailurePolicy", lambda policy: each(policy, "rules", _failure_rule))


def _failure_rule(rule):
    return each(rule, "onPodConditions", lambda pattern: empty(pattern, {"status": "True"}))


def default_cron_job(cron_job):
    def defaults(spec):
        spec = absent(empty(spec, {"concurrencyPolicy": "Allow"}), {"suspend": False, "successfulJobsHistoryLimit": 3, "failedJobsHistoryLimit": 1})
        return inside(absent(spec, {"jobTemplate": {}}), "jobTemplate", lambda template: _templated(absent(template, {"metadata": {}})))

    return inside(absent(cron_job, {"spec": {}}), "spec", defaults)


def default_pod_template(pod_template):
    return deep(absent(pod_template, {"template": {}}), default_template, "template")
