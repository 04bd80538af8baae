"""The containers of one Pod in virtual time: processes, signals, files. A pure function of what it was told, so that it can be built again at any time.

Processes are generators that yield Sleep, Until or Park. They run in order of time, each with its own clock; nothing runs beyond the time asked for.
"""
from heapq import heappop, heappush
from itertools import count

from .files import Files
from .octets import size
from .process import NUMBERS, Ended, Interrupt, Process, Sleep, Until
from .streams import Capture, Log, Pipe

MOST_STEPS = 3000                # of all processes together, before a question about the future is given up
MOST_LINES = 5000                # of a container's log are kept, as a runtime rotates log files
FIRST_SHARED_PID = 7             # in a shared PID namespace the pause container and the runtime's own processes come first


class Box:
    """One container: its files, its processes, its log. `ports`: {number: Process that listens}; `own`: {program of the image: body of its process};
    `first`: the process that it was started for, or None; `shares_pids`: the processes are in the Pod's PID namespace, where the pause container is PID 1."""

    def __init__(self, machine, env, hostname, files, shell, shares_pids):
        self.machine, self.env, self.hostname, self.files, self.shell, self.shares_pids = machine, env, hostname, files, shell, shares_pids
        self.lines, self.dropped = [], 0             # [(ms, stream, line)] of the log, and how many were before them
        self.processes, self.next_pid, self.first = {}, FIRST_SHARED_PID if shares_pids else 1, None
        self.ports, self.oom_killed, self.own, self.clients = {}, False, {}, ()
        self.sessions = {}           # id -> Session of somebody outside
        self.out, self.err = Log(self, "stdout"), Log(self, "stderr")

    def print(self, at, stream, line):
        self.machine.activity += 1
        self.lines.append((round(at), stream, line))
        if len(self.lines) > 2 * MOST_LINES:
            self.dropped += len(self.lines) - MOST_LINES
            del self.lines[:-MOST_LINES]

    def without_visitors(self, first):
        """Forget the processes from the pid `first` on, so that their numbers are free again; False if not all of them were visitors."""
        newcomers = [process for pid, process in self.processes.items() if pid >= first]
        if not all(process.visitor for process in newcomers):
            return False
        for process in newcomers:
            del self.processes[process.pid]
        self.next_pid = first
        return True


