"""The one door to a simulated cluster: it wires the parts, moves the clock, and takes requests."""
from . import broken
from .clock import EPOCH, Clock
from .control_plane import controllers, csi, scheduler
from .control_plane.apiserver import COMPONENTS as API_COMPONENTS
from .control_plane.apiserver import APIServer
from .control_plane.etcd import Etcd
from .faults import apply_fault
from .hindrances import Hindrances
from .indexes import Indexes
from .kubectl import Console
from .messages import MessageLog
from .node import COMPONENTS as NODE_COMPONENTS
from .queue import WorkQueue
from .randomness import Randomness
from .recorder import Recorder
from .reflectors import Reflectors
from .resources import resource_of_key
from .timings import WATCH_DELIVERY

COMPONENTS = (Console, Recorder, Reflectors, *API_COMPONENTS, *scheduler.COMPONENTS, *controllers.COMPONENTS, *csi.COMPONENTS, *NODE_COMPONENTS)


class Cluster:
    """A cluster that stands still until it is told to move.

    `seed` decides every random choice. Everything durable is in `etcd` and `queue`; the rest can be made anew from them. `restore(cluster)` may fill these
    two before any component looks (state.py).
    """

    def __init__(self, seed=1, epoch=EPOCH, restore=None):
        self.clock = Clock(epoch=epoch)
        self.etcd = Etcd(self.clock)
        self.queue = WorkQueue()
        self.log = MessageLog(self.clock)
        self.random = Randomness(seed, self.etcd)
        if restore:
            restore(self)
        self.indexes = Indexes(self.etcd)
        self.api = APIServer(self)
        self.components = {}
        self._watchers = {}         # "/registry/pods/default" -> [(component, watch function)]
        for made in COMPONENTS:
            component = made(self)
            self.components[component.name] = component
        self.recorder = self.components["recorder"]
        self.hindrances = Hindrances(self)
        self.etcd.on_change.append(self._wake)

    # -- time --------------------------------------------------------------------------------------------------------------
    def step(self):
        """Do the next work item, moving the clock to it; False if there is none."""
        item = self.queue.pop()
        if item is None:
            return False
        self.clock.now = max(self.clock.now, item.due)
        component = self.components[item.component]
        if not self.is_stopped(component) and not self.hindrances.delays(component, item):
            self._reconcile(component, item)
        return True

    def run_until(self, at):
        """Do everything that is due up to and including `at` (virtual ms), and let the clock stand there."""
        queue = self.queue
        while (due := queue.due()) is not None and due <= at:
            self.step()
        self.clock.now = max(self.clock.now, at)

    def run_until_settled(self, limit):
        """Run until nothing waits, or until `limit` (virtual ms)."""
        while (due := self.queue.due()) is not None and due <= limit:
            self.step()

    def _reconcile(self, component, item):
        log, key = self.log, item.key
        mark = log.mark()
        for type, changed, revision in item.deliveries:
            log.say("apiserver", component.actor, "Watch" + type.capitalize(), None, changed, revision, {**component.facts_for(key), "event": type})
        told = log.mark()
        if broken.may_fail(self.etcd):
            again = self.hindrances.reconcile(component, key, told)
        else:
            again = component.reconcile(key)
            self.hindrances.carried_out(component, key)
        if again is not None:
            self.queue.add(component.name, key, self.clock.now + again)
        elif log.mark() == told:
            log.forget_since(mark)

    def _wake(self, change):
        place = change.key[:change.key.rindex("/")]
        watchers = self._watchers.get(place)
        if watchers is None:
            qualified = resource_of_key(change.key).qualified
            watching = [component for component in self.components.values() if qualified in component.watches]
            watchers = self._watchers[place] = [(component, component.watches[qualified]) for component in watching]
        any_fault, deaf = broken.any_fault(self.etcd), self.hindrances.deaf
        for component, keys_of in watchers:
            for key in keys_of(change):
                due = self.clock.now + WATCH_DELIVERY
                self.queue.deliver(component.name, key, deaf(component, due) if any_fault else due, (component.seen_as(change), change.key, change.revision))

    # -- people ------------------------------------------------------------------------------------------------------------
    def kubectl(self, line, files=None, stdin=None):
        """Start a kubectl command as typed; `files` maps names to texts. Returns the command's id; its output is `console.command(id)`."""
        return self.console.start(line, files or {}, stdin)

    @property
    def console(self):
        return self.components["kubectl"]

    def fault(self, words):
        """Break or mend something: "node n3 down", "component scheduler stop". Raises ValueError with a sentence for what is not known."""
        apply_fault(self, words)

    # -- stopped components ------------------------------------------------------------------------------------------------
    def is_stopped(self, component):
        stopped = self.etcd.disk("stopped")
        return bool(stopped) and (component.name in stopped or component.actor in stopped)

    def stop(self, name):
        """Stop a component (or every controller, by "controller-manager"). What waits for it is forgotten, as when a process ends."""
        self.etcd.write("stopped", name, {"at": self.clock.now})
        for component in self.components.values():
            if name in (component.name, component.actor):
                self.hindrances.forget(component)

    def start(self, name):
        """Start it again: it lists everything anew."""
        self.etcd.write("stopped", name, None)
        for component in self.components.values():
            if name in (component.name, component.actor):
                for key in component.resync():
                    component.again(key)
