"""Programs about processes, time, the machine and the network."""
import re

from .builtins import plain
from .file_programs import options
from .limits import COUNT
from .printing import date_text
from .process import Sleep, Until

UNITS = {"s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "": 1000}
FOREVER = 10**12
URL = re.compile(r"(?:https?://)?(\[[^\]]*\]|[^:/]*)(?::(\d+))?(/.*)?")


def milliseconds(words):
    """What `sleep 1 2m` waits."""
    total = 0
    for word in words:
        if word in ("infinity", "inf"):
            return FOREVER
        number, unit = re.fullmatch(r"([\d.]+)([smhd]?)", word).groups()
        total += float(number) * UNITS[unit]
    return round(total)


def sleep(shell, args):
    try:
        wait = milliseconds(args)
    except (AttributeError, ValueError):
        shell.err.write(shell.process, f"sleep: invalid number '{args[0]}'\n")
        return 1
    if wait >= FOREVER:
        yield Until(lambda: False)
    yield Sleep(wait)


def date(shell, args):
    shell.machine.activity += 1
    template = next((word[1:] for word in args if word.startswith("+")), None)
    shell.out.write(shell.process, date_text(shell.machine.epoch + shell.process.clock, template) + "\n")


def shell_program(shell, args):
    """sh, ash, bash."""
    flags, words = options(args, "c") if args[:1] != ["-c"] else ({"c": args[1]}, args[2:])
    if "c" in flags or words:
        text = flags["c"] if "c" in flags else shell.files.read(words[0], shell.cwd)
        child = shell.start_script(text, words or ["sh"], ["sh", *args])
    else:
        child = shell.start_reader(["sh", *args])
    yield from shell.wait_for(child)
    return shell.status


def busybox(shell, args):
    yield from shell.call(args, ())
    return shell.status


def sequence(shell, args):
    numbers = [int(word) for word in args if word.lstrip("-").isdigit()]
    first, step, last = (1, 1, *numbers) if len(numbers) == 1 else (numbers[0], 1, numbers[1]) if len(numbers) == 2 else numbers
    numbers = range(first, last + (1 if step > 0 else -1), step)[:COUNT]
    shell.out.write(shell.process, "".join(f"{number}\n" for number in numbers))


def environment(shell, args):
    shell.out.write(shell.process, "".join(f"{name}={value}\n" for name, value in shell.environment().items()))


def print_variable(shell, args):
    if not args:
        return environment(shell, args)
    value = shell.environment().get(args[0])
    shell.out.write(shell.process, "" if value is None else value + "\n")
    return 0 if value is not None else 1


def processes(shell, args):
    shell.out.write(shell.process, "PID   USER     COMMAND\n")
    for process in shell.box.processes.values():
        if process.code is None:
            shell.out.write(shell.process, f"{process.pid:>5} root     {' '.join(process.argv)}\n")


def time_out(shell, args):
    flags, words = options(args, "ks")
    child = shell.start_command(words[1:])
    ends = shell.process.clock + milliseconds(words[:1])
    while child.code is None and shell.process.clock < ends:
        yield Sleep(min(100, ends - shell.process.clock))
    if child.code is None:
        child.signal("TERM", shell.process.clock, inside=True)
        return 124 if "s" not in flags else 137
    return child.code


def url_parts(url):
    """(host, port, path)"""
    host, port, path = URL.fullmatch(url).groups()
    return host, int(port or (443 if url.startswith("https") else 80)), path or "/"


def fetch(shell, words):
    """GET the last word: ((host, port, path), HTTP status or None, body or problem)."""
    url = url_parts([word for word in words if not word.startswith("--")][-1])
    yield Sleep(2)
    return url, *shell.machine.network(shell.box, "http", *url, shell.process.clock)


def wget(shell, args):
    flags, words = options(args, "OTtU")
    (_, _, path), code, text = yield from fetch(shell, words)
    if code is None:
        shell.err.write(shell.process, f"wget: {text}\n")
        return 1
    if code >= 400:
        shell.err.write(shell.process, f"wget: server returned error: HTTP/1.1 {code} {text}\n")
        return 1
    target = flags.get("O", "index.html" if path.endswith("/") else path.rpartition("/")[2])
    if target == "-":
        shell.out.write(shell.process, text)
    elif target != "/dev/null":
        shell.files.write(target, text, shell.cwd)


def curl(shell, args):
    flags, words = options(args, "omwHXd")
    (host, port, _), code, text = yield from fetch(shell, words)
    if code is None:
        unknown = "bad address" in text
        problem = f"(6) Could not resolve host: {host}" if unknown else f"(7) Failed to connect to {host} port {port}: Connection refused"
        shell.err.write(shell.process, f"curl: {problem}\n")
        return 6 if unknown else 7
    if code >= 400 and "f" in flags:
        shell.err.write(shell.process, f"curl: (22) The requested URL returned error: {code}\n")
        return 22
    if "o" not in flags:
        shell.out.write(shell.process, text)
    if "w" in flags:
        shell.out.write(shell.process, flags["w"].replace("%{http_code}", str(code)).replace("\\n", "\n"))


def lookup(shell, args):
    """nslookup"""
    name = [word for word in args if not word.startswith("-")][0]
    yield Sleep(5)
    code, text = shell.machine.network(shell.box, "dns", name, 53, "", shell.process.clock)
    server = "Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n"
    if code is None:
        shell.out.write(shell.process, f"{server}** server can't find {name}: NXDOMAIN\n\n")
        return 1
    shell.out.write(shell.process, server + "".join(f"Name:\t{name}\nAddress: {address}\n" for address in text.split()) + "\n")


def netcat(shell, args):
    """nc -z HOST PORT, and nc -l that waits for ever."""
    flags, words = options(args, "wplse")
    if {"l"} & set(flags):
        yield Until(lambda: False)
    yield Sleep(2)
    code, _ = shell.machine.network(shell.box, "tcp", words[0], int(words[1]), "", shell.process.clock)
    return 0 if code else 1


def printing(text):
    """A program that prints a text made of the shell's surroundings."""
    return plain(lambda shell, args: shell.out.write(shell.process, text(shell, args) + "\n"))


def host_name(shell, args):
    """The container's name, with -i its address, which the kubelet has written into /etc/hosts."""
    return shell.files.read("/etc/hosts").split()[-2] if "-i" in args else shell.box.hostname


SYSTEM_PROGRAMS = {
    "sleep": sleep, "date": plain(date), "sh": shell_program, "ash": shell_program, "bash": shell_program, "dash": shell_program, "busybox": busybox,
    "seq": plain(sequence), "env": plain(environment), "printenv": plain(print_variable), "ps": plain(processes), "timeout": time_out, "wget": wget,
    "curl": curl, "nslookup": lookup, "nc": netcat, "hostname": printing(host_name),
    "whoami": printing(lambda shell, args: "root"), "uname": printing(lambda shell, args: "Linux"),
    "id": printing(lambda shell, args: "0" if "-u" in args else "uid=0(root) gid=0(root) groups=0(root)"), "nproc": printing(lambda shell, args: "2"),
    "mktemp": printing(lambda shell, args: "/tmp/tmp.aaaaaa"), "arch": printing(lambda shell, args: "x86_64")}
