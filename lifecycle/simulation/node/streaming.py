"""The streaming server of every node: connections of people to containers, for exec, attach and logs -f (pkg/kubelet/server, cri-streaming).

A stream lies on the disk under "streams": {id: record}. What came out and was not fetched yet lies under "stream output": {piece(id, number): [channel, text]}.
A record: {"pod": key of the Pod, "container": its id, "kind": exec, attach or log, "wakes": [component, key] to wake when there is something to fetch, or [],
"told": how much of the container's output is out, "stamped": a log's lines begin with their times, "first" and "next": numbers of the pieces that wait,
"input": characters that came in, "typed": those of the present line, "told_at": ms of the last output that was told, "ended": ms or None, "exit": code of a
command that was run, else 0}.
"""
from ..component import Component
from . import forwarding
from .disk import PodKey
from .shell.limits import INPUT
from .shell.session import OUT
from .usage import fills

STREAMS, OUTPUT = "streams", "stream output"
LOST = 137                        # exit code of a command whose container has gone
PAUSE = 100                       # ms between two pieces of output at least: who prints without end is heard in bigger ones
KEPT = 600_000                    # ms for which a stream that has ended waits for somebody to fetch the rest
WAITING = 10_000                  # pieces that wait to be fetched; who leaves more has gone, or is too slow
MOST = 50                         # streams that a cluster has open at a time
SHOWN = 200                       # characters of input and output that a message shows
INPUTS = {"exec": "session", "attach": "attach"}


class StreamRefused(ValueError):
    """The stream cannot take more; the message is a sentence."""


def piece(id, number):
    """The key of a piece of output; keys of a stream sort as its pieces came."""
    return f"{id}/{number:08d}"


