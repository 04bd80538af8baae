"""The Job controller's loop: create or delete Pods, name those that have ended, let go of them, count them, say how the Job ended."""
from ....component import Component
from ....objects import controller_of, is_deleting, name_of, split_key
from ....resources import resource
from ....timings import API_CALL, MINUTE, SECOND
from ..adoption import is_controlled_by, next_claim
from ..retries import is_hopeless
from ..slow_start import ANSWER, BETWEEN, created_one, first_batch
from . import backoff, judging, tracking, wakes
from .indexes import counts_per_index
from .managing import managed, new_pod
from .tally import tally_of
from .tracking_finalizer import FINALIZER, REMOVAL, is_tracked
from .wakes import BATCH, JOBS, ORPHAN

PATCH, DELETE = "patch", "delete"
SUSPENDED = {True: ("Suspended", "True", "JobSuspended", "Job suspended"), False: ("Suspended", "False", "JobResumed", "Job resumed")}


class Job(Component):
    """A sync goes over several work items; what is left of it is kept on disk under the Job's name:

    what slow_start.py keeps of the Pods to create (each an index, or None); `delete`: [[PATCH or DELETE, name]]: Pods to let go of and to delete; `ending`: the
    verdict on the Job, or None; `waits`: ms to wait before Pods are created; `release`: names of Pods to let go of, once the status names them; `wrote`:
    something was written; `error`: something was refused. Between syncs only `failures`, syncs that failed in a row, and `backoff`, a record of backoff.py.
    """

    name = "job"

    def watched(self):
        return {JOBS: lambda change: wakes.of_job(self, change), "pods": lambda change: wakes.of_pod(self, change)}

    def resync(self):
        """All Jobs, and the Pods that lost theirs while nobody looked."""
        yield from super().resync()
        yield from (ORPHAN + name_of(pod) for pod in self.api.list("pods") if is_tracked(pod) and wakes.job_of(self.api, pod) is None)

    def reconcile(self, key):
        if key.startswith(ORPHAN):
            return self._let_orphan_go(*split_key(key.removeprefix(ORPHAN)))
        job = self.api.get(JOBS, *split_key(key))
        if job is None or judging.is_finished(job) or not wakes.is_ours(job):
            if self.read(key):
                self.write(key, None)
            return None
        sync = self.read(key) or {}
        return self._go_on(key, job, sync) if "ending" in sync else self._begin(key, job, sync)

    def _let_orphan_go(self, namespace, name):
        """Take the finalizer from a Pod that no Job will count."""
        pod = self.api.get("pods", namespace, name)
        owner = controller_of(pod) if pod is not None else None
        if pod is not None and is_tracked(pod) and (owner is None or owner["kind"] == "Job") and wakes.job_of(self.api, pod) is None:
            self.api.patch("pods", namespace, name, REMOVAL)

    def _pods(self, job):
        return [pod for pod in self.indexes.find("pods by owner", job["metadata"]["uid"]).values() if is_controlled_by(pod, job)]

    # -- the beginning of a sync -----------------------------------------------------------------------------------------------
    def _begin(self, key, job, sync):
        """Claim one Pod; if there is none to claim, decide what this sync is to do."""
        pods = self._pods(job)
        if not is_deleting(job) and next_claim(self, "pods", pods, JOBS, job, finalizer=FINALIZER):
            return API_CALL
        tally = tally_of(job, pods, self.clock)
        ending = judging.verdict(job, tally, self.clock)
        create, victims, wait = [], tally.active if ending else [], 0
        if not ending and not is_deleting(job):
            create, victims, wait = managed(job, tally, self._backoff(sync, tally), self.clock)
        acts = [[act, pod["metadata"]["name"]] for pod in victims for act in (PATCH, DELETE) if act == DELETE or not ending and is_tracked(pod)]
        sync = {**sync, **first_batch(create), "delete": acts, "ending": ending and list(ending), "waits": wait}
        if create or victims:
            self.say(self.actor, "ReconcileJob", None, resource(JOBS).key(*split_key(key)), {
                "active": len(tally.active), "succeeded": tally.succeeded, "failed": tally.failed, "create": len(create), "delete": len(victims)})
        return self._go_on(key, job, sync)

    def _backoff(self, sync, tally):
        return backoff.after(sync.get("backoff"), tally.new_succeeded, tally.new_failed, self.clock)

    def _go_on(self, key, job, sync):
        """The next write of a sync."""
        if sync["create"]:
            return self._create(key, job, sync)
        if sync["delete"]:
            return self._delete(key, job, sync)
        if "release" not in sync:
            return self._name_ended(key, job, sync)
        if sync["release"]:
            return self._release(key, job, sync)
        return self._count(key, job, sync)

    # -- Pods ------------------------------------------------------------------------------------------------------------------
    def _create(self, key, job, sync):
        """Create the next Pod of a batch."""
        delayed = tally_of(job, self._pods(job), self.clock).delayed if counts_per_index(job) else {}
        response = self.api.create("pods", job["metadata"]["namespace"], new_pod(job, sync["create"][0], delayed))
        if response.ok:
            self.event(job, "Normal", "SuccessfulCreate", f"Created pod: {response.body['metadata']['name']}")
        else:
            sync = self._refused(job, sync, response, "FailedCreate", "Error creating")
        sync, delay = created_one({**sync, "wrote": True}, not response.ok)
        self.write(key, sync)
        return delay

    def _delete(self, key, job, sync):
        """Let go of a Pod or delete it; what is gone already is fine."""
        (act, name), *rest = sync["delete"]
        namespace = job["metadata"]["namespace"]
        response = self.api.delete("pods", namespace, name) if act == DELETE else self.api.patch("pods", namespace, name, REMOVAL)
        if response.ok and act == DELETE:
            self.event(job, "Normal", "SuccessfulDelete", f"Deleted pod: {name}")
        elif not response.ok and response.reason != "NotFound":
            # Pods that were to go are still there, so the Job cannot have come to its end.
            sync = {**self._refused(job, sync, response, "FailedDelete", "Error deleting"), "ending": None}
        self.write(key, {**sync, "delete": rest, "wrote": True})
        return BETWEEN if rest else ANSWER

    def _refused(self, job, sync, response, reason, words):
        if is_hopeless(response):
            return sync
        self.event(job, "Warning", reason, f"{words}: {response.body['message']}")
        return {**sync, "error": True}

    def _release(self, key, job, sync):
        """Let go of a Pod that the status names."""
        name, *rest = sync["release"]
        response = self.api.patch("pods", job["metadata"]["namespace"], name, REMOVAL)
        error = {} if response.ok or response.reason == "NotFound" else {"error": True}
        self.write(key, {**sync, "release": rest, "wrote": True, **error})
        return BETWEEN if rest else ANSWER

    # -- the status ------------------------------------------------------------------------------------------------------------
    def _name_ended(self, key, job, sync):
        """Write the present counts, and name the Pods that have ended, before any of them can vanish."""
        tally = tally_of(job, self._pods(job), self.clock)
        active = 0 if sync["waits"] else len(tally.active)          # while it waits to create Pods, the real controller counts none either
        ending, events = sync["ending"], []
        if not ending and judging.is_complete(job, tally, active):
            ending = [judging.SUCCESS, *judging.REACHED]
        status, release = tracking.tracked(job, tally, ending)
        status |= {"active": active, "ready": tally.ready, "terminating": tally.terminating}
        if "startTime" not in status and not judging.is_suspended(job):
            status["startTime"] = self.clock.timestamp()
        if not ending and not is_deleting(job):
            status, events = self._suspended_or_resumed(job, status)
        if ending:
            status["conditions"] = tracking.with_condition(status.get("conditions") or [], self.clock.timestamp(), ending[0], "True", *ending[1:])
        sync = {**sync, "ending": ending, "release": release}
        record = self._backoff(sync, tally)
        if not self._write_status(job, status):
            return self._go_on(key, job, sync)
        for reason, message in events:
            self.event(job, "Normal", reason, message)
        sync = {name: value for name, value in sync.items() if name != "backoff"}
        self.write(key, {**sync, "wrote": True, **({"backoff": record} if record else {})})
        return API_CALL

    def _suspended_or_resumed(self, job, status):
        """(status, [(reason, message)] of Events): a Job that is suspended has no start, one that goes on starts anew."""
        suspended = judging.is_suspended(job)
        before = status.get("conditions") or []
        conditions = tracking.with_condition(before, self.clock.timestamp(), *SUSPENDED[suspended])
        if conditions is before:
            return status, []
        word = "Suspended" if suspended else "Resumed"
        return {**status, "conditions": conditions, "startTime": None if suspended else self.clock.timestamp()}, [(word, f"Job {word.lower()}")]

    def _write_status(self, job, status):
        """Write a status if it says something new; whether it did."""
        status = tracking.job_status(status)
        return status != job.get("status") and self.api.update_status(JOBS, {**job, "status": status}).ok

    def _count(self, key, job, sync):
        """Count the Pods that were let go of; if none is left to count, the Job may be over."""
        status, ending = tracking.counted(job.get("status") or {}, self._pods(job)), sync["ending"]
        done = tracking.finished_status(status, ending, self.clock.timestamp()) if ending else None
        wrote = self._write_status(job, done or status)
        if wrote and done:
            self._tell_end(job, status, *ending)
        return self._end(key, job, {**sync, "wrote": sync.get("wrote", False) or wrote})

    def _tell_end(self, job, status, kind, reason, message):
        if kind == judging.FAILURE:
            return self.event(job, "Warning", reason, message)
        if status.get("succeeded", 0) > job["spec"].get("completions", status.get("succeeded", 0)):
            self.event(job, "Warning", "TooManySucceededPods", "Too many succeeded pods running after completion count reached")
        return self.event(job, "Normal", "Completed", "Job completed")

    def _end(self, key, job, sync):
        """Look again a batch later if something was written, as the Job's own change asks for; else when time alone will change something."""
        failures = sync.get("failures", 0) + 1 if sync.get("error") else 0
        kept = {**({"failures": failures} if failures else {}), **({"backoff": sync["backoff"]} if "backoff" in sync else {})}
        if kept or self.read(key):
            self.write(key, kept or None)
        deadline = judging.deadline_in(job, self.clock)
        later = [max(sync["waits"], BATCH) if sync["waits"] else None, deadline if deadline and deadline > 0 else None,
                 _retry_after(failures) if failures else BATCH if sync["wrote"] else None]
        later = [delay for delay in later if delay is not None]
        if later:
            self.again(key, min(later))
        return None


def _retry_after(failures):
    """Virtual ms after so many syncs that failed in a row: 1, 2, 4, ... up to 60 seconds, slower than other controllers."""
    return min(SECOND << min(failures - 1, 6), MINUTE)
