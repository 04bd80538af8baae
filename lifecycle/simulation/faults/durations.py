"""Times as people write them."""
import re

PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")
UNITS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}


def milliseconds(text):
    """"90s", "1m30s", "0.5s" or "12" (seconds) as ms; None if it is no time."""
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return round(float(text) * 1000)
    if not re.fullmatch(rf"(?:{PART.pattern})+", text):
        return None
    return round(sum(float(number) * UNITS[unit] for number, unit in PART.findall(text)))
