"""What is durable of commands: their records, and the answers that those which run have had."""
from lifecycle.simulation.client import Response

SPACE, ANSWERS = "kubectl", "kubectl answers"          # disk spaces; answers are kept as "ID/NUMBER" -> [virtual time, answer]
ENDED = ("line", "started", "stdout", "stderr", "exit", "ended")


class Records:
    """The console's part of the disk. A record of a command that has ended keeps only what can still be asked for."""

    def __init__(self, etcd):
        self.etcd = etcd

    def read(self, key, default=None):
        return self.etcd.read(SPACE, key, default)

    def write(self, key, value):
        self.etcd.write(SPACE, key, value)

    def change(self, id, **values):
        """Change some fields of a record."""
        self.write(id, {**self.read(id), **values})

    def running(self):
        """The ids of the commands that have not ended."""
        return self.read("running", [])

    def add(self, line, files, stdin, now):
        """A new record of a command that starts now; returns its id."""
        number = self.read("count", 0) + 1
        id, running = str(number), self.running()
        together = running[-1] if running and self.read(running[-1])["started"] == now else None
        self.write("count", number)
        self.write(id, {"line": line, "files": dict(files), "stdin": stdin, "namespace": self.read("namespace", "default"), "started": now, "after": together,
                        "stdout": "", "stderr": "", "exit": None, "ended": None})
        self.write("running", [*running, id])
        return id

    def printed(self, id, parts):
        """Add [(stream, text)] to what a command has printed."""
        record = self.read(id)
        text = {stream: "".join(part for where, part in parts if where == stream) for stream in ("out", "err")}
        self.change(id, stdout=record["stdout"] + text["out"], stderr=record["stderr"] + text["err"])

    def end(self, id, exit, now):
        """Close a record."""
        self.forget_answers(id)
        record = {**self.read(id), "exit": exit, "ended": now}
        self.write(id, {name: record[name] for name in ENDED})
        self.write("running", [one for one in self.running() if one != id])

    # -- answers -----------------------------------------------------------------------------------------------------------
    def keep_answer(self, id, number, at, answer):
        kept = {"code": answer.code, "body": answer.body, "warnings": list(answer.warnings)} if isinstance(answer, Response) else answer
        self.etcd.write(ANSWERS, f"{id}/{number}", [at, kept])

    def answers(self, id):
        """[(virtual time, answer)] in order."""
        found = []
        while (one := self.etcd.read(ANSWERS, f"{id}/{len(found)}")) is not None:
            at, kept = one
            found.append((at, Response(kept["code"], kept["body"], tuple(kept["warnings"])) if kept and "code" in kept else kept))
        return found

    def forget_answers(self, id):
        number = 0
        while self.etcd.read(ANSWERS, f"{id}/{number}") is not None:
            self.etcd.write(ANSWERS, f"{id}/{number}", None)
            number += 1
