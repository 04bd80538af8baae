"""Deployments, ReplicaSets, ReplicationControllers, StatefulSets and DaemonSets."""
from collections import Counter

from lifecycle.simulation.label_text import pairs, requirements, selector_text
from lifecycle.simulation.objects import at, controller_of
from lifecycle.simulation.summaries import class_name

from .page import NONE, Query, bracketed, controller_text, long_time
from .pods import pod_template

PHASES = ("Running", "Pending", "Succeeded", "Failed")
TEMPLATE_HASH = "pod-template-hash"


def deployment(page, thing):
    meta, spec, status = thing["metadata"], thing.get("spec", {}), thing.get("status", {})
    events = page.find_events(thing)
    _named_and_created(page, meta)
    page.labels("Labels", meta.get("labels"))
    page.annotations(meta.get("annotations"))
    page.field("Selector", ",".join(requirements(spec.get("selector"))))
    counts = [f"{status.get(f'{name}Replicas', 0)} {name}" for name in ("updated", "available", "unavailable")]
    counts.insert(1, f"{status.get('replicas', 0)} total")
    page.field("Replicas", " | ".join([f"{spec.get('replicas', 0)} desired", *counts]))
    page.field("StrategyType", at(spec, "strategy", "type", default=""))
    page.field("MinReadySeconds", spec.get("minReadySeconds", 0))
    rolling = at(spec, "strategy", "rollingUpdate")
    if rolling:
        page.field("RollingUpdateStrategy", f"{rolling.get('maxUnavailable', 0)} max unavailable, {rolling.get('maxSurge', 0)} max surge")
    pod_template(page, spec.get("template", {}))
    _conditions(page, status)
    _replica_sets(page, thing)
    if page.with_events:
        page.event_table(events)


def _named_and_created(page, meta):
    page.field("Name", meta["name"])
    page.field("Namespace", meta.get("namespace", ""))
    page.field("CreationTimestamp", long_time(meta.get("creationTimestamp")))


def _replica_sets(page, thing):
    spec = thing.get("spec", {})
    found = page.lookup(Query("replicasets.apps", thing["metadata"].get("namespace", ""), labels=",".join(requirements(spec.get("selector")))))
    uid = thing["metadata"].get("uid")
    owned = [each for each in _oldest_first(found) if (controller_of(each) or {}).get("uid") == uid]
    new = [each for each in owned if _same_template(at(each, "spec", "template"), spec.get("template"))][:1]
    old = [each for each in owned if each not in new and at(each, "spec", "replicas") is not None]
    if old or new:
        page.field("OldReplicaSets", _created(old))
        page.field("NewReplicaSet", _created(new))


def _oldest_first(replica_sets):
    return sorted(replica_sets, key=lambda each: (each["metadata"].get("creationTimestamp", ""), each["metadata"]["name"]))


def _same_template(first, second):
    """Whether two pod templates differ in nothing but the label with the hash."""
    return _without_hash(first) == _without_hash(second)


def _without_hash(template):
    meta = (template or {}).get("metadata") or {}
    labels = {key: text for key, text in (meta.get("labels") or {}).items() if key != TEMPLATE_HASH}
    return {key: part for key, part in (template or {}).items() if key != "metadata"}, labels, meta.get("annotations") or {}


def _created(replica_sets):
    return ", ".join([f"{each['metadata']['name']} ({at(each, 'status', 'replicas', default=0)}/{each['spec']['replicas']} replicas created)"
                      for each in replica_sets]) or NONE


def replica_set(page, thing):
    spec = thing.get("spec", {})
    _replicated(page, thing, selector_text(spec.get("selector")), spec.get("selector"))


def replication_controller(page, thing):
    labels = at(thing, "spec", "selector", default={})
    _replicated(page, thing, pairs(labels), {"matchLabels": labels})


