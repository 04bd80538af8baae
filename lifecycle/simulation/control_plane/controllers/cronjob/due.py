"""Which run of a CronJob is due now, and when the next one will be (pkg/controller/cronjob/utils.go). Times are virtual ms."""
from typing import NamedTuple

from ....timings import SECOND
from .schedule import schedule_of

DELTA = 100                    # ms after its time at which a run is looked for, so that clocks that are not quite right do no harm
MANY = 100
NONE_MISSED, FEW_MISSED, MANY_MISSED = range(3)


class NeverDue(Exception):
    """A schedule without two times to come; the words are Kubernetes'."""


class Times(NamedTuple):
    """`earliest`: from when on times count; `recent`: the last one up to now, or None; `missed`: how many were."""

    earliest: int
    recent: int | None
    missed: int


class Timetable:
    """The times of one CronJob, seen from now."""

    def __init__(self, cron_job, clock):
        self.cron_job, self.clock = cron_job, clock
        self.schedule = schedule_of(cron_job["spec"]["schedule"], cron_job["spec"].get("timeZone"))

    def _next(self, at):
        """The first time after `at`, or None."""
        found = self.schedule.next((at + self.clock.epoch) // SECOND)
        return None if found is None else found * SECOND - self.clock.epoch

    def times(self, with_deadline):
        """The Times; with the deadline only those that are not too late. Raises NeverDue."""
        status, spec, now = self.cron_job.get("status") or {}, self.cron_job["spec"], self.clock.now
        earliest = self.clock.parse(status.get("lastScheduleTime") or self.cron_job["metadata"]["creationTimestamp"])
        if with_deadline and spec.get("startingDeadlineSeconds") is not None:
            earliest = max(earliest, now - spec["startingDeadlineSeconds"] * SECOND)
        first = self._next(earliest)
        second = self._next(first) if first is not None else None
        if first is None or now < first:
            return Times(earliest, None, NONE_MISSED)
        if second is None or now < second:
            return Times(earliest, first, NONE_MISSED)
        return self._missed(earliest, first, second - first)

    def _missed(self, earliest, first, between):
        """The last of several missed times; how many there were is guessed from the time between the first two."""
        if between < SECOND:
            raise NeverDue("time difference between two schedules is less than 1 second")
        number = (self.clock.now - first) // between + 1
        time, recent = self._next(first + (number - 2) * between), None
        while time is not None and time <= self.clock.now:
            time, recent = self._next(time), time
        return Times(earliest, recent, MANY_MISSED if number > MANY else FEW_MISSED)

    def next_in(self):
        """Virtual ms until the next run is to be looked for; None if the schedule is never due."""
        try:
            times = self.times(False)
        except NeverDue:
            times = Times(self.clock.now, self.clock.now, NONE_MISSED)
        start = times.recent if times.recent is not None else times.earliest if times.missed == NONE_MISSED else self.clock.now
        time = self._next(start)
        return None if time is None else max(time + DELTA - self.clock.now, 0)
