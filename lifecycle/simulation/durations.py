"""How Kubernetes writes how long something took (apimachinery/pkg/util/duration)."""

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR
YEAR = 365 * DAY


def human_duration(ms):
    """"5s", "2m10s", "25m", "3h20m", "2d4h": at most two units, the second only while it matters. `ms` are milliseconds."""
    seconds = int(ms / 1000)
    if seconds < 0:
        return "0s" if seconds == -1 else "<invalid>"
    if seconds < 2 * MINUTE:
        return f"{seconds}s"
    if seconds < 3 * HOUR:
        return _two_units(seconds, MINUTE, "m", 1, "s", seconds < 10 * MINUTE)
    if seconds < 2 * DAY:
        return _two_units(seconds, HOUR, "h", MINUTE, "m", seconds < 8 * HOUR)
    if seconds < 2 * YEAR:
        return _two_units(seconds, DAY, "d", HOUR, "h", seconds < 8 * DAY)
    return _two_units(seconds, YEAR, "y", DAY, "d", seconds < 8 * YEAR)


def _two_units(seconds, large, large_name, small, small_name, precise):
    rest = seconds % large // small
    return f"{seconds // large}{large_name}{rest}{small_name}" if precise and rest else f"{seconds // large}{large_name}"


def age(timestamp, clock):
    """How long ago an RFC 3339 timestamp was, or "<unknown>" if there is none."""
    return human_duration(clock.since(timestamp)) if timestamp else "<unknown>"


def go_duration(ms):
    """Go's Duration.String(): "1m30s", "1.5s", "24h0m0s", "500ms", "0s"."""
    if abs(ms) < 1000:
        return f"{ms:g}ms" if ms else "0s"
    seconds, minutes, hours = ms / 1000, 0, 0
    if seconds >= MINUTE:
        minutes, seconds = divmod(seconds, MINUTE)
    if minutes >= MINUTE:
        hours, minutes = divmod(minutes, MINUTE)
        return f"{hours:.0f}h{minutes:.0f}m{seconds:g}s"
    return f"{minutes:.0f}m{seconds:g}s" if minutes else f"{seconds:g}s"
