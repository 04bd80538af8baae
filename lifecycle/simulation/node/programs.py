"""What runs in containers: the images' own servers as pure functions of a container's record, and whether something else, a command, runs instead.

A container's record says with which `argv` and `env` it was made, when it `started`, and which `inputs` reached it since: [[ms, kind, what], ...] with the
kinds "signal", "exec", "answer" and those of shell.session.ACTS. So everything can be computed again at any time, from nothing else.
"""
import re
from typing import NamedTuple

from . import images
from .shell.commands import BUILTINS, PROGRAMS
from .shell.printing import date_text
from .shell.process import Ended, Sleep, Until

KILLED = 137
HARMLESS = ("signal", "answer")          # kinds of inputs that start nothing inside
ALLOCATION_AT = 1000                     # ms after its start at which the teaching image takes its ALLOC_MB
NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{0,3})?", re.ASCII)
PLACES = ("", "/bin", "/usr/bin", "/usr/local/bin")
TERM = 50                                # ms that a server takes to end after SIGTERM unless the catalogue says otherwise
ANY = 0                                  # the port of a server that listens wherever it is asked


class End(NamedTuple):
    """How a process ends: `at` in virtual ms, exit `code`, and the `reason` that the runtime gives."""

    at: int
    code: int
    reason: str


def ended(at, code):
    return End(at, code, "Error" if code else "Completed")


# -- which program ----------------------------------------------------------------------------------------------------------
def own_program(container):
    """Whether the image's own server runs: nothing else was asked for, or the server by its name."""
    argv = container["argv"]
    return not argv or argv[0] in _own(container["image"]) or not _is_usual(argv[0])


def _own(image):
    """The programs of an image's own."""
    entry = images.entry(image)
    return (*entry.get("entrypoint", ())[:1], *entry.get("programs", ()))


def _is_usual(word):
    """Whether the shell has a command of that name."""
    return word in BUILTINS or word.rpartition("/")[2] in PROGRAMS


def is_plain(container):
    """Whether `service_end` says all about a container's end: its own server runs, and nobody did anything inside."""
    return own_program(container) and all(kind in HARMLESS for _, kind, _ in container["inputs"])


def exists(image, argv):
    """Whether a program is in an image, among the commands of its shell if it has one. Of images that are not in the catalogue everything is believed."""
    word, entry = argv[0], images.entry(image)
    where = word.rpartition("/")[0]
    return word in _own(image) or not images.is_known(image) or word in entry.get("clients", ()) or entry["shell"] and where in PLACES and _is_usual(word)


def not_found(word):
    """What runc says about a program that is not there."""
    return f"stat {word}: no such file or directory" if "/" in word else "executable file not found in $PATH"


# -- the images' own servers ------------------------------------------------------------------------------------------------
def service(image, env, argv=()):
    """How an image's own server behaves when it is started with this environment and these words.

    `start` (ms until it listens), `ready` and `sick` (ms until /ready says 200, until /healthz says 500), `ports` (without: it listens wherever it is asked),
    `term` (ms from SIGTERM to the end; None: it ignores it), `exit` (ms after which it ends by itself, with `code`), `memory` (MiB), `later` (MiB more from
    ALLOCATION_AT on), `cpu` (millicores), `lines`, `told` and `farewell` (its log at the start, at SIGTERM, at the end; {time} and {date} are the clock's),
    `page` (what it serves), `paths` (what it knows; without: everything) and `root` (the directory it serves files from).
    """
    entry = images.entry(image)
    if entry.get("teaching"):
        return _teaching(env)
    does = entry["service"]
    if does.get("needs") and not any(env.get(name) for name in does["needs"]):
        return {"ports": [], "exit": 300, "code": 1, "lines": does["complaint"].split("\n")}
    if entry.get("stress"):
        return {**does, "ports": [], "later": _stress(argv), "cpu": _workers(argv) * 1000}
    if entry.get("idle") and len(argv) == 1:
        return {"ports": [], "exit": 30, "code": 0}
    return does


def _workers(argv):
    """The processes that `stress -c` keeps busy."""
    asked = next((argv[place + 1] for place, word in enumerate(argv[:-1]) if word in ("-c", "--cpu")), "0")
    return int(asked) if asked.isdigit() else 0


def _stress(argv):
    """MiB that `stress --vm-bytes` allocates."""
    size = next((argv[place + 1] for place, word in enumerate(argv[:-1]) if word == "--vm-bytes"), "0")
    number = size.rstrip("kKmMgGbB")
    return int(number if number.isdigit() else 0) * {"K": 1, "M": 1024, "G": 1 << 20}.get(size[-1:].upper(), 1) >> 10


