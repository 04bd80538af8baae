"""Jobs: the selector and the labels that tie a Job to its Pods (pkg/registry/batch/job/strategy.go)."""
from ....objects import at, replaced
from ..defaulting import default


def creating_job(call, job):
    """The Job with its generated selector, unless `manualSelector` asks to leave it alone."""
    if job["spec"].get("manualSelector"):
        return job
    uid, name = job["metadata"]["uid"], job["metadata"]["name"]
    unique = {"batch.kubernetes.io/controller-uid": uid}
    labels = {**unique, "batch.kubernetes.io/job-name": name, "controller-uid": uid, "job-name": name}
    selector = at(job, "spec", "selector", "matchLabels", default={})
    job = replaced(job, {**selector, **unique}, "spec", "selector", "matchLabels")
    return replaced(job, {**at(job, "spec", "template", "metadata", "labels", default={}), **labels}, "spec", "template", "metadata", "labels")


def stored_job(job):
    """The Job as it is read back: one without labels takes over those that were generated in its template."""
    return default("jobs.batch", job)
