"""Jobs and CronJobs."""
from lifecycle.simulation.durations import human_duration
from lifecycle.simulation.label_text import requirements
from lifecycle.simulation.objects import at

from .page import NONE, UNSET, capitalized, controller_text, long_time, lower
from .pods import pod_template

LONGEST_INDEX_LIST = 50


def job(page, thing):
    meta, spec, status = thing["metadata"], thing.get("spec", {}), thing.get("status", {})
    page.field("Name", meta["name"])
    page.field("Namespace", meta.get("namespace", ""))
    page.field("Selector", ",".join(requirements(spec.get("selector"))))
    page.labels("Labels", meta.get("labels"))
    page.annotations(meta.get("annotations"))
    page.optional("Controlled By", controller_text(thing))
    page.optional("Parallelism", spec.get("parallelism"))
    page.field("Completions", spec.get("completions", UNSET))
    page.optional("Completion Mode", spec.get("completionMode"))
    if spec.get("suspend") is not None:
        page.field("Suspend", lower(spec["suspend"]))
    page.optional("Backoff Limit", spec.get("backoffLimit"))
    page.optional("TTL Seconds After Finished", spec.get("ttlSecondsAfterFinished"))
    _times(page, spec, status)
    ready = "" if status.get("ready") is None else f" ({status['ready']} Ready)"
    page.field("Pods Statuses", f"{status.get('active', 0)} Active{ready} / {status.get('succeeded', 0)} Succeeded / {status.get('failed', 0)} Failed")
    if spec.get("completionMode") == "Indexed":
        page.field("Completed Indexes", _indexes(status.get("completedIndexes", "")))
    pod_template(page, spec.get("template", {}))
    page.events(thing)


def _times(page, spec, status):
    start, end = status.get("startTime"), status.get("completionTime")
    if start:
        page.field("Start Time", long_time(start))
    if end:
        page.field("Completed At", long_time(end))
    if start and end:
        page.field("Duration", human_duration(page.clock.parse(end) - page.clock.parse(start)))
    if spec.get("activeDeadlineSeconds") is not None:
        page.field("Active Deadline Seconds", f"{spec['activeDeadlineSeconds']}s")


def _indexes(indexes):
    """The list, cut at a comma when it is long."""
    comma = indexes.find(",", LONGEST_INDEX_LIST)
    return indexes[:comma + 1] + "..." if comma >= 0 else indexes or NONE


def cron_job(page, thing):
    spec, status = thing.get("spec", {}), thing.get("status", {})
    page.metadata(thing)
    page.field("Schedule", spec.get("schedule", ""))
    page.field("Concurrency Policy", spec.get("concurrencyPolicy", ""))
    page.field("Suspend", capitalized(spec.get("suspend")))
    page.field("Time Zone", spec.get("timeZone", UNSET))
    page.field("Successful Job History Limit", spec.get("successfulJobsHistoryLimit", UNSET))
    page.field("Failed Job History Limit", spec.get("failedJobsHistoryLimit", UNSET))
    deadline = spec.get("startingDeadlineSeconds")
    page.field("Starting Deadline Seconds", UNSET if deadline is None else f"{deadline}s")
    _template(page, at(spec, "jobTemplate", "spec", default={}))
    page.field("Last Schedule Time", long_time(status["lastScheduleTime"]) if status.get("lastScheduleTime") else UNSET)
    page.field("Active Jobs", ", ".join([each["name"] for each in status.get("active") or ()]) or NONE)
    page.events(thing)


def _template(page, spec):
    page.field("Selector", ",".join(requirements(spec["selector"])) if spec.get("selector") else UNSET)
    page.field("Parallelism", spec.get("parallelism", UNSET))
    page.field("Completions", spec.get("completions", UNSET))
    if spec.get("activeDeadlineSeconds") is not None:
        page.field("Active Deadline Seconds", f"{spec['activeDeadlineSeconds']}s")
    pod_template(page, spec.get("template", {}))


DESCRIBERS = {"jobs.batch": job, "cronjobs.batch": cron_job}
