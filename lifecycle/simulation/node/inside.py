"""The inside of a Pod's containers: the shell's machine, built from the runtime's record whenever someone asks.

A machine is a cache. It is told what happened (starts, signals, commands from outside) in order of time; if it has run ahead of something new,
it is built again from the beginning.
"""
from math import ceil

from . import images, programs, service_links
from .programs import End, ended
from .shell import COMMAND_TIME, Input, Machine, Terminal, program
from .shell.session import ACTS

HOSTS = (("127.0.0.1", "localhost"), ("::1", "localhost ip6-localhost ip6-loopback"), ("fe00::0", "ip6-localnet"), ("fe00::0", "ip6-mcastprefix"),
         ("fe00::1", "ip6-allnodes"), ("fe00::2", "ip6-allrouters"))
LAST_LINES, LAST_BYTES, MOST_BYTES = 80, 2048, 4096      # of a log, and of a termination message (pkg/kubelet/kuberuntime/helpers.go)
LAUNCH = 20                      # ms until a program that was started does its first thing
BEFORE = 0.001                   # ms by which what comes from outside precedes what programs do at the same time
BASE_ENV = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
TOKEN_PATH = "/var/run/secrets/kubernetes.io/serviceaccount"
TOKEN_TEXTS = {"/token": "eyJhbGciOiJSUzI1NiJ9", "/ca.crt": "-----BEGIN CERTIFICATE-----\n", "/namespace": "default"}


