"""Small texts in the forms that Go programs print."""


def go_duration(ms):
    """time.Duration's String: "10s", "1m20s", "5m0s", "34ms", "1.5s"."""
    if ms < 1000:
        return f"{ms}ms"
    seconds, rest = divmod(ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{seconds}.{rest:03d}".rstrip("0").rstrip(".") + "s"
    if hours:
        return f"{hours}h{minutes}m{text}"
    return f"{minutes}m{text}" if minutes else text


def quoted(text):
    """%q of a plain text."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
