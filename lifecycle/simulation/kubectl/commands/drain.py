"""kubectl drain (kubectl/pkg/cmd/drain, kubectl/pkg/drain)."""
from lifecycle.simulation.durations import go_duration
from lifecycle.simulation.kubectl.arguments import with_kind
from lifecycle.simulation.kubectl.commands.cordon import chosen_nodes, set_unschedulable
from lifecycle.simulation.kubectl.commands.deletion import delete_options
from lifecycle.simulation.kubectl.commands.drain_filters import grouped, standing
from lifecycle.simulation.kubectl.errors import CommandError, Failures, ServerError, SilentExit
from lifecycle.simulation.kubectl.flags import boolean, duration, number, text
from lifecycle.simulation.kubectl.options import CHUNKS, DRY_RUN, SELECTOR, Command
from lifecycle.simulation.kubectl.process import Checkpoint, Sleep
from lifecycle.simulation.kubectl.report import SUFFIXES
from lifecycle.simulation.resources import resource
from lifecycle.simulation.timings import SECOND

RETRY = 5 * SECOND          # after a refusal by a disruption budget
POLL = SECOND               # between two looks at whether a pod is gone


def drain(invocation):
    """Cordon nodes and evict their pods; a node that cannot be drained does not stop the others.

    While it waits, all it needs is kept at a checkpoint: {"left": names of nodes, "failed": [[node, error on one line, error]], and of the node that is
    being drained what _Removal needs}.
    """
    state = invocation.state
    if state is None:
        nodes = yield from chosen_nodes(invocation)
        for node in nodes:
            yield from set_unschedulable(invocation, node, True)
        state = {"left": [node.name for node in nodes], "failed": []}
    left, failed = list(state["left"]), list(state["failed"])
    while left:
        try:
            yield from _drain_one(invocation, left[0], {"left": list(left), "failed": list(failed)})
            invocation.out(f"node/{left[0]} drained{SUFFIXES[invocation.dry_run]}")
        except CommandError as error:
            failed.append([left[0], _joined(error), error.text(alone=False)])
        invocation.state = None
        del left[0]
    if failed:
        raise _summary(invocation, failed)


def _summary(invocation, failed):
    """Which nodes are left, and then every error without a prefix."""
    for node, joined, _ in failed:
        invocation.err(f'error: unable to drain node "{node}" due to error: {joined}, continuing command...')
    invocation.err("There are pending nodes to be drained:\n" + "\n".join(f" {node}" for node, _, _ in failed))
    for _, _, whole in failed:
        invocation.err(whole)
    return SilentExit("")


def _joined(error):
    """Several errors on one line, as Go prints an aggregate."""
    texts = [one.text(alone=False) for one in error.errors] if isinstance(error, Failures) else [error.text(alone=False)]
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def _pods_on(invocation, node):
    query = {"fieldSelector": f"spec.nodeName={node}", "limit": str(invocation.flags["chunk-size"])}
    if invocation.flags["pod-selector"]:
        query["labelSelector"] = invocation.flags["pod-selector"]
    answer = yield from invocation.get("/api/v1/pods", query)
    return [with_kind(item, resource("pods")) for item in answer["items"]]


def _drain_one(invocation, node, state):
    """Remove the pods of a node. `state` is what the command needs besides to go on from a checkpoint. Raises CommandError."""
    removal = _Removal(invocation, state)
    if invocation.state is None:
        pods = yield from _to_remove(invocation, node)
        if not pods:
            return
        yield from removal.begin(pods)
    errors = yield from removal.run()
    if errors:
        yield from _tell_pending(invocation, node, errors)
        raise Failures(errors)


def _to_remove(invocation, node):
    """The pods to be removed from a node. Raises Failures if there are some that may not be."""
    standings = []
    for pod in (yield from _pods_on(invocation, node)):
        if not _skipped(invocation, pod):
            standings.append((yield from standing(invocation, pod)))
    problems = grouped(standings, "problem")
    if problems:
        raise Failures([CommandError(f"cannot delete {problem}") for problem in problems])
    warnings = grouped(standings, "warning")
    if warnings:
        invocation.err(f"Warning: {'; '.join(warnings)}")
    return [one.pod for one in standings if one.deleted]


def _skipped(invocation, pod):
    """Whether a pod has been terminating for longer than --skip-wait-for-delete-timeout."""
    limit, deleted = invocation.flags["skip-wait-for-delete-timeout"], pod["metadata"].get("deletionTimestamp")
    return bool(limit and deleted) and invocation.now - invocation.clock.parse(deleted) > limit * SECOND


def _tell_pending(invocation, node, errors):
    left = yield from _pods_on(invocation, node)
    invocation.err(f'There are pending pods in node "{node}" when an error occurred: {_joined(Failures(errors))}')
    for pod in left:
        if (yield from standing(invocation, pod)).deleted:
            invocation.err(f"pod/{pod['metadata']['name']}")


