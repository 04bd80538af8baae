"""The console: kubectl commands that run in virtual time, one request at a time, between everything else that happens."""
from functools import partial

from lifecycle.simulation.component import Component
from lifecycle.simulation.kubectl.discovery import Discovery
from lifecycle.simulation.kubectl.invocation import url
from lifecycle.simulation.kubectl.parsing import prepare
from lifecycle.simulation.kubectl.process import Checkpoint, Configure, Connect, Process, Receive, Request, Send, Sleep, Suffix, Watch
from lifecycle.simulation.kubectl.records import Records
from lifecycle.simulation.kubectl.watching import EveryResource, interest, is_watched, next_events, told
from lifecycle.simulation.timings import API_CALL, KUBECTL_START

OUTSIDE = {"/openapi": "GetOpenAPI", "/api": "GetDiscovery", "/version": "GetVersion", "/healthz": "GetHealth", "/livez": "GetHealth", "/readyz": "GetHealth"}
INTERRUPTED = 130


class Console(Component):
    """Commands by id.

    What is durable of one that runs is its record and the answers it got; its generator is made anew from them when it is needed and not there.
    """

    name = "kubectl"
    actor = "kubectl"
    user = "kubernetes-admin"
    manager = "kubectl"

    def __init__(self, cluster):
        super().__init__(cluster)
        self.records = Records(self.etcd)
        self._processes = {}          # id -> Process
        self._discovery = None        # (custom resources, Discovery)

    # -- commands ----------------------------------------------------------------------------------------------------------
    def start(self, line, files=None, stdin=None):
        """Take a command as typed; returns its id. `files` are the texts that -f may name; `stdin` is what "-f -" reads."""
        id = self.records.add(line, files or {}, stdin, self.clock.now)
        self.cluster.log.say("user", "kubectl", "RunCommand", None, None, None, {"command": line, "id": id})
        self.again(id, KUBECTL_START)
        return id

    def command(self, id):
        """{"line", "started", "output", "stdout", "stderr", "exit", "ended"}: times in virtual ms; `output` is standard output, then standard error.

        `exit` and `ended` are None while the command runs. Raises KeyError.
        """
        record = self.records.read(id)
        if record is None:
            raise KeyError(id)
        return {"line": record["line"], "started": record["started"], "output": record["stdout"] + record["stderr"], "stdout": record["stdout"],
                "stderr": record["stderr"], "exit": record["exit"], "ended": record["ended"]}

    def running(self):
        """The ids of the commands that have not ended, the oldest first."""
        return self.records.running()

    def interrupt(self, id):
        """Control-C: end a command that runs."""
        if id in self.running():
            waiting = self._process(id).waiting
            if isinstance(waiting, Receive):
                for stream in waiting.streams:
                    self.cluster.api.streams.close(stream)
            self._process(id).invocation.write("err", "^C\n")
            self._finish(id, INTERRUPTED)

    # -- the loop ----------------------------------------------------------------------------------------------------------
    def watched(self):
        return EveryResource(lambda qualified: partial(self._woken, qualified))

    def resync(self):
        return self.running()

    def facts_for(self, id):
        return {"id": id}

    def _woken(self, qualified, change):
        """The commands that watch the changed object."""
        return [id for id in self.running() if is_watched(self.records.read(id).get("watching"), qualified, change)]

    def reconcile(self, id):
        """Run a command on until it waits for something that has not come yet, with one request at most."""
        if id not in self.running():
            return None
        process, asked = self._process(id), False
        if not process.started:
            if self._is_busy(self.records.read(id)["after"]):
                return API_CALL
            self._go_on(id, process, None)
        while process.waiting is not None:
            question = process.waiting
            if isinstance(question, Request | Connect):
                if asked:
                    return API_CALL
                asked = True
            answer, due = self._answer(id, question, process.invocation)
            if due is not None:
                self._wait(id, due)
                return None
            self._go_on(id, process, answer)
        self._finish(id, process.exit)
        return None

    def _is_busy(self, id):
        """Whether a command runs and is not waiting for something to happen. What was typed at the same moment comes after it, as on one keyboard."""
        return id in self.running() and not isinstance(self._process(id).waiting, Watch | Sleep | Receive)

    def _process(self, id):
        """The live form of a command, made from its record and the answers it has had if it is not there."""
        if id not in self._processes:
            record = self.records.read(id)
            invocation, run = prepare(record["line"], record["namespace"], record["files"], record["stdin"], self.discovery(), self.clock)
            invocation.state = record.get("state")
            self._processes[id] = Process(invocation, run, self.records.answers(id))
        return self._processes[id]

    def discovery(self):
        """The kinds that the server serves, as kubectl's discovery cache has them."""
        custom = tuple(self.cluster.api.custom_resources())
        if self._discovery is None or self._discovery[0] != custom:
            self._discovery = custom, Discovery(custom)
        return self._discovery[1]

    # -- questions and answers ---------------------------------------------------------------------------------------------
    def _answer(self, id, question, invocation):
        """(answer, None), or (None, the virtual time until which to wait) if there is none yet; that time is -1 for "for ever"."""
        if isinstance(question, Request):
            return self._request(question, invocation), None
        if isinstance(question, Watch):
            return self._timed(self._watch(id, question, invocation), question.until)
        if isinstance(question, Sleep):
            return self._timed(None, invocation.now + question.ms)
        if isinstance(question, Connect):
            user, groups = self._identity(invocation)
            return self.cluster.api.connect(question.path, question.query, (self.name, id), actor=self.actor, user=user, groups=groups), None
        if isinstance(question, Receive):
            return self._timed(self._received(question.streams), None)
        if isinstance(question, Send):
            return self._sent(question), None
        if isinstance(question, Suffix):
            return self.random.suffix(question.length), None
        if isinstance(question, Configure):
            for name, value in question.values.items():
                self.records.write(name, value)
        return None, None

    def _timed(self, answer, until):
        if answer is not None or (until is not None and self.clock.now >= until):
            return answer, None
        return None, -1 if until is None else until

    def _request(self, question, invocation):
        user, groups = self._identity(invocation)
        log = self.cluster.log
        mark = log.mark()
        reply = self.cluster.api.http(question.method, question.path, question.query, question.body, question.content_type, user=user, groups=groups,
                                      actor=self.actor, accept_table=question.table, show_managed_fields=question.managed)
        if question.quiet:
            log.forget_since(mark)
        elif log.mark() == mark:
            self._tell_outside(question, reply)
        return reply

    def _tell_outside(self, question, reply):
        """Requests that are about no object: discovery, types, versions, health."""
        reason = next((reason for start, reason in OUTSIDE.items() if question.path.startswith(start)), "GetPath")
        self.say("apiserver", reason, f"{question.method} {url(question.path, question.query)}")
        self.cluster.log.say("apiserver", self.actor, "Respond", None, None, None, {"code": reply.code})

    # -- connections -------------------------------------------------------------------------------------------------------
    def _received(self, streams):
        """What came through connections, None if nothing did: whoever brings it wakes the command."""
        found = {stream: self.cluster.api.streams.fetch(stream) for stream in streams}
        return {stream: news for stream, news in found.items() if news["pieces"] or news["ended"]} or None

    def _sent(self, question):
        try:
            self.cluster.api.streams.send(question.stream, question.text)
        except ValueError as refused:
            return str(refused)
        if question.last:
            self.cluster.api.streams.end_input(question.stream)
        return None

    def _identity(self, invocation):
        """(user, groups) that the command acts as."""
        flags = invocation.flags
        return (flags["as"], flags["as-group"]) if flags["as"] else (self.user, ())

    def _watch(self, id, question, invocation):
        """The news of a watch; the request that opens it is told once."""
        events, about = next_events(self.cluster, question, *self._identity(invocation)), interest(question)
        if question.opening and self.records.read(id).get("watching") != about:
            refused = [event["object"] for event in (events or {"events": ()})["events"] if event["type"] == "ERROR"]
            reason, line, key, facts = told(question, refused[0] if refused else None)
            self.say("apiserver", reason, line, key, facts)
            self.records.change(id, watching=about)
        return events

    def _wait(self, id, until):
        """Be called again at `until` at the latest. Not by a returned delay, so that a delivery that led to nothing is not told."""
        if until >= 0:
            self.again(id, until - self.clock.now)

    def _go_on(self, id, process, answer):
        """Hand an answer in and keep it, unless nobody will ever need it again."""
        process.resume(self.clock.now, answer)
        if isinstance(process.waiting, Checkpoint):
            self.records.forget_answers(id)
            self.records.change(id, state=process.waiting.state)
            process.answered = 0
            self._go_on(id, process, None)
        elif process.waiting is not None:
            self.records.keep_answer(id, process.answered, self.clock.now, answer)
            process.answered += 1
            self._print(id, process)

    # -- output and end ----------------------------------------------------------------------------------------------------
    def _print(self, id, process, ending=None):
        """Hand on what the command has printed, and with `ending` ({"exit": code}) that it has ended."""
        printed = process.invocation.take_printed()
        if printed or ending is not None:
            self.records.printed(id, printed)
            self.say("user", "PrintOutput", facts={
                "id": id, "command": self.records.read(id)["line"], "output": "".join(part for _, part in printed), **(ending or {})})

    def _finish(self, id, exit):
        """Print the rest and close the record."""
        self._print(id, self._process(id), {"exit": exit})
        del self._processes[id]
        self.records.end(id, exit, self.clock.now)
        self.queue.remove(self.name, id)
