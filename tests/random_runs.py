"""Plays random scripts on a strict cluster, step by step.

Keeps watch over the machinery itself: nothing spins, nothing breaks, nobody writes twice in one look.
"""
from contextlib import suppress

from lifecycle.simulation.resources import resource

from .builders import a_cluster, create
from .invariants import Command, Run
from .random_manifests import ALWAYS

SECOND = 1000
AFTERWARDS = 900 * SECOND         # how long a run goes on after its last act
CALM, PATIENCE = 60, 60 * SECOND  # ms in which nothing happens when nothing is under way; how long to wait for that
MOST_PER_SECOND = 4000            # work items in one virtual second
MOST_PER_KEY = 400                # work items for one key in one virtual second: a node under pressure refuses Pod after Pod until its taint is there
ROOM = {"/registry/pods/": 100}   # and some tolerate the taint, so that it goes on without end, as in life, until there is no room
KINDS = {
    "pod": "pods", "service": "services", "claim": "persistentvolumeclaims", "node": "nodes", "job": "jobs.batch", "cronjob": "cronjobs.batch",
    "slice": "endpointslices.discovery.k8s.io", "volume": "persistentvolumes", "attachment": "volumeattachments.storage.k8s.io",
    "revision": "controllerrevisions.apps", **{kind: f"{kind}s.apps" for kind in ("deployment", "replicaset", "statefulset", "daemonset")}}
ON_NODES = ("kubelet", "cri")
ONE_AFTER_ANOTHER = ("kubectl", "recorder")          # their work items are requests and Events that wait their turn
PODS = "/registry/pods"
WRITES = ("Create", "Update", "Patch", "Delete", "Apply")


class Spinning(AssertionError):
    """The cluster does not get on: too much work in too little virtual time."""


class Player:
    """A cluster, and what was done to it."""

    def __init__(self, script):
        self.take(a_cluster(nodes=script.nodes, seed=script.seed))
        for manifest in ALWAYS:
            create(self.cluster, manifest)
        self._second, self._busy, self._total = None, {}, 0
        self.commands, self.played, self.earlier = [], [], []
        self.said, self.start, self.revision = len(self.cluster.log.steps), dict(self.cluster.etcd.objects()), self.cluster.etcd.revision

    def take(self, cluster):
        """Play on with this cluster, and see each work item that it takes."""
        self.cluster, pop = cluster, cluster.queue.pop
        cluster.etcd.quota = ROOM

        def seen():
            self._item = pop()
            return self._item
        cluster.queue.pop = seen

    # -- people ------------------------------------------------------------------------------------------------------------------
    def act(self, act):
        self.run_until(self.cluster.clock.now + round(act.delay * SECOND))
        if "{" in act.words and "nothing" in self._resolved(act):
            self.run_until(self.cluster.clock.now + SECOND)
        words = self._resolved(act)
        self.played.append(f"@{self.cluster.clock.now / SECOND:g}s {words}  {act.manifest}")
        if words.startswith("kubectl"):
            self.commands.append(self.cluster.kubectl(words, {"MANIFEST": act.manifest}))
            return
        with suppress(ValueError):          # what it names may not be there
            self.cluster.fault(words)

    def _resolved(self, act):
        """The words with names of what exists now."""
        words = act.words
        for word, qualified in KINDS.items():
            if "{" + word + "}" in words:
                names = [thing["metadata"]["name"] for thing in self.cluster.etcd.range(resource(qualified).prefix("default"))] or ["nothing"]
                words = words.replace("{" + word + "}", names[act.pick % len(names)])
        return words

    # -- time --------------------------------------------------------------------------------------------------------------------
    def run_until(self, at):
        queue = self.cluster.queue
        while (due := queue.due()) is not None and due <= at:
            self.step()
        self.cluster.run_until(at)

    def step(self):
        """One work item, under guard."""
        log = self.cluster.log
        said = len(log.steps)
        self.cluster.step()
        name = (self._item.component, self._item.key)
        self._check_pace(name)
        self._check_writes(name, log.steps[said:])

    def _check_pace(self, name):
        second = self.cluster.clock.now // SECOND
        if second != self._second:
            self._second, self._busy, self._total = second, {}, 0
        self._total += 1
        self._busy[name] = self._busy.get(name, 0) + 1
        if self._total > MOST_PER_SECOND or self._busy[name] > MOST_PER_KEY and self._busy[name] > self._turns(name[0]):
            busiest = sorted(self._busy.items(), key=lambda item: -item[1])[:5]
            raise Spinning(f"{self._total} work items in second {second}: {busiest}")

    def _turns(self, component):
        """How often a component may look at one key that stands for many things, each of which has its turn."""
        if component in ONE_AFTER_ANOTHER:
            return MOST_PER_SECOND
        return MOST_PER_KEY + len(self.cluster.etcd.range(PODS)) if component == "scheduler" else MOST_PER_KEY

    def _check_writes(self, name, steps):
        asked = [step for step in steps if step.target == "apiserver" and step.source != "apiserver"]
        writes = [step for step in asked if step.reason.startswith(WRITES) and "code" not in step.facts]
        assert len(writes) <= 1, f"{name} wrote {len(writes)} times in one look: {[step.reason for step in writes]}"

    # -- what is broken ----------------------------------------------------------------------------------------------------------
    @property
    def stopped(self):
        """The components that are stopped, or may not have done yet what they should."""
        etcd = self.cluster.etcd
        return {*etcd.disk("stopped"), *(what.removeprefix("slow ") for what in etcd.disk("faults") if what.startswith("slow "))}

    @property
    def down(self):
        """The nodes of which nobody hears anything."""
        etcd = self.cluster.etcd
        return {*etcd.disk("power"), *(what.removeprefix("partition ") for what in etcd.disk("faults") if what.startswith("partition "))}

    # -- the end -----------------------------------------------------------------------------------------------------------------
    def calm_down(self):
        """Go on until nothing is under way; whether there was such a moment."""
        clock, queue = self.cluster.clock, self.cluster.queue
        latest = clock.now + PATIENCE
        while (due := queue.due()) is not None and due - clock.now < CALM and clock.now < latest:
            self.step()
        return clock.now < latest

    def run(self):
        """The Run so far."""
        calm, etcd, console = self.calm_down(), self.cluster.etcd, self.cluster.console
        commands = [Command(record["line"], record["started"], record["ended"], record["exit"]) for record in map(console.command, self.commands)]
        steps, changes = [*self.earlier, *self.cluster.log.steps[self.said:]], etcd.since(self.revision)
        return Run(self.start, steps, changes, commands, frozenset(self.stopped), frozenset(self.down), calm, self.cluster.clock.now)

    def forget(self):
        """Let a new Run begin here; of what was said only what nodes did for Pods that are still there belongs to it."""
        etcd, log = self.cluster.etcd, self.cluster.log
        made = {change.key: change.at for change in etcd.since(self.revision) if change.type == "ADDED"}
        self.earlier = [step for step in (*self.earlier, *log.steps[self.said:])
                        if step.source in ON_NODES and step.target != "apiserver" and isinstance(step.object, str) and etcd.get(step.object)
                        and step.at >= made.get(step.object, 0)]
        self.start, self.revision, self.said = dict(etcd.objects()), etcd.revision, 0
        self.commands = list(self.cluster.console.running())
        log.steps.clear()
        etcd.compact(etcd.revision)


def play(script):
    """The Player after everything was done and time enough has passed; the store is there again by then."""
    player = Player(script)
    for act in script.acts:
        player.act(act)
    player.cluster.fault("etcd mend")
    player.run_until(player.cluster.clock.now + AFTERWARDS)
    return player