class _Removal:
    """The pods of a node on their way out, all at the same time: each is evicted, again after a refusal, then watched until it is gone.

    `due`: {(namespace, name): (when, what: "request", "retry" or "look", the pod's uid)}. It goes on from the checkpoint that the invocation has, if any.
    """

    def __init__(self, invocation, state):
        self.invocation, self.flags, self.state = invocation, invocation.flags, state
        self.evicting = not self.flags["disable-eviction"]
        self.resumed = invocation.state is not None
        kept = invocation.state or {"due": [], "errors": [], "until": invocation.now + self.flags["timeout"] if self.flags["timeout"] else None}
        self.until = kept["until"]
        self.due = {(namespace, name): (at, what, uid) for namespace, name, at, what, uid in kept["due"]}
        self.errors = [CommandError(text) for text in kept["errors"]]

    def begin(self, pods):
        """Announce that these pods are to go."""
        self.due = {(pod["metadata"]["namespace"], pod["metadata"]["name"]): (self.invocation.now, "request", pod["metadata"]["uid"]) for pod in pods}
        if self.evicting:
            yield from self.invocation.ask("GET", "/api/v1")
        *others, last = self.due
        for key in (last, *others):          # of goroutines made together, Go runs the last one first
            self._announce(key)

    def run(self):
        """Returns the errors."""
        steps = {"request": self._request, "retry": self._retry, "look": self._look}
        while self.due:
            key = min(self.due, key=lambda one: self.due[one][0])
            if self.due[key][0] > self.invocation.now:
                yield from self._wait(self.due[key][0])
            _, what, uid = self.due.pop(key)
            yield from steps[what](key, uid)
        return self.errors

    def _wait(self, at):
        """Whatever was answered before is not needed any more: who waits for a budget or a finalizer may wait for days."""
        if not self.resumed:
            due = [[*key, *entry] for key, entry in self.due.items()]
            self.invocation.state = {**self.state, "due": due, "errors": [error.text(alone=False) for error in self.errors], "until": self.until}
            yield Checkpoint(self.invocation.state)
        self.resumed = False
        yield Sleep(at - self.invocation.now)

    def _path(self, key):
        return resource("pods").path(*key)

    def _late(self):
        return self.until is not None and self.invocation.now >= self.until

    def _reached(self):
        return f"global timeout reached: {go_duration(self.flags['timeout'])}"

    def _fail(self, doing, problem):
        self.errors.append(CommandError(f"{doing}: {problem}"))

    def _announce(self, key):
        self.invocation.out(f"{'evicting' if self.evicting else 'deleting'} pod {key[0]}/{key[1]}{SUFFIXES[self.invocation.dry_run]}")

    def _retry(self, key, uid):
        yield from self.invocation.ask("GET", self._path(key))
        self._announce(key)
        yield from self._request(key, uid)

    def _request(self, key, uid):
        invocation, (namespace, name) = self.invocation, key
        if self._late():
            self._fail(f'error when evicting pods/"{name}" -n "{namespace}"', self._reached())
            return
        if invocation.dry_run == "client":
            return
        reply = yield from self._send(key)
        if reply.code == 429:
            invocation.err(f'error when evicting pods/"{name}" -n "{namespace}" (will retry after 5s): {reply.body["message"]}')
            self.due[key] = (invocation.now + RETRY, "retry", uid)
        elif reply.code != 404 and not reply.ok:
            self._fail(f'error when evicting pods/"{name}" -n "{namespace}"', ServerError(reply.body).message)
        elif not invocation.dry_run:
            self.due[key] = (invocation.now, "look", uid)

    def _send(self, key):
        namespace, name = key
        grace, dry = self.flags["grace-period"], ["All"] if self.invocation.dry_run else None
        if not self.evicting:
            return (yield from self.invocation.ask("DELETE", self._path(key), None, delete_options(grace, None, bool(dry))))
        options = {**({"gracePeriodSeconds": grace} if grace >= 0 else {}), **({"dryRun": dry} if dry else {})}
        body = {"kind": "Eviction", "apiVersion": "policy/v1", "metadata": {"name": name, "namespace": namespace}, "deleteOptions": options}
        return (yield from self.invocation.ask("POST", f"{self._path(key)}/eviction", None, body))

    def _look(self, key, uid):
        """Whether the pod is gone, or another has its name."""
        reply = yield from self.invocation.ask("GET", self._path(key))
        if reply.code == 404 or (reply.ok and reply.body["metadata"]["uid"] != uid):
            self.invocation.out(f"pod/{key[1]} {'evicted' if self.evicting else 'deleted'}")
        elif self._late():
            self._fail(f'error when waiting for pod "{key[1]}" in namespace "{key[0]}" to terminate', self._reached())
        else:
            self.due[key] = (self.invocation.now + POLL, "look", uid)


FLAGS = {**CHUNKS, **DRY_RUN, **SELECTOR, "delete-emptydir-data": boolean(), "disable-eviction": boolean(), "force": boolean(), "grace-period": number(-1),
         "ignore-daemonsets": boolean(), "pod-selector": text(), "skip-wait-for-delete-timeout": number(), "timeout": duration()}
COMMANDS = {("drain",): Command(drain, "NODE", FLAGS)}
