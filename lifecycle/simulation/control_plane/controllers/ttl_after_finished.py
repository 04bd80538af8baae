"""Deletes Jobs some time after they have finished (pkg/controller/ttlafterfinished)."""
from ...component import Component
from ...objects import condition, is_deleting, name_of, split_key
from ...timings import SECOND

JOBS = "jobs.batch"


class TTLAfterFinished(Component):
    """Work keys are those Jobs with `ttlSecondsAfterFinished` that have finished."""

    name = "ttl-after-finished"

    def watched(self):
        return {JOBS: lambda change: (name_of(change.object),) if change.type != "DELETED" and expires(change.object, self.clock) is not None else ()}

    def reconcile(self, key):
        """Wait until the Job expires; then look at it once more and delete it with its Pods."""
        job = self.api.get(JOBS, *split_key(key))
        due = expires(job, self.clock) if job is not None and not is_deleting(job) else None
        if due is None:
            return None
        if due > self.clock.now:
            self.again(key, due - self.clock.now)
            return None
        self.api.fetch(JOBS, *split_key(key))
        self.api.delete(JOBS, *split_key(key), policy="Foreground", uid=job["metadata"]["uid"])
        return None


def expires(job, clock):
    """When (virtual ms) a Job is to go, or None if it is not finished or may stay."""
    ttl, ends = job["spec"].get("ttlSecondsAfterFinished"), [condition(job, kind) for kind in ("Complete", "Failed")]
    end = next((each for each in ends if each is not None and each["status"] == "True"), None)
    return None if ttl is None or end is None else clock.parse(end["lastTransitionTime"]) + ttl * SECOND
