"""The rows of what makes Pods, and of what watches over their number."""
from lifecycle.simulation.durations import age, human_duration
from lifecycle.simulation.label_text import pairs, selector_text
from lifecycle.simulation.objects import at, condition, controller_of
from lifecycle.simulation.summaries import first_few

from .cells import containers, created, integer


def deployment(thing, clock):
    selector = selector_text(at(thing, "spec", "selector"))
    return [thing["metadata"]["name"], f"{integer(thing, 'status', 'readyReplicas')}/{integer(thing, 'spec', 'replicas')}",
            integer(thing, "status", "updatedReplicas"), integer(thing, "status", "availableReplicas"), created(thing, clock),
            *containers(at(thing, "spec", "template")), "" if selector == "<none>" else selector]


def replica_set(thing, clock):
    return [*_replicas(thing, clock), selector_text(at(thing, "spec", "selector"))]


def replication_controller(thing, clock):
    return [*_replicas(thing, clock), pairs(at(thing, "spec", "selector"))]


def _replicas(thing, clock):
    return [thing["metadata"]["name"], integer(thing, "spec", "replicas"), integer(thing, "status", "replicas"), integer(thing, "status", "readyReplicas"),
            created(thing, clock), *containers(at(thing, "spec", "template"))]


def stateful_set(thing, clock):
    return [thing["metadata"]["name"], f"{integer(thing, 'status', 'readyReplicas')}/{integer(thing, 'spec', 'replicas')}", created(thing, clock),
            *containers(at(thing, "spec", "template"))]


def daemon_set(thing, clock):
    counts = [integer(thing, "status", name) for name in (
        "desiredNumberScheduled", "currentNumberScheduled", "numberReady", "updatedNumberScheduled", "numberAvailable")]
    return [thing["metadata"]["name"], *counts, pairs(at(thing, "spec", "template", "spec", "nodeSelector")), created(thing, clock),
            *containers(at(thing, "spec", "template")), selector_text(at(thing, "spec", "selector"))]


def controller_revision(thing, clock):
    owner = controller_of(thing)
    return [thing["metadata"]["name"], _kind_and_name(owner) if owner else "<none>", thing.get("revision", 0), created(thing, clock)]


def _kind_and_name(owner):
    group = owner["apiVersion"].rpartition("/")[0]
    return f"{owner['kind'].lower()}{'.' + group if group else ''}/{owner['name']}"


JOB_STATUSES = (("Complete", "Complete"), ("Failed", "Failed"), (None, "Terminating"), ("Suspended", "Suspended"),
                ("FailureTarget", "FailureTarget"), ("SuccessCriteriaMet", "SuccessCriteriaMet"))


def job(thing, clock):
    spec, status = thing.get("spec", {}), thing.get("status", {})
    return [thing["metadata"]["name"], job_status(thing), _completions(spec, status), job_duration(status, clock), created(thing, clock),
            *containers(spec.get("template")), selector_text(spec.get("selector"))]


def job_status(thing):
    """The first of JOB_STATUSES that holds; "Running" if none does."""
    for kind, text in JOB_STATUSES:
        if "deletionTimestamp" in thing["metadata"] if kind is None else at(condition(thing, kind), "status") == "True":
            return text
    return "Running"


def _completions(spec, status):
    succeeded, parallelism = status.get("succeeded", 0), spec.get("parallelism") or 0
    if spec.get("completions") is not None:
        return f"{succeeded}/{spec['completions']}"
    return f"{succeeded}/1 of {parallelism}" if parallelism > 1 else f"{succeeded}/1"


def job_duration(status, clock):
    """From the start to the completion, or until now; "" before the start."""
    if not status.get("startTime"):
        return ""
    if not status.get("completionTime"):
        return age(status["startTime"], clock)
    return human_duration(clock.parse(status["completionTime"]) - clock.parse(status["startTime"]))


def cron_job(thing, clock):
    spec, last = thing.get("spec", {}), at(thing, "status", "lastScheduleTime")
    suspend = spec.get("suspend")
    return [thing["metadata"]["name"], spec.get("schedule", ""), spec.get("timeZone") or "<none>", "<unset>" if suspend is None else str(suspend),
            len(at(thing, "status", "active", default=())), age(last, clock) if last else "<none>", created(thing, clock),
            *containers(at(spec, "jobTemplate", "spec", "template")), selector_text(at(spec, "jobTemplate", "spec", "selector"))]


def pod_disruption_budget(thing, clock):
    bounds = [at(thing, "spec", name) for name in ("minAvailable", "maxUnavailable")]
    return [thing["metadata"]["name"], *["N/A" if bound is None else str(bound) for bound in bounds],
            integer(thing, "status", "disruptionsAllowed"), created(thing, clock)]


def horizontal_pod_autoscaler(thing, clock):
    spec, minimum = thing.get("spec", {}), at(thing, "spec", "minReplicas")
    target = spec.get("scaleTargetRef", {})
    return [thing["metadata"]["name"], f"{target.get('kind', '')}/{target.get('name', '')}", _metrics(thing), "<unset>" if minimum is None else str(minimum),
            spec.get("maxReplicas", 0), integer(thing, "status", "currentReplicas"), created(thing, clock)]


def _metrics(thing):
    specs, statuses = at(thing, "spec", "metrics", default=()), at(thing, "status", "currentMetrics", default=())
    texts = [_metric(spec, statuses[position] if position < len(statuses) else {}) for position, spec in enumerate(specs)]
    return first_few(texts, len(texts), 2, ", ") if texts else "<none>"


def _metric(spec, status):
    field = {"External": "external", "Pods": "pods", "Object": "object", "Resource": "resource", "ContainerResource": "containerResource"}.get(spec.get("type"))
    if field is None:
        return "<unknown type>"
    target, current = at(spec, field, "target", default={}), at(status, field, "current", default={})
    named = f"{spec[field]['name']}: " if "esource" in field else ""
    if target.get("averageValue") is not None:
        average = "" if named or field == "pods" else " (avg)"
        return f"{named}{current.get('averageValue', '<unknown>')}/{target['averageValue']}{average}"
    if named:
        utilization, wanted = current.get("averageUtilization"), target.get("averageUtilization")
        return f"{named}{'<unknown>' if utilization is None else f'{utilization}%'}/{'<auto>' if wanted is None else f'{wanted}%'}"
    return f"{current.get('value', '<unknown>')}/{target.get('value', '0')}"


CELLS = {
    "deployments.apps": deployment, "replicasets.apps": replica_set, "replicationcontrollers": replication_controller, "statefulsets.apps": stateful_set,
    "daemonsets.apps": daemon_set, "controllerrevisions.apps": controller_revision, "jobs.batch": job, "cronjobs.batch": cron_job,
    "poddisruptionbudgets.policy": pod_disruption_budget, "horizontalpodautoscalers.autoscaling": horizontal_pod_autoscaler,
}
