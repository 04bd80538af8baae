"""The CronJob controller's loop: clear old Jobs away, see how the others stand, start the run that is due."""
from datetime import UTC, datetime

from ....component import Component
from ....objects import controller_of, is_deleting, name_of, split_key
from ....resources import resource
from ....timings import API_CALL, SECOND
from ..adoption import is_controlled_by
from ..retries import is_hopeless, retry_after
from .due import MANY_MISSED, NeverDue, Timetable
from .jobs import COMPLETE, ended_as, job_name, new_job, next_surplus, reference

CRON_JOBS, JOBS = "cronjobs.batch", "jobs.batch"
FORBIDDEN = "Not starting job because prior execution is running and concurrency policy is Forbid"
TOO_MANY = "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew"


class CronJob(Component):
    """A sync goes over several work items; what is left of it is kept on disk under the CronJob's name:

    `status`: the status to write at its end; `run`: the time (ms) for which a Job is to be created; `replace`: names of Jobs to delete before.
    Between syncs only `failures`: syncs that failed in a row.
    """

    name = "cronjob"

    def watched(self):
        return {CRON_JOBS: self._of_cron_job, JOBS: self._of_job}

    def _of_cron_job(self, change):
        """The CronJob, unless its controller only wrote the status; at its next time if that is what changed."""
        writer, new, old = change.manager, change.object, change.previous
        if writer is not None and writer.subresource == "status" and writer.name == self.manager:
            return ()
        if change.type == "MODIFIED" and any(new["spec"].get(field) != old["spec"].get(field) for field in ("schedule", "timeZone")):
            later = Timetable(new, self.clock).next_in()
            if later is not None:
                self.again(name_of(new), later)
            return ()
        return (name_of(new),)

    @staticmethod
    def _of_job(change):
        owners = [controller_of(each) for each in (change.object, change.previous) if each is not None]
        namespace = change.object["metadata"]["namespace"]
        return dict.fromkeys(f"{namespace}/{owner['name']}" for owner in owners if owner is not None and owner["kind"] == "CronJob")

    def reconcile(self, key):
        cron_job = self.api.get(CRON_JOBS, *split_key(key))
        if cron_job is None:
            self.write(key, None)
            return None
        sync = self.read(key) or {}
        if "run" in sync:
            return self._start(key, cron_job, sync)
        jobs = self._jobs(cron_job)
        surplus = next_surplus(cron_job, jobs)
        if surplus is not None and self._delete(cron_job, surplus["metadata"]["name"]):
            return API_CALL
        return self._sync(key, cron_job, jobs, sync)

    def _jobs(self, cron_job):
        return [job for job in self.indexes.find("jobs by owner", cron_job["metadata"]["uid"]).values() if is_controlled_by(job, cron_job)]

    def _delete(self, cron_job, name):
        """Whether it could be done."""
        response = self.api.delete(JOBS, cron_job["metadata"]["namespace"], name, policy="Background")
        if response.ok:
            self.event(cron_job, "Normal", "SuccessfulDelete", f"Deleted job {name}")
        elif response.reason != "NotFound":
            self.event(cron_job, "Warning", "FailedDelete", f"Deleted job: {response.body['message']}")
        return response.ok

    # -- one sync --------------------------------------------------------------------------------------------------------------
    def _sync(self, key, cron_job, jobs, sync):
        """Write down which Jobs have ended; start the run that is due; wait for the next one."""
        status = self._observed(cron_job, jobs)
        if is_deleting(cron_job) or cron_job["spec"].get("suspend"):
            self._write_status(cron_job, status)
            return None
        timetable = Timetable(cron_job, self.clock)
        run = self._due(cron_job, status, timetable)
        if run is not None:
            replace = [each["name"] for each in status.get("active") or ()] if cron_job["spec"]["concurrencyPolicy"] == "Replace" else []
            self.say(self.actor, "ReconcileCronJob", None, resource(CRON_JOBS).key(*split_key(key)), {
                "create": job_name(cron_job, run, self.clock), "due": run, "delete": len(replace)})
            return self._start(key, cron_job, {**sync, "status": status, "run": run, "replace": replace})
        self._write_status(cron_job, status)
        self._wait(key, timetable)
        return None

    def _wait(self, key, timetable):
        later = timetable.next_in()
        if later is not None:
            self.again(key, later)

    def _observed(self, cron_job, jobs):
        """The status with the Jobs as they stand; says in Events which have ended, which are gone, and which nobody knew of."""
        status = cron_job.get("status") or {}
        active, last = list(status.get("active") or ()), status.get("lastSuccessfulTime")
        known, present = {each["uid"] for each in active}, {job["metadata"]["uid"] for job in jobs}
        for job in jobs:
            name, uid, ended = job["metadata"]["name"], job["metadata"]["uid"], ended_as(job)
            if ended is None and uid not in known:
                self.event(cron_job, "Warning", "UnexpectedJob", f"Saw a job that the controller did not create or forgot: {name}")
            elif ended is not None and uid in known:
                active = [each for each in active if each["uid"] != uid]
                self.event(cron_job, "Normal", "SawCompletedJob", f"Saw completed job: {name}, condition: {ended}")
            if ended == COMPLETE:
                last = max(last or "", job["status"].get("completionTime") or "") or None
        for gone in [each for each in active if each["uid"] not in present]:
            self.event(cron_job, "Normal", "MissingJob", f"Active job went missing: {gone['name']}")
        active = [each for each in active if each["uid"] in present]
        return _status(active, status.get("lastScheduleTime"), last)

    def _due(self, cron_job, status, timetable):
        """The time for which a Job is to be started now, or None; says in Events why one is not."""
        try:
            times = timetable.times(True)
        except NeverDue as error:
            self.event(cron_job, "Warning", "InvalidSchedule", f"invalid schedule: {cron_job['spec']['schedule']} : {error}")
            return None
        if times.missed == MANY_MISSED:
            self.event(cron_job, "Warning", "TooManyMissedTimes", TOO_MANY)
        if times.recent is None:
            return None
        deadline, active = cron_job["spec"].get("startingDeadlineSeconds"), status.get("active") or ()
        if deadline is not None and times.recent + deadline * SECOND < self.clock.now:
            when = datetime.fromtimestamp((times.recent + self.clock.epoch) // SECOND, UTC).strftime("%a, %d %b %Y %H:%M:%S +0000")
            self.event(cron_job, "Warning", "MissSchedule", f"Missed scheduled time to start a job: {when}")
            return None
        name = job_name(cron_job, times.recent, self.clock)
        if any(each["name"] == name for each in active) or status.get("lastScheduleTime") == self.clock.timestamp(times.recent):
            return None
        if cron_job["spec"]["concurrencyPolicy"] == "Forbid" and active:
            self.event(cron_job, "Normal", "JobAlreadyActive", FORBIDDEN)
            return None
        return times.recent

    # -- a run -----------------------------------------------------------------------------------------------------------------
    def _start(self, key, cron_job, sync):
        """Delete what is to be replaced, create the Job, then write the status."""
        if sync["replace"]:
            name, *rest = sync["replace"]
            active = [each for each in sync["status"].get("active") or () if each["name"] != name]
            self.write(key, {**sync, "replace": rest, "status": {**sync["status"], "active": active}})
            self._delete(cron_job, name)
            return API_CALL
        if "job" not in sync:
            return self._create(key, cron_job, sync)
        self.write(key, None)
        job, status = self.api.get(JOBS, cron_job["metadata"]["namespace"], sync["job"]["name"]), sync["status"]
        active = [*(status.get("active") or ()), sync["job"]] if job is None or is_controlled_by(job, cron_job) else status.get("active") or []
        self._write_status(cron_job, _status(active, self.clock.timestamp(sync["run"]), status.get("lastSuccessfulTime")))
        self.again(key, API_CALL)
        return None

    def _create(self, key, cron_job, sync):
        job, namespace = new_job(cron_job, sync["run"], self.clock), cron_job["metadata"]["namespace"]
        response = self.api.create(JOBS, namespace, job)
        if response.ok:
            self.event(cron_job, "Normal", "SuccessfulCreate", f"Created job {job['metadata']['name']}")
        if response.ok or response.reason == "AlreadyExists":
            known = response.body if response.ok else self.api.get(JOBS, namespace, job["metadata"]["name"])
            self.write(key, {**sync, "job": reference(known)})
            return API_CALL
        if is_hopeless(response):
            self.write(key, None)
            return None
        self.event(cron_job, "Warning", "FailedCreate", f"Error creating job: {response.body['message']}")
        failures = sync.get("failures", 0) + 1
        self.write(key, {"failures": failures})
        self.again(key, retry_after(failures))
        return None

    def _write_status(self, cron_job, status):
        if status != (cron_job.get("status") or {}):
            self.api.update_status(CRON_JOBS, {**cron_job, "status": status})


def _status(active, scheduled, successful):
    """A status without what is empty."""
    fields = {"active": active, "lastScheduleTime": scheduled, "lastSuccessfulTime": successful}
    return {name: value for name, value in fields.items() if value}