class Streaming(Component):
    """Work keys: ids of streams."""

    name = "streaming"
    actor = "cri"
    user = "system:nodes"

    def __init__(self, cluster):
        super().__init__(cluster)
        self.runtime = cluster.components["cri"]

    # -- opening and closing -----------------------------------------------------------------------------------------------
    def open(self, pod, container, kind, wakes=(), **what):
        """Open a stream to a running container; returns its id. If there are too many, the oldest is closed: whoever had it may have gone without a word.

        `what` is for exec {"argv", "stdin", "tty"}, for attach {"stdin", "once"}, for a log {"text": what it begins with, "told": the number of lines so far,
        "stamped"}.
        """
        self._make_room()
        number = self.etcd.read(STREAMS, "count", 0) + 1
        id = str(number)
        self.etcd.write(STREAMS, "count", number)
        record = {"pod": pod.key, "container": container["id"], "kind": kind, "wakes": list(wakes), "told": what.get("told", 0),
                  "stamped": what.get("stamped", False), "first": 0, "next": 0, "input": 0, "typed": "", "told_at": None, "ended": None, "exit": 0}
        self.etcd.write(STREAMS, id, self._added(id, record, [(OUT, what["text"])]) if what.get("text") else record)
        if kind in INPUTS:
            self.runtime.put_in(pod, container, INPUTS[kind], {"id": id, **what})
        self.again(id)
        return id

    def close(self, id):
        """Whoever opened the stream has gone; if he has not, he finds that there is no stream any more."""
        record = self.etcd.read(STREAMS, id)
        if record is not None:
            if record["ended"] is None:
                self._put_in(record, "hangup", id)
            self._remove(id, record)
            self._wake(record)

    def _wake(self, record):
        if record["wakes"]:
            self.queue.add(*record["wakes"], self.clock.now)

    def _remove(self, id, record):
        for number in range(record["first"], record["next"]):
            self.etcd.write(OUTPUT, piece(id, number), None)
        self.etcd.write(STREAMS, id, None)
        self.queue.remove(self.name, id)

    def _make_room(self):
        found = self._records()
        for place, (id, record) in enumerate(found):
            if record["ended"] is not None and record["ended"] + KEPT < self.clock.now or place <= len(found) - MOST:
                self.close(id)

    def _records(self):
        return [(id, record) for id, record in self.etcd.disk(STREAMS).items() if id != "count"]

    # -- input -------------------------------------------------------------------------------------------------------------
    def send(self, id, text):
        """Something comes from outside. Raises StreamRefused."""
        record = self.etcd.read(STREAMS, id)
        if record is None or record["ended"] is not None or not text:
            return
        if record["input"] + len(text) > INPUT:
            raise StreamRefused(f"a container takes at most {INPUT} characters of input through one connection")
        typed = record["typed"] + text
        if whole := any(end in text for end in "\r\n\x03\x04") or len(typed) > SHOWN:
            self._say(record, "StreamInput", input=shown(typed.strip()))
        self.etcd.write(STREAMS, id, {**record, "input": record["input"] + len(text), "typed": "" if whole else typed})
        self._put_in(record, "input", [id, text])
        self._echo(id)

    def _echo(self, id):
        """What a terminal shows of what is typed is there at once."""
        record = self.etcd.read(STREAMS, id)
        pod, container = self._place(record)
        if record["kind"] in INPUTS and container and container["state"] == "running":
            pieces, told, _, _ = self._news(pod, container, id, record)
            self.etcd.write(STREAMS, id, self._added(id, {**record, "told": told}, pieces))

    def end_input(self, id):
        """Nothing more will come from outside."""
        record = self.etcd.read(STREAMS, id)
        if record is not None and record["ended"] is None:
            self._put_in(record, "end", id)

    def _put_in(self, record, kind, what):
        pod, container = self._place(record)
        if record["kind"] in INPUTS and container and container["state"] == "running":
            self.runtime.put_in(pod, container, kind, what)

    def _place(self, record):
        """(PodKey, the container's record or None)"""
        pod = PodKey.parse(record["pod"])
        return pod, self.runtime.of(pod)["containers"].get(record["container"])

    # -- ports -------------------------------------------------------------------------------------------------------------
    def dial(self, namespace, name, port):
        """Connect with a port inside of a Pod: None, or the sentence that says why not."""
        return forwarding.dial(self.runtime, namespace, name, port)

    def ask(self, namespace, name, port, path):
        """What a Pod answers to GET at a port: (code, text), or None if nobody listens any more."""
        return self.runtime.http_get(namespace, name, port, path)

    # -- output ------------------------------------------------------------------------------------------------------------
    def fetch(self, id):
        """{"pieces": [[channel, text]], "ended": bool, "exit": code} that nobody has fetched yet; a stream that has ended is closed by that."""
        record = self.etcd.read(STREAMS, id)
        if record is None:
            return {"pieces": [], "ended": True, "exit": LOST}
        pieces = [self.etcd.read(OUTPUT, piece(id, number)) for number in range(record["first"], record["next"])]
        if record["ended"] is not None:
            self._remove(id, record)
        else:
            self.fetched(id, record["next"])
        return {"pieces": pieces, "ended": record["ended"] is not None, "exit": record["exit"]}

    def fetched(self, id, number):
        """Everything before the piece `number` has arrived."""
        record = self.etcd.read(STREAMS, id)
        if record is not None:
            for old in range(record["first"], min(number, record["next"])):
                self.etcd.write(OUTPUT, piece(id, old), None)
            self.etcd.write(STREAMS, id, {**record, "first": max(record["first"], min(number, record["next"]))})

    def look(self, pod):
        """Something may have happened in the containers of a Pod."""
        for id, record in self._records():
            if record["pod"] == pod.key and record["ended"] is None:
                self.again(id)

    def facts_for(self, id):
        record = self.etcd.read(STREAMS, id)
        return PodKey.parse(record["pod"]).facts if record else {}

    def resync(self):
        return [id for id, record in self._records() if record["ended"] is None]

    def reconcile(self, id):
        """Take over what has come out."""
        record = self.etcd.read(STREAMS, id)
        if record is None or record["ended"] is not None:
            return None
        now, pod, container = self.clock.now, *self._place(record)
        running = container is not None and container["state"] == "running"
        if running and record["told_at"] is not None and record["told_at"] + PAUSE > now:
            return record["told_at"] + PAUSE - now
        pieces, told, end, change = self._news(pod, container, id, record) if container else ([], record["told"], (now, LOST), None)
        if end is None and not running:
            end = now, container["code"]
        record = self._added(id, {**record, "told": told}, pieces)
        if pieces:
            record["told_at"] = now
            self._say(record, "StreamOutput", output=shown("".join(text for _, text in pieces)))
        if end and end[0] <= now:
            record["ended"], record["exit"] = now, end[1] if record["kind"] == "exec" else 0
            self._say(record, "StreamClosed", code=end[1])
        if record["kind"] in INPUTS and (end or pieces and fills(container)):
            self.cluster.components["kubelet"].used(pod)
        self.etcd.write(STREAMS, id, record)
        if pieces or record["ended"] is not None:
            self._wake(record)
        if record["next"] - record["first"] > WAITING:
            self.close(id)
            return None
        return None if change is None or record["ended"] is not None else max(change - now, 1)

    def _news(self, pod, container, id, record):
        """([(channel, text)] that is new, how much is out then, (ms, exit code) of the end or None, the ms of the next change or None)."""
        now, whole = self.clock.now, self.runtime.of(pod)
        if record["kind"] == "log":
            lines, told, change = self.runtime.inside.lines_from(pod, whole, container, record["told"], now)
            return [(OUT, self._line(at, line, record["stamped"])) for at, _, line in lines], told, None, change
        chunks, end, change = self.runtime.inside.session(pod, whole, container, id, now)
        return [(channel, text) for _, channel, text in chunks[record["told"]:]], len(chunks), end, change

    def _line(self, at, line, stamped):
        return f"{self.clock.microtime(at)[:-1]}000Z {line}\n" if stamped else line + "\n"

    def _added(self, id, record, pieces):
        """The record with more pieces of output that wait; what follows on the same channel is one piece."""
        joined = []
        for channel, text in pieces:
            if joined and joined[-1][0] == channel:
                joined[-1] = [channel, joined[-1][1] + text]
            else:
                joined.append([channel, text])
        for number, each in enumerate(joined, record["next"]):
            self.etcd.write(OUTPUT, piece(id, number), each)
        return {**record, "next": record["next"] + len(joined)}

    def _say(self, record, reason, **facts):
        pod, container = self._place(record)
        name = container["name"] if container else ""
        self.cluster.log.say(*ARROWS[reason], reason, None, pod.object, None, {**pod.facts, "container": name, "stream": record["kind"], **facts})


ARROWS = {"StreamInput": ("kubelet", "cri"), "StreamOutput": ("cri", "kubelet"), "StreamClosed": ("cri", "kubelet")}


def shown(text):
    """The beginning of what was said, for a message."""
    printable = "".join(char if char.isprintable() or char in "\n\t" else "\ufffd" for char in text[:SHOWN])
    return printable + ("…" if len(text) > SHOWN else "")
