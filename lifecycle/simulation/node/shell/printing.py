"""printf formats, backslash escapes, dates."""
import re
from datetime import UTC, datetime

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "a": "\a", "b": "\b", "0": "\0", '"': '"', "e": "\x1b"}
DIRECTIVE = re.compile(r"%([-+ 0#]*\d{0,3}(?:\.\d{1,3})?)([diouxXscfgeb%])")


def unescaped(text):
    """The text with \\n, \\t ... replaced."""
    return re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], found[0]), text)


def formatted(template, values):
    """What printf prints; the template is used again while values are left."""
    text, rest = "", list(values)
    while True:
        before = len(rest)
        text += DIRECTIVE.sub(lambda found: _directive(found, rest), unescaped(template))
        if not rest or len(rest) == before:
            return text


def _directive(found, rest):
    flags, kind = found.groups()
    if kind == "%":
        return "%"
    value = rest.pop(0) if rest else ""
    if kind in "diouxX":
        return f"%{flags}{'d' if kind in 'iu' else kind}" % _number(value)
    if kind in "fge":
        return f"%{flags}{kind}" % float(value or 0)
    return f"%{flags}s" % (value[:1] if kind == "c" else unescaped(value) if kind == "b" else value)


def _number(text):
    try:
        return int(text or "0", 0)
    except ValueError:
        return 0


def date_text(unix_ms, template):
    """A UTC date; `template` as date(1) takes it, or None for its usual form."""
    moment = datetime.fromtimestamp(unix_ms // 1000, UTC)
    if template is None:
        return moment.strftime("%a %b %e %H:%M:%S UTC %Y")
    text = template.replace("%s", str(int(unix_ms) // 1000)).replace("%N", f"{int(unix_ms) % 1000 * 1_000_000:09d}").replace("%Z", "UTC").replace("%z", "+0000")
    return moment.strftime(re.sub(r"%[-_0^#]*\d+", "%", text[:200]))
