"""Which schedules and time zones a CronJob may have (github.com/robfig/cron/v3 ParseStandard, whose words these are)."""

import re
import zoneinfo

from lifecycle.simulation.cron_fields import DESCRIPTORS, FIELDS

DURATION = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)((\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h))*")


class ScheduleError(ValueError):
    """What is wrong with a schedule."""


def schedule_error(text):
    """What is wrong with a schedule, or None."""
    try:
        _check(text)
    except ScheduleError as error:
        return str(error)
    return None


def _check(text):
    zone = re.match(r"(?:TZ|CRON_TZ)=(\S*)\s*", text)
    if zone:
        if zone_error(zone[1]):
            raise ScheduleError(f"provided bad location {zone[1]}: unknown time zone {zone[1]}")
        text = text[zone.end() :]
    if text.startswith("@"):
        return _check_descriptor(text)
    fields = text.split()
    if len(fields) != 5:
        raise ScheduleError(f"expected exactly 5 fields, found {len(fields)}: [{' '.join(fields)}]")
    for field, (low, high, words) in zip(fields, FIELDS):
        for part in filter(None, field.split(",")):
            _check_range(part, low, high, words)


def _check_descriptor(text):
    if text in DESCRIPTORS:
        return
    if not text.startswith("@every "):
        raise ScheduleError(f"unrecognized descriptor: {text}")
    every = text.removeprefix("@every ")
    if not DURATION.fullmatch(every):
        raise ScheduleError(f'failed to parse duration {text}: time: invalid duration "{every}"')


def _check_range(part, low, high, words):
    span, *step = part.split("/")
    first, *last = span.split("-")
    anywhere = first in ("*", "?")
    if not anywhere and len(last) > 1:
        raise ScheduleError(f"too many hyphens: {part}")
    start = low if anywhere else _number(first, words)
    end = high if anywhere else _number(last[0], words) if last else start
    if len(step) > 1:
        raise ScheduleError(f"too many slashes: {part}")
    size = _number(step[0], {}) if step else 1
    if step and not anywhere and not last:
        end = high
    _check_bounds(part, start, end, size, low, high)


def _check_bounds(part, start, end, size, low, high):
    if start < low:
        raise ScheduleError(f"beginning of range ({start}) below minimum ({low}): {part}")
    if end > high:
        raise ScheduleError(f"end of range ({end}) above maximum ({high}): {part}")
    if start > end:
        raise ScheduleError(f"beginning of range ({start}) beyond end of range ({end}): {part}")
    if size == 0:
        raise ScheduleError(f"step of range should be a positive number: {part}")


def _number(text, words):
    if text.lower() in words:
        return words[text.lower()]
    if not re.fullmatch(r"[-+]?[0-9]+", text):
        raise ScheduleError(f'failed to parse int from {text}: strconv.Atoi: parsing "{text}": invalid syntax')
    if int(text) < 0:
        raise ScheduleError(f"negative number ({int(text)}) not allowed: {text}")
    return int(text)


def zone_error(name):
    """What is wrong with the name of a time zone, or None."""
    if not name:
        return "timeZone must be nil or non-empty string"
    if name.lower() == "local":
        return "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return f"unknown time zone {name}"
    return None
