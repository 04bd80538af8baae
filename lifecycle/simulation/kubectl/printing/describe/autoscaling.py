"""HorizontalPodAutoscalers."""
from lifecycle.simulation.objects import at

from .page import UNSET, long_time

UNKNOWN = "<unknown>"
FIELDS = {"External": "external", "Pods": "pods", "Object": "object", "Resource": "resource", "ContainerResource": "containerResource"}


def horizontal_pod_autoscaler(page, thing):
    spec, status = thing.get("spec", {}), thing.get("status", {})
    target = spec.get("scaleTargetRef", {})
    page.metadata(thing)
    page.field("CreationTimestamp", long_time(thing["metadata"].get("creationTimestamp")))
    page.field("Reference", f"{target.get('kind', '')}/{target.get('name', '')}")
    page.field("Metrics", "( current / target )")
    current = status.get("currentMetrics") or ()
    for position, metric in enumerate(spec.get("metrics") or ()):
        _metric(page, metric, current[position] if position < len(current) else {})
    page.field("Min replicas", spec.get("minReplicas", UNSET))
    page.field("Max replicas", spec.get("maxReplicas", 0))
    if spec.get("behavior"):
        page.line("Behavior:")
        for label, field in (("Scale Up", "scaleUp"), ("Scale Down", "scaleDown")):
            _behavior(page, label, spec["behavior"].get(field))
    page.field(f"{target.get('kind', '')} pods", f"{status.get('currentReplicas', 0)} current / {status.get('desiredReplicas', 0)} desired")
    if status.get("conditions"):
        page.line("Conditions:")
        rows = [(each["type"], each["status"], each.get("reason", ""), each.get("message", "")) for each in status["conditions"]]
        page.table(1, ("Type", "Status", "Reason", "Message"), rows)
    page.events(thing)


def _metric(page, metric, status):
    field = FIELDS.get(metric.get("type"))
    if field is None:
        page.line(f'<unknown metric type "{metric.get("type", "")}">', 1)
        return
    source, current = metric[field], at(status, field, "current", default={})
    wanted = source.get("target", {})
    if "esource" in field:
        _resource_metric(page, source, current, wanted)
    elif field == "pods":
        page.field(f'"{source["metric"]["name"]}" on pods', f"{current.get('averageValue', UNKNOWN)} / {wanted.get('averageValue', '0')}", 1)
    else:
        about = source.get("describedObject")
        on = f" on {about['kind']}/{about['name']}" if about else ""
        average = "average " if wanted.get("averageValue") is not None else ""
        key = "averageValue" if average else "value"
        page.field(f'"{source["metric"]["name"]}"{on} (target {average}value)', f"{current.get(key, UNKNOWN)} / {wanted.get(key, '0')}", 1)


def _resource_metric(page, source, current, wanted):
    container = f' of container "{source["container"]}"' if source.get("container") else ""
    name = f"resource {source['name']}{container} on pods"
    if wanted.get("averageValue") is not None:
        page.field(name, f"{current.get('averageValue', UNKNOWN)} / {wanted['averageValue']}", 1)
        return
    percent, goal = current.get("averageUtilization"), wanted.get("averageUtilization")
    now = UNKNOWN if percent is None else f"{percent}% ({current.get('averageValue', '0')})"
    page.field(f"{name}  (as a percentage of request)", f"{now} / {'<auto>' if goal is None else f'{goal}%'}", 1)


def _behavior(page, label, rules):
    if not rules:
        return
    page.line(f"{label}:", 1)
    if rules.get("stabilizationWindowSeconds") is not None:
        page.line(f"Stabilization Window: {rules['stabilizationWindowSeconds']} seconds", 2)
    if rules.get("policies"):
        page.line(f"Select Policy: {rules.get('selectPolicy', 'Max')}", 2)
        page.line("Policies:", 2)
        for policy in rules["policies"]:
            page.line(f"- Type: {policy['type']}\tValue: {policy['value']}\tPeriod: {policy['periodSeconds']} seconds", 3)


DESCRIBERS = {"horizontalpodautoscalers.autoscaling": horizontal_pod_autoscaler}
