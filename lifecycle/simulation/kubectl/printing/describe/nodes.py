"""Nodes, and what the Pods on them take."""
from lifecycle.simulation.objects import at
from lifecycle.simulation.quantities import milli, value
from lifecycle.simulation.summaries import node_roles

from .page import NONE, UNSET, Query, long_time, lower
from .pod_resources import combined, pod_resources

LEASES = "kube-node-lease"
SYSTEM = (("Machine ID", "machineID"), ("System UUID", "systemUUID"), ("Boot ID", "bootID"), ("Kernel Version", "kernelVersion"), ("OS Image", "osImage"),
          ("Operating System", "operatingSystem"), ("Architecture", "architecture"), ("Container Runtime Version", "containerRuntimeVersion"),
          ("Kubelet Version", "kubeletVersion"))
STANDARD = ("cpu", "memory", "ephemeral-storage", "pods")
KINDS = ("requests", "limits")


def node(page, thing):
    meta, spec, status = thing["metadata"], thing.get("spec", {}), thing.get("status", {})
    name = meta["name"]
    pods = page.lookup(Query("pods", fields=f"spec.nodeName={name},status.phase!=Succeeded,status.phase!=Failed"))
    events = [*page.find_events(thing), *page.find_events(thing, uid=name)]
    page.lookup(Query("resourceslices.resource.k8s.io", fields=f"spec.nodeName={name}", chunked=False))
    page.field("Name", name)
    page.field("Roles", ",".join(node_roles(thing)) or NONE)
    page.labels("Labels", meta.get("labels"))
    page.annotations(meta.get("annotations"))
    page.field("CreationTimestamp", long_time(meta.get("creationTimestamp")))
    taints = sorted(spec.get("taints") or (), key=lambda each: f"{each['effect']},{each['key']}")
    page.several("Taints", [taint_text(each) for each in taints])
    page.field("Unschedulable", lower(spec.get("unschedulable")))
    _lease(page, name)
    _conditions(page, status)
    _machine(page, spec, status)
    _pods(page, status.get("allocatable") or status.get("capacity") or {}, pods)
    if page.with_events:
        page.event_table(events)


def taint_text(taint):
    """"key=value:NoSchedule", or without what is empty."""
    text = f"{taint['key']}={taint['value']}" if taint.get("value") else taint["key"]
    return f"{text}:{taint['effect']}" if taint.get("effect") else text


def _lease(page, name):
    lease = page.lookup(Query("leases.coordination.k8s.io", LEASES, name=name))
    if lease is None:
        page.field("Lease", f'Failed to get lease: leases.coordination.k8s.io "{name}" not found')
        return
    spec = lease.get("spec", {})
    page.line("Lease:")
    page.field("HolderIdentity", spec.get("holderIdentity", UNSET), 1)
    for label, field in (("AcquireTime", "acquireTime"), ("RenewTime", "renewTime")):
        page.field(label, long_time(spec[field]) if spec.get(field) else UNSET, 1)


def _conditions(page, status):
    if status.get("conditions"):
        page.line("Conditions:")
        rows = [(f"{each['type']} ", f"{each['status']} ", f"{long_time(each.get('lastHeartbeatTime'))} ", f"{long_time(each.get('lastTransitionTime'))} ",
                 f"{each.get('reason', '')} ", each.get("message", "")) for each in status["conditions"]]
        page.table(1, ("Type", "Status", "LastHeartbeatTime", "LastTransitionTime", "Reason", "Message"), rows)


def _machine(page, spec, status):
    page.line("Addresses:")
    for address in status.get("addresses") or ():
        page.field(address["type"], address["address"], 1)
    for label, field in (("Capacity", "capacity"), ("Allocatable", "allocatable")):
        if status.get(field):
            page.line(f"{label}:")
            for name in sorted(status[field]):
                page.field(name, status[field][name], 1)
    page.line("System Info:")
    for label, field in SYSTEM:
        page.field(label, at(status, "nodeInfo", field, default=""), 1)
    page.optional("PodCIDR", spec.get("podCIDR"))
    page.optional("PodCIDRs", ",".join(spec.get("podCIDRs") or ()))
    page.optional("ProviderID", spec.get("providerID"))


def _pods(page, allocatable, pods):
    page.field("Non-terminated Pods", f"({len(pods)} in total)")
    names = ("Namespace", "Name", "", "CPU Requests", "CPU Limits", "Memory Requests", "Memory Limits", "Age")
    page.table(1, names, [_pod_row(page, pod, allocatable) for pod in pods])
    page.line("Allocated resources:")
    page.line("(Total limits may be over 100 percent, i.e., overcommitted.)", 1)
    totals = [combined([pod_resources(pod, kind, False) for pod in pods]) for kind in KINDS]
    page.table(1, ("Resource", "Requests", "Limits"), _total_rows(totals, allocatable))


def _pod_row(page, pod, allocatable):
    own = [pod_resources(pod, kind) for kind in KINDS]
    shares = [_share(amounts, name, allocatable) for name in ("cpu", "memory") for amounts in own]
    return pod["metadata"].get("namespace", ""), pod["metadata"]["name"], "", *shares, page.age(pod["metadata"].get("creationTimestamp"))


def _total_rows(totals, allocatable):
    rows = [(name, *[_share(amounts, name, allocatable) for amounts in totals]) for name in STANDARD[:3]]
    others = sorted(set(allocatable) - set(STANDARD))
    rows += [(name, *[_share(amounts, name, allocatable) for amounts in totals]) for name in others if name.startswith("hugepages-")]
    return rows + [(name, *[amounts.get(name, "0") for amounts in totals]) for name in others if not name.startswith("hugepages-")]


def _share(amounts, name, allocatable):
    """"250m (12%)": a quantity and how much that is of what the node has."""
    measure = milli if name == "cpu" else value
    amount, whole = amounts.get(name, "0"), measure(allocatable.get(name, "0"))
    return f"{amount} ({int(measure(amount) / whole * 100) if whole else 0}%)"


DESCRIBERS = {"nodes": node}
