"""The panels beside the diagram, each for a moment: `at` in the query is the number of a message, 0 or nothing is now."""
from itertools import islice

from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from .. import looking_back
from ..faults import CHOICE, fault_view
from ..forms import DeleteForm
from ..history import back, newest_first
from ..models import DiskEntry
from ..permissions import cluster_for
from ..picture import control_plane as planes
from ..picture import progress, store, timeline
from ..picture.nodes import PODS
from ..picture.pods import pod_view
from .live import number
from .logs import log_lines

RECENT = 2000                    # messages in which the scheduler's last table and the image pulls are looked for
CHANGES = 6000                   # changes of Pods that the timeline draws at most


def control_plane(request, cluster, snapshot):
    steps, at = looking_back.messages(cluster.pk, 0, snapshot.seq + 1, RECENT), number(request, "at")
    boxes = planes.boxes((), ()) if at else planes.boxes(cluster.queue.get("waiting", ()), stopped(cluster.pk))          # history does not tell of queues
    return {"boxes": boxes, "objects": len(snapshot.objects), "revision": snapshot.revision,
            "compacted": cluster.compacted, "placement": planes.placement(steps), "at": at}


def etcd(request, cluster, snapshot):
    return {"keys": store.keys(snapshot.objects), "count": len(snapshot.objects), "revision": snapshot.revision}


def events(request, cluster, snapshot):
    return {"events": store.events(snapshot.objects)}


def objects(request, cluster, snapshot):
    key, everything = request.GET.get("key", ""), "all" in request.GET
    thing = snapshot.objects.get(key)
    return {"groups": store.grouped(snapshot.objects, everything), "everything": everything, "key": key, "text": store.manifest_text(thing) if thing else ""}


def logs(request, cluster, snapshot):
    key, container = request.GET.get("key", ""), request.GET.get("container", "")
    pods = [pod_view(name, pod) for name, pod in sorted(snapshot.objects.items()) if name.startswith(PODS) and pod["spec"].get("nodeName")]
    pod = snapshot.objects.get(key) if key.startswith(PODS) else None
    return {"pods": pods[:200], "key": key if pod else "", "chosen": container, "lines": log_lines(cluster, pod, container, snapshot.at) if pod else []}


def timeline_of_pods(request, cluster, snapshot):
    return {"chart": timeline.chart(pod_changes(cluster.pk, snapshot), snapshot.at)}


def pod_changes(pk, snapshot):
    """(key, at, type, manifest) of the Pods' changes until a snapshot, oldest first."""
    known = dict(snapshot.objects)
    changes = (back(record, known) for record in newest_first(pk, 0, snapshot.revision) if record.key.startswith(PODS))
    found = [(change.key, change.at, change.type, change.object) for change in islice(changes, CHANGES) if change]
    return found[::-1]


def progress_of_work(request, cluster, snapshot):
    steps = looking_back.messages(cluster.pk, 0, snapshot.seq + 1, RECENT)
    return {"rollouts": progress.rollouts(snapshot.objects), "pulls": progress.pulls(steps, snapshot.at)[-30:]}


def delete(request, cluster, snapshot):
    return {"form": DeleteForm(snapshot.objects)}


def faults(request, cluster, snapshot):
    return fault_view(cluster.pk, snapshot.objects, *(request.GET.get(name, "") for name in CHOICE))


def stopped(pk):
    """Names of the components that are stopped."""
    return set(DiskEntry.objects.filter(cluster=pk, space="stopped").values_list("key", flat=True))


PANELS = {
    "control-plane": control_plane, "etcd": etcd, "events": events, "objects": objects, "logs": logs, "timeline": timeline_of_pods,
    "progress": progress_of_work, "delete": delete, "faults": faults,
}
ONLY_NOW = ("delete", "faults")


@require_safe
def tab(request, pk, name):
    """One panel."""
    if name not in PANELS:
        raise Http404
    cluster = cluster_for(request, pk, write=name in ONLY_NOW)
    seq = None if name in ONLY_NOW else number(request, "at")
    try:
        snapshot = looking_back.snapshot(pk, seq or None)
    except LookupError:
        raise Http404 from None
    return render(request, f"cluster/_{name}.html", {"cluster": cluster, "may_change": True, **PANELS[name](request, cluster, snapshot)})
