"""When a Job is looked at: at once if its spec changed, else in batches of a second (pkg/controller/job/job_controller.go enqueueSyncJob...)."""
from ....objects import controller_of, is_deleting, is_ready, name_of
from ....timings import SECOND, WATCH_DELIVERY
from ..adoption import concerns, would_adopt
from .judging import is_finished
from .tracking_finalizer import is_tracked

JOBS = "jobs.batch"
BATCH = SECOND
ORPHAN = "orphan "             # before "NAMESPACE/NAME" of a Pod in work keys: a Pod that no Job will count


def is_ours(job):
    """Whether this controller looks after the Job."""
    return job["spec"].get("managedBy") in (None, "kubernetes.io/job-controller")


def of_job(component, change):
    """The Job itself; when it goes, or has finished, also its Pods that were not counted."""
    job, before, writer = change.object, change.previous, change.manager
    over = change.type == "DELETED" or is_finished(job)
    left = [each for each in component.indexes.find("pods by owner", job["metadata"]["uid"]).values() if is_tracked(each)] if over else ()
    orphans = [ORPHAN + name_of(pod) for pod in left]
    if change.type == "MODIFIED" and job["metadata"]["generation"] == before["metadata"]["generation"]:
        if writer is None or writer.subresource != "status" or writer.name != component.manager:
            _later(component, name_of(job), change)
        return orphans
    return [name_of(job), *orphans]


def of_pod(component, change):
    """The owner, later, if the Pod stands in another way than before; the Pod itself if nobody else will take its finalizer."""
    pod, before = change.object, change.previous
    if not concerns(change, "Job") or change.type == "MODIFIED" and standing(pod) == standing(before):
        return ()
    owners = [controller_of(each) for each in (pod, before) if each is not None]
    namespace = pod["metadata"]["namespace"]
    for owner in owners:
        if owner is not None and owner["kind"] == "Job":
            _later(component, f"{namespace}/{owner['name']}", change)
    if owners[0] is None and change.type != "DELETED":
        for job in would_adopt(component.api, JOBS, pod):
            _later(component, name_of(job), change)
    orphan = change.type != "DELETED" and is_tracked(pod) and (owners[0] is None or is_deleting(pod) and job_of(component.api, pod) is None)
    return (ORPHAN + name_of(pod),) if orphan else ()


def job_of(api, pod):
    """The unfinished Job that controls a Pod, or None."""
    owner = controller_of(pod)
    job = api.get(JOBS, pod["metadata"]["namespace"], owner["name"]) if owner is not None and owner["kind"] == "Job" else None
    return job if job is not None and job["metadata"]["uid"] == owner["uid"] and not is_finished(job) else None


def _later(component, key, change):
    component.queue.deliver(component.name, key, component.clock.now + WATCH_DELIVERY + BATCH, (change.type, change.key, change.revision))


def standing(pod):
    """What of a Pod matters to its Job."""
    restarts = sum(status.get("restartCount", 0) for kind in ("initContainerStatuses", "containerStatuses") for status in pod["status"].get(kind) or ())
    return pod["status"].get("phase"), is_ready(pod), is_deleting(pod), restarts, pod["metadata"].get("labels"), controller_of(pod)