def _replicated(page, thing, selector, pod_selector):
    meta, spec, status = thing["metadata"], thing.get("spec", {}), thing.get("status", {})
    pods = page.pods_of(thing, pod_selector)
    page.field("Name", meta["name"])
    page.field("Namespace", meta.get("namespace", ""))
    page.field("Selector", selector)
    page.labels("Labels", meta.get("labels"))
    page.annotations(meta.get("annotations"))
    page.optional("Controlled By", controller_text(thing))
    page.field("Replicas", f"{status.get('replicas', 0)} current / {spec.get('replicas', 0)} desired")
    page.field("Pods Status", _phases(pods))
    pod_template(page, spec.get("template", {}))
    _conditions(page, status)
    page.events(thing)


def _phases(pods):
    counted = Counter([at(pod, "status", "phase") for pod in pods])
    return " / ".join([f"{counted[phase]} {'Waiting' if phase == 'Pending' else phase}" for phase in PHASES])


def _conditions(page, status):
    if status.get("conditions"):
        page.line("Conditions:")
        rows = [(f"{each['type']} ", each["status"], each.get("reason", "")) for each in status["conditions"]]
        page.table(1, ("Type", "Status", "Reason"), rows)


def stateful_set(page, thing):
    meta, spec, status = thing["metadata"], thing.get("spec", {}), thing.get("status", {})
    pods = page.pods_of(thing, spec.get("selector"))
    _named_and_created(page, meta)
    page.field("Selector", ",".join(requirements(spec.get("selector"))))
    page.labels("Labels", meta.get("labels"))
    page.annotations(meta.get("annotations"))
    page.field("Replicas", f"{spec.get('replicas', 0)} desired | {status.get('replicas', 0)} total")
    page.field("Update Strategy", at(spec, "updateStrategy", "type", default=""))
    rolling = at(spec, "updateStrategy", "rollingUpdate", default={})
    if rolling.get("partition") is not None:
        page.field("Partition", rolling["partition"], 1)
        page.optional("MaxUnavailable", rolling.get("maxUnavailable"), 1)
    page.field("Pods Status", _phases(pods))
    pod_template(page, spec.get("template", {}))
    _claims(page, spec.get("volumeClaimTemplates"))
    page.events(thing)


def _claims(page, templates):
    if not templates:
        page.field("Volume Claims", NONE)
        return
    page.line("Volume Claims:")
    for claim in templates:
        page.field("Name", claim["metadata"]["name"], 1)
        page.field("StorageClass", class_name(claim), 1)
        page.labels("Labels", claim["metadata"].get("labels"), 1)
        page.labels("Annotations", claim["metadata"].get("annotations"), 1)
        page.field("Capacity", at(claim, "spec", "resources", "requests", "storage", default="<default>"), 1)
        page.field("Access Modes", bracketed(at(claim, "spec", "accessModes")), 1)


NODE_COUNTS = (("Desired Number of Nodes Scheduled", "desiredNumberScheduled"), ("Current Number of Nodes Scheduled", "currentNumberScheduled"),
               ("Number of Nodes Scheduled with Up-to-date Pods", "updatedNumberScheduled"),
               ("Number of Nodes Scheduled with Available Pods", "numberAvailable"), ("Number of Nodes Misscheduled", "numberMisscheduled"))


def daemon_set(page, thing):
    meta, spec, status = thing["metadata"], thing.get("spec", {}), thing.get("status", {})
    pods = page.pods_of(thing, spec.get("selector"))
    page.field("Name", meta["name"])
    page.field("Namespace", meta.get("namespace", ""))
    page.field("Selector", ",".join(requirements(spec.get("selector"))))
    page.field("Node-Selector", pairs(at(spec, "template", "spec", "nodeSelector")))
    page.labels("Labels", meta.get("labels"))
    page.annotations(meta.get("annotations"))
    for label, field in NODE_COUNTS:
        page.line(f"{label}: {status.get(field, 0)}")
    page.field("Pods Status", _phases(pods))
    pod_template(page, spec.get("template", {}))
    page.events(thing)


DESCRIBERS = {"deployments.apps": deployment, "replicasets.apps": replica_set, "replicationcontrollers": replication_controller,
              "statefulsets.apps": stateful_set, "daemonsets.apps": daemon_set}