class Inside:
    """Machines by Pod uid. `epoch` is the clock's; `network(pod, machine, box, query)` answers what a program asks: (code, text);
    `learnt(pod, container id, input)` adds an input to a container's record and returns the Pod's new record.
    """

    def __init__(self, epoch, network, learnt):
        self.epoch, self.network, self.learnt = epoch, network, learnt
        self._built = {}

    def forget(self, uid):
        self._built.pop(uid, None)

    def end(self, pod, record, container, now):
        """(End or None, ms at which to ask again or None) of a running container."""
        machine = self._machine(pod, record, now)
        process = machine.boxes[container["id"]].first
        outcome = self._outcome(pod, machine, process)
        if outcome is None:
            return None, None
        at, code = outcome
        if code is None:
            return None, at
        return (End(at, code, "OOMKilled") if process.box.oom_killed else ended(at, code)), None

    def lines(self, pod, record, container, now):
        """[(ms, stream, line)] of a container's log up to now; nothing of one in which no process ever began."""
        box = self._machine(pod, record, now).boxes.get(container["id"])
        return [line for line in box.lines if line[0] <= now] if box else []

    def session(self, pod, record, container, id, now):
        """(chunks [(ms, channel, text)] so far, (ms, exit code) of the end or None, the ms of the next change or None) of somebody's session in a container."""
        machine = self._machine(pod, record, now)
        session = machine.boxes[container["id"]].sessions[id]
        change = machine.next_change(session.heard())
        return session.chunks, session.end(), None if change is None else ceil(change)

    def lines_from(self, pod, record, container, number, now):
        """([(ms, stream, line)] of a container's log from the line `number` on, the number of the next line, the ms of the next change or None)."""
        machine = self._machine(pod, record, now)
        box = machine.boxes.get(container["id"])
        if box is None:                  # no process ever began
            return [], number, None
        change = machine.next_change(set(box.processes.values()))
        lines = box.lines[max(number - box.dropped, 0):]
        return lines, box.dropped + len(box.lines), None if change is None else ceil(change)

    def execute(self, pod, record, container, argv, now, note, recorded):
        """Run a command from outside, from now on: (ms at which it ends or None, exit code or None, output), as far as can be foreseen.

        `note()` puts it into the container's record: if it is to be `recorded` in any case, or if it changes something.
        """
        machine = self._machine(pod, record, now)
        box, writes = machine.boxes[container["id"]], machine.writes
        first = box.next_pid
        process, output = machine.execute(box, argv, _body(box, argv), now + LAUNCH, visitor=True)
        outcome = self._outcome(pod, machine, process)
        noted = recorded or machine.writes != writes or outcome is None
        if noted:
            note()
        if noted or process.code is None or not box.without_visitors(first):
            self._built.pop(pod.uid)
        return (outcome[0], outcome[1], output.text) if outcome and outcome[1] is not None else (None, None, output.text)

    def stable_until(self, pod, record, now):
        """The ms until which nothing can change in the Pod's containers by itself, or None: nothing will."""
        change = self._machine(pod, record, now).next_change()
        return None if change is None else ceil(change)

    def usage(self, pod, record, now):
        """{"volumes": {name: bytes}, "containers": {name: bytes}} that the Pod's programs have written."""
        machine = self._machine(pod, record, now)
        names = {identity: container["name"] for identity, container in record["containers"].items() if container["state"] == "running"}
        return {"volumes": {name: machine.size(store) for name, store in machine.stores.items()},
                "containers": {name: machine.size(machine.boxes[identity].files.root) for identity, name in names.items()}}

    def contents(self, pod, record, volume, now):
        """{path: text} of a shared volume, None if no program ran that could have changed it."""
        containers = (*record["history"].values(), *record["containers"].values())
        users = [one for one in containers if any(what[0] == volume for what in one.get("volumes", {}).values())]
        if all(programs.is_plain(one) for one in users):
            return None
        return {path: text for path, text in self._machine(pod, record, now).stores.get(volume, {}).items() if isinstance(text, str)}

    def last_words(self, pod, record, container, end):
        """{"message": text} that a container left in its termination log, or, if its policy says so, in its log when it failed; {} if there is none."""
        machine = self._machine(pod, record, end.at)
        box, (path, policy) = machine.boxes[container["id"]], container.get("words", ("/dev/termination-log", "File"))
        text = box.files.get(path)
        if not isinstance(text, str) or not text:
            lines = [line for _, _, line in box.lines] if policy == "FallbackToLogsOnError" and end.code else []
            text = "".join(line + "\n" for line in lines[-LAST_LINES:])[-LAST_BYTES:]
        return {"message": text[:MOST_BYTES]} if text else {}

    def box(self, pod, record, container, now):
        """The container's Box as it is now."""
        return self._machine(pod, record, now).boxes[container["id"]]

    def _outcome(self, pod, machine, process):
        outcome = machine.outcome(process)
        self._learn(pod, machine)
        return outcome

    def _learn(self, pod, machine):
        """What the programs were answered from outside becomes part of the record."""
        for identity, at, said in machine.asked:
            machine.record = self.learnt(pod, identity, [int(at), "answer", said])
        if machine.asked:
            machine.asked = []
            self._built[pod.uid] = machine, tuple(_events(machine.record))

    # -- building -----------------------------------------------------------------------------------------------------------
    def _machine(self, pod, record, now):
        """The machine, having been told everything up to now."""
        events = _events(record)
        machine, told = self._built.get(pod.uid, (None, ()))
        new = events[len(told):]
        if machine is None or machine.now > now or tuple(events[:len(told)]) != told or new and new[0][0] <= machine.now:
            machine, new = Machine(self.epoch, None), events
            machine.stores.update({volume: dict(texts) for volume, texts in record["contents"].items()})
            machine.network, machine.asked = lambda box, *query: self.network(pod, machine, box, query), []
        machine.record = record
        for event in new:
            machine.run(event[0] if event[3] in ACTS else event[0] - BEFORE)           # what somebody types comes after what he has seen
            self._tell(pod, record, machine, event)
        self._built[pod.uid] = machine, tuple(events)
        machine.run(now)
        self._learn(pod, machine)
        return machine

    def _tell(self, pod, record, machine, event):
        at, _, identity, kind, number = event
        container = record["containers"].get(identity) or record["history"][identity]
        if kind == "start":
            self._start(pod, record, machine, container, at)
            return
        box, what = machine.boxes[identity], container["inputs"][number][2]
        if kind == "signal" and box.first:
            box.first.signal(what, at)
        elif kind == "exec":
            machine.execute(box, what, _body(box, what), at + LAUNCH)
        elif kind in ACTS:
            ACTS[kind](box, what, at + LAUNCH if kind == "session" else at, lambda argv: _body(box, argv))
            machine.stirred(at)
        elif kind == "answer":
            machine.activity += 1
            machine.changes += 1

    def _start(self, pod, record, machine, container, at):
        env = {**BASE_ENV, "HOSTNAME": pod.name, **service_links.variables(container.get("links", {})), **container["env"], "HOME": "/root"}
        entry = images.entry(container["image"])
        mounts = {mount: tuple(what) for mount, what in container.get("volumes", {}).items()}
        mounts.setdefault(TOKEN_PATH, ("token", {**TOKEN_TEXTS, "/namespace": pod.namespace}, True))
        box = machine.add(container["id"], env, pod.name, mounts, entry["shell"], container.get("shares_pids", False))
        box.identity = container["id"]
        does = programs.service_of(container)
        box.files.root.update({**system_files(pod, record["sandbox"]), **programs.pages(does)})
        own = programs.serve(does, container.get("limit"))
        box.clients = entry.get("clients", ())
        for word in (*entry.get("entrypoint", ())[:1], *entry.get("programs", ())):
            box.own[word] = _own(container, word)
        argv = container["argv"]
        if container.get("tty"):
            box.err = box.out            # a terminal is one device
        machine.start(box, argv, own if programs.own_program(container) else program(argv), at + LAUNCH, source=Input(container.get("stdin", False)))
        if container.get("tty"):
            Terminal(box.first, box.out)


def system_files(pod, sandbox):
    """What a container finds in /etc and /dev besides its image: the kubelet writes hosts and resolv.conf."""
    hosts = "".join(f"{address}\t{names}\n" for address, names in (*HOSTS, (sandbox["ip"] if sandbox else "", pod.name)))
    return {"/dev/null": "", "/etc/hostname": f"{pod.name}\n", "/etc/hosts": f"# Kubernetes-managed hosts file.\n{hosts}",
            "/etc/resolv.conf": f"search {pod.namespace}.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n"}


def _body(box, argv):
    """The body of a process that somebody starts in a container."""
    return box.own.get(argv[0]) or program(argv, COMMAND_TIME)


def _own(container, word):
    """The body of the image's server when a shell in the container starts it, with the environment it gets there."""
    def body(process):
        return (yield from programs.serve(programs.service(container["image"], process.env, process.argv), container.get("limit"))(process))
    return body


def _events(record):
    """What happened in a Pod's containers, in order: (ms, rank, container id, kind, number of the input)."""
    found = []
    for container in (*record.get("history", {}).values(), *record["containers"].values()):
        if container["started"] is None:
            continue
        found.append((container["started"], container["created"], container["id"], "start", -1))
        found += [(at, container["created"], container["id"], kind, number) for number, (at, kind, _) in enumerate(container["inputs"])]
    return sorted(found, key=lambda event: (event[0], event[1], event[4]))