class Machine:
    """`network(host, port, path, at, method)` answers HTTP requests of programs: (code, body) or an error text."""

    def __init__(self, epoch, network):
        self.epoch, self.network, self.now = epoch, network, float("-inf")
        self.boxes, self.sizes, self.stores = {}, {}, {}
        self.activity, self.changes, self.writes, self.serial = 0, 0, 0, 0
        self._queue, self._blocked, self._parked, self._current = [], {}, {}, None
        self._napping = set()
        self._roused = {}          # process that was parked and will go on with its next round -> (head, period)

    # -- containers ---------------------------------------------------------------------------------------------------------
    def add(self, identity, env, hostname, mounts, shell=True, shares_pids=False):
        """A container. `mounts`: {mount path: (volume name, texts {path: text} that it holds or None, read only)}; a volume of texts is the container's own."""
        stores = {}
        for path, (volume, texts, read_only) in mounts.items():
            stores[path] = (dict(texts) if texts is not None else self.stores.setdefault(volume, {}), read_only)
        self.boxes[identity] = Box(self, env, hostname, Files({}, stores, self._changed, self.sizes), shell, shares_pids)
        return self.boxes[identity]

    def start(self, box, argv, body, at, env=None, out=None, err=None, source=None, parent=None):
        """A new process in a container."""
        return Process(self, box, parent, argv, dict(box.env if env is None else env), out or box.out, err or box.err, source or Pipe(), body, at)

    def execute(self, box, argv, body, at, env=None, visitor=False):
        """A command from outside, with its output captured: (Process, Capture). Of a `visitor` nothing is to be seen once it has ended."""
        output = Capture()
        process = self.start(box, argv, body, at, env, output, output)
        process.visitor = visitor
        return process, output

    def _changed(self):
        """A file was changed, or a process reached by a signal."""
        self.activity += 1
        self.changes += 1
        self.writes += 1

    def size(self, store):
        """The bytes of all files in a store."""
        kept = sum(size(text) for text in store.values() if isinstance(text, str))
        return kept + sum(more for (owner, _), more in self.sizes.items() if owner == id(store))

    # -- time ---------------------------------------------------------------------------------------------------------------
    def wake(self, process, at):
        self.serial += 1
        process.waiting = self.serial
        heappush(self._queue, (at, self.serial, process))

    def disturb(self, process, at):
        """A signal with a handler has come: a parked loop repeats the round it is in, a breakable wait ends."""
        lap = self._parked.pop(process, None) or self._roused.pop(process, None)
        if lap:
            head, period = lap
            self.wake(process, head + (at - head) // period * period)
        elif self._breakable(process):
            self._blocked.pop(process, None)
            self.wake(process, at)

    def throw(self, process, problem, at):
        """Let a process leave whatever it does or waits for with an exception."""
        for waiting in (self._parked, self._roused, self._blocked):
            waiting.pop(process, None)
        process.problem, process.endless, process.repeats = problem, False, None
        self.wake(process, at)

    def _breakable(self, process):
        return process in self._napping or process in self._blocked and self._blocked[process].breakable

    def run(self, until, stop=None):
        """Run what is due up to and including `until` (ms), or until `stop()` is true."""
        while self._queue and not (stop and stop()):
            at, serial, process = self._queue[0]
            if process.waiting != serial or process.code is not None:
                heappop(self._queue)
                continue
            if at > until:
                break
            heappop(self._queue)
            self._step(process, at)
        if until != float("inf"):
            self.now = max(self.now, until)

    def _step(self, process, at):
        process.clock = at
        self.now = max(self.now, at)
        before, self._current = self.activity, process
        self._napping.discard(process)
        self._roused.pop(process, None)
        try:
            effect = process.generator.send(None) if process.problem is None else process.generator.throw(process.leave())
        except Ended as end:
            self.end(process, end.code, process.clock)
        except StopIteration as end:
            self.end(process, end.value or 0, process.clock)
        except Interrupt:
            self.end(process, 128 + NUMBERS["INT"], process.clock)
        except RecursionError:
            self.end(process, 128 + NUMBERS["SEGV"], process.clock)
        else:
            self._follow(process, effect)
        self._current = None
        if self.activity != before:
            self._look_again(process)

    def _follow(self, process, effect):
        if process.code is not None:
            return
        if isinstance(effect, Sleep):
            broken = effect.breakable and process.pending
            self.wake(process, process.clock + (0 if broken else effect.ms))
            if effect.breakable and not broken:
                self._napping.add(process)
        elif isinstance(effect, Until):
            if effect.ready() or effect.breakable and process.pending:
                self.wake(process, process.clock)
            else:
                self._blocked[process] = effect
        else:
            self._parked[process] = (process.clock, effect.period)

    def stirred(self, at):
        """Something came from outside at `at` (ms)."""
        self.now = max(self.now, at)
        self._look_again(None)

    def _look_again(self, cause):
        """Something changed: whoever waits for it goes on."""
        for process, effect in list(self._blocked.items()):
            if effect.ready():
                del self._blocked[process]
                self.wake(process, self.now)
        for process, (head, period) in list(self._parked.items()):
            if process is not cause:
                self._roused[process] = self._parked.pop(process)
                self.wake(process, head + -((head - self.now) // period) * period)

    def end(self, process, code, at):
        """A process is over; with a container's first process everything in it ends."""
        if process.code is not None:
            return
        process.code, process.ended = code, at
        if process is not self._current:
            process.generator.close()
        process.out.close()
        self._blocked.pop(process, None)
        self._parked.pop(process, None)
        if not process.visitor:
            self.activity += 1
            self.changes += 1
        if process is process.box.first:
            for other in list(process.box.processes.values()):
                if other.code is None:
                    self.end(other, 137, at)
        self._look_again(process)

    def goes_on_for_ever(self, process):
        """Whether nothing but a new input can end a process: it never leaves its loop, or nothing that runs changes anything any more."""
        return process.endless or all(self._changes_nothing(other) for box in self.boxes.values() for other in box.processes.values() if other.code is None)

    def _changes_nothing(self, process):
        return process in self._parked or process in self._blocked or process.repeats == self.changes

    def next_change(self, heard=()):
        """The ms at which something may change next, or None if nothing will by itself. What the `heard` processes do matters even if it changes nothing."""
        waiting = ((at, process) for at, serial, process in self._queue if process.waiting == serial and process.code is None)
        return min((at for at, process in waiting if process in heard or process.repeats != self.changes), default=None)

    def outcome(self, process):
        """(ms, exit code) of the end; None if only a new input can end it; (ms, None) if it is not known beyond that time."""
        steps = count()
        self.run(float("inf"), lambda: process.code is not None or self.goes_on_for_ever(process) or next(steps) > MOST_STEPS)
        if process.code is not None:
            return round(process.ended), process.code
        return None if self.goes_on_for_ever(process) else (round(self.now) + 1, None)
