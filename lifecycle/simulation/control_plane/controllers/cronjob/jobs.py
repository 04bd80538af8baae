"""A CronJob's Jobs: which it knows of, how they ended, which are too many, and how a new one looks."""
from datetime import datetime
from zoneinfo import ZoneInfo

from ....objects import condition, is_deleting, owner_reference
from ....timings import MINUTE

SCHEDULED = "batch.kubernetes.io/cronjob-scheduled-timestamp"
COMPLETE, FAILED = "Complete", "Failed"


def ended_as(job):
    """COMPLETE or FAILED for a Job that has finished, else None."""
    found = (condition(job, kind) for kind in (COMPLETE, FAILED))
    return next((each["type"] for each in found if each is not None and each["status"] == "True"), None)


def reference(job):
    """How `status.active` names a Job."""
    meta = job["metadata"]
    return {"kind": "Job", "namespace": meta["namespace"], "name": meta["name"], "uid": meta["uid"], "apiVersion": "batch/v1",
            "resourceVersion": meta["resourceVersion"]}


def next_surplus(cron_job, jobs):
    """The oldest Job beyond the history limits that is still to be deleted, or None."""
    for kind, limit in ((COMPLETE, cron_job["spec"].get("successfulJobsHistoryLimit")), (FAILED, cron_job["spec"].get("failedJobsHistoryLimit"))):
        ended = [job for job in jobs if ended_as(job) == kind]
        if limit is not None and len(ended) > limit:
            ended.sort(key=lambda job: ((job.get("status") or {}).get("startTime") or "9", job["metadata"]["name"]))
            surplus = next((job for job in ended[:len(ended) - limit] if not is_deleting(job)), None)
            if surplus is not None:
                return surplus
    return None


def job_name(cron_job, scheduled, clock):
    """The name of the Job for a time (virtual ms): it says the minute, so that no minute gets two."""
    return f"{cron_job['metadata']['name']}-{(scheduled + clock.epoch) // MINUTE}"


def new_job(cron_job, scheduled, clock):
    """The Job for a time (virtual ms)."""
    template, meta = cron_job["spec"]["jobTemplate"], cron_job["spec"]["jobTemplate"].get("metadata") or {}
    annotations = {**(meta.get("annotations") or {}), SCHEDULED: _stamp(cron_job, scheduled, clock)}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {
        "name": job_name(cron_job, scheduled, clock), "namespace": cron_job["metadata"]["namespace"],
        **({"labels": meta["labels"]} if meta.get("labels") else {}), "annotations": annotations, "ownerReferences": [owner_reference(cron_job)]},
        "spec": template["spec"]}


def _stamp(cron_job, scheduled, clock):
    """RFC 3339 in the CronJob's time zone."""
    zone = cron_job["spec"].get("timeZone")
    if not zone:
        return clock.timestamp(scheduled)
    return datetime.fromtimestamp((scheduled + clock.epoch) // 1000, ZoneInfo(zone)).isoformat().replace("+00:00", "Z")