def _teaching(env):
    """The service of the teaching image: its environment says it, in seconds; what is no number is as if it were not there."""
    def number(name, default=None):
        return float(env[name]) if NUMBER.fullmatch(env.get(name, "")) else default

    def ms(name, default=None):
        found = number(name)
        return default if found is None else round(found * 1000)
    start = ms("START_DELAY", 0) + 5
    return {"start": start, "ready": start + ms("READY_AFTER", 0), "sick": ms("UNHEALTHY_AFTER"), "ports": [80],
            "term": None if env.get("IGNORE_TERM") else ms("TERM_DELAY", 1), "exit": ms("EXIT_AFTER"), "code": int(number("EXIT_CODE", 0)) & 255,
            "memory": 8, "later": int(number("ALLOC_MB", 0)), "cpu": int(number("CPU_MILLICORES", 1)),
            "lines": ["{time} start pid 1"], "told": "{time} got terminated", "farewell": "{time} bye"}


def service_of(container):
    """The service in a container's record."""
    return service(container["image"], container["env"], container["argv"])


def service_end(container):
    """The End of an image's own server as far as it is known now, or None."""
    does, started = service_of(container), container["started"]
    ends = []
    if does.get("exit") is not None:
        ends.append(ended(started + does["exit"], does.get("code", 0)))
    if _too_big(does, container.get("limit")):
        ends.append(End(started + ALLOCATION_AT, KILLED, "OOMKilled"))
    for at, kind, what in container["inputs"]:
        if kind == "signal" and what == "KILL":
            ends.append(End(at, KILLED, "Error"))
        elif kind == "signal" and does.get("term", TERM) is not None:
            ends.append(End(max(at, started) + does.get("term", TERM), 0, "Completed"))
    return min(ends, default=None)


def _too_big(does, limit):
    return limit is not None and (does.get("memory", 0) + does.get("later", 0)) << 20 > limit


def serve(does, limit=None):
    """The body of a process of the shell's machine in which such a server runs."""
    def body(process):
        def say(line):
            process.out.write(process, _stamped(line, process) + "\n")
        if does.get("term", TERM) is not None:
            process.handlers["TERM"] = "handled by the program"
        for line in does.get("lines", ()):
            say(line)
        for port in does.get("ports", (ANY,)):
            process.box.ports[port] = process
        process.does = does
        if _too_big(does, limit):
            yield Sleep(ALLOCATION_AT)
            process.box.oom_killed = process.pid == 1
            raise Ended(KILLED)
        yield Until(lambda: False, breakable=True) if does.get("exit") is None else Sleep(does["exit"], breakable=True)
        if not process.due_signal():
            return does.get("code", 0)
        if does.get("told"):
            say(does["told"])
        yield Sleep(does.get("term", TERM))
        if does.get("farewell"):
            say(does["farewell"])
        return 0
    return body


def _stamped(line, process):
    """The line with the clock's date and time, and the container's name."""
    if "{" not in line:
        return line
    now = process.machine.epoch + process.clock
    time = f"{date_text(now, '+%H:%M:%S')}.{int(now) % 1000:03d}"
    return line.replace("{time}", time).replace("{date}", date_text(now, "+%Y/%m/%d %H:%M:%S")).replace("{host}", process.box.hostname)


def pages(does):
    """{path: text} of the files that a server comes with."""
    return {f"{does['root']}/index.html": does["page"]} if does.get("root") and "{host}" not in does.get("page", "{host}") else {}


def answer(does, age, port, path, hostname, files=None):
    """What a server of this age (ms) answers to GET: (code, text), or None if nobody listens. `files` are the container's, if something was done inside."""
    if port not in does.get("ports", (port,)) or age < does.get("start", 50):
        return None
    path = path.partition("?")[0]
    if path == "/ready" and "ready" in does:
        return (200, "ok\n") if age >= does["ready"] else (503, "not ready\n")
    if path == "/healthz" and "sick" in does:
        return (500, "sick\n") if does["sick"] is not None and age >= does["sick"] else (200, "ok\n")
    text = files and does.get("root") and files.get(does["root"] + (path if path != "/" else "/index.html"))
    if isinstance(text, str):
        return 200, text
    if path not in does.get("paths", (path,)):
        return 404, "404 Not Found\n"
    return 200, does.get("page", "hello from {host}\n").replace("{host}", hostname)
