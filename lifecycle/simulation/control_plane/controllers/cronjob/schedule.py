"""When a cron schedule is due (github.com/robfig/cron/v3 spec.go, parser.go, whose readings of *, ?, steps and daylight saving time count)."""
import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from ....cron_fields import DESCRIPTORS, FIELDS

MINUTE, HOUR = 60, 3600
YEARS_AHEAD = 5
UNITS = {"h": 3600, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}


class Every(NamedTuple):
    """`@every 90s`: so many seconds after the last time, whenever that was."""

    seconds: int

    def next(self, at):
        return int(at) + self.seconds


class Schedule(NamedTuple):
    """Sets of minutes, hours, days of the month, months and days of the week; `any_day`: one of the two kinds of days is a plain *, so both must match."""

    minutes: frozenset
    hours: frozenset
    days: frozenset
    months: frozenset
    weekdays: frozenset
    any_day: bool
    zone: object

    def next(self, at):
        """The first due time after `at`, both in seconds since 1970; None if there is none in the next years."""
        at = int(at) // MINUTE * MINUTE + MINUTE
        last = self._local(at).year + YEARS_AHEAD
        while (local := self._local(at)).year <= last:
            if local.month not in self.months:
                at = self._midnight(local.year + local.month // 12, local.month % 12 + 1, 1)
            elif not self._is_day(local):
                tomorrow = local.date() + timedelta(days=1)
                at = self._midnight(tomorrow.year, tomorrow.month, tomorrow.day)
            elif local.hour not in self.hours:
                at += HOUR - local.minute * MINUTE
            elif local.minute not in self.minutes:
                at += MINUTE
            else:
                return at
        return None

    def _local(self, at):
        return datetime.fromtimestamp(at, self.zone)

    def _midnight(self, year, month, day):
        return int(datetime(year, month, day, tzinfo=self.zone).timestamp())

    def _is_day(self, local):
        of_month, of_week = local.day in self.days, local.isoweekday() % 7 in self.weekdays
        return of_month and of_week if self.any_day else of_month or of_week


@lru_cache(256)
def schedule_of(text, zone=None):
    """The schedule of a CronJob's `schedule` and `timeZone`, which have passed validation; UTC without a zone."""
    prefix = re.match(r"(?:TZ|CRON_TZ)=(\S*)\s*", text)
    if prefix:
        text, zone = text[prefix.end():], prefix[1]
    text = text.strip()
    if text.startswith("@every "):
        seconds = sum(float(number) * UNITS[unit] for number, unit in re.findall(r"(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)", text))
        return Every(max(int(seconds), 1))
    fields = DESCRIPTORS.get(text, text).split()
    minutes, hours, days, months, weekdays = (_field(field, *limits) for field, limits in zip(fields, FIELDS, strict=True))
    any_day = any(_is_star(field) for field in (fields[2], fields[4]))
    return Schedule(minutes, hours, days, months, weekdays, any_day, ZoneInfo(zone) if zone else UTC)


def _is_star(field):
    """Whether a part of a field is a * or ? without a step above one."""
    return any(part.split("/")[0] in ("*", "?") and part.partition("/")[2] in ("", "1") for part in field.split(","))


def _field(field, low, high, names):
    return frozenset(value for part in field.split(",") if part for value in _range(part, low, high, names))


def _range(part, low, high, names):
    span, _, step = part.partition("/")
    first, _, last = span.partition("-")
    if first in ("*", "?"):
        start, end = low, high
    else:
        start = _number(first, names)
        end = _number(last, names) if last else high if step else start
    return range(start, end + 1, int(step or 1))


def _number(text, names):
    return names[text.lower()] if text.lower() in names else int(text)
