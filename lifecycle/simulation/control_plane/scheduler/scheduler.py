"""The scheduler as a component: it takes one Pod at a time from its queue and finds it a node."""
from lifecycle.simulation.component import Component
from lifecycle.simulation.objects import is_deleting, is_terminal, name_of, split_key
from lifecycle.simulation.resources import resource
from lifecycle.simulation.timings import SCHEDULE_POD

from .algorithm import Diagnosis, schedule
from .binding import VolumeBinder
from .cache import Cache
from .diagnosis import histogram
from .events import Events
from .failure import Failure
from .plugins import volume_binding
from .plugins.scheduling_gates import is_gated
from .scheduling_queue import SchedulingQueue
from .scoring import SHOWN
from .victims import Victims
from .view import View

NAME = "default-scheduler"


class Scheduler(Component):
    """Work keys: "" for the next scheduling cycle, "bind KEY" for a Pod that waits for its volumes, "preempt KEY" for one whose victims are to be deleted."""

    name = "scheduler"
    actor = "scheduler"
    user = "system:kube-scheduler"
    manager = "kube-scheduler"
    event_source = {"component": NAME}
    first_retry, longest_retry = 1000, 10_000          # --pod-initial-backoff-seconds, --pod-max-backoff-seconds

    def __init__(self, cluster):
        self._cache = None
        self.waiting = SchedulingQueue(self)
        self.binder, self.failure, self.victims = VolumeBinder(self), Failure(self), Victims(self)
        super().__init__(cluster)

    def watched(self):
        return Events(self).watches()

    # -- caches ------------------------------------------------------------------------------------------------------------
    @property
    def cache(self):
        """Nodes and Pods; made from the store when it is first needed."""
        if self._cache is None:
            self._restore()
        return self._cache

    @property
    def is_fresh(self):
        """Whether there is no cache yet, and neither work nor anything on the disk that one would be needed for."""
        return self._cache is None and not self.etcd.disk(self.name) and (self.name, "") not in self.queue.waiting

    @property
    def is_restored(self):
        return self._cache is not None

    def _restore(self):
        cache = self._cache = Cache()
        self.waiting = SchedulingQueue(self)
        created = self.etcd.created
        for node in sorted(self.api.list("nodes"), key=lambda node: created[resource("nodes").key("", node["metadata"]["name"])]):
            cache.set_node(node["metadata"]["name"], node)
        waiting = []
        for pod in sorted(self.api.list("pods"), key=lambda pod: created[self.key_of(pod)]):
            cache.set_pod(pod)
            if self.is_mine(pod):
                waiting.append(cache.info(name_of(pod), pod))
        waiting.sort(key=lambda info: (self.waiting.entry(info.key) or {"since": 0})["since"])
        for info in waiting:
            self.take(info)

    def take(self, info):
        """A Pod without a node: put it where it belongs."""
        self.cache.waiting[info.key] = info
        self.cache.nominate(info.key, (info.pod.get("status") or {}).get("nominatedNodeName"))
        binding = self.read(f"binding {info.key}")
        if binding and binding["uid"] == info.uid:
            self.cache.assume(info, binding["node"])
        else:
            self.waiting.restore(info, self.etcd.created[self.key_of(info.pod)])

    @staticmethod
    def is_mine(pod):
        """Whether the Pod is one that this scheduler is to find a node for."""
        return (not pod["spec"].get("nodeName") and pod["spec"].get("schedulerName", NAME) == NAME and not is_gated(pod)
                and not is_terminal(pod) and not is_deleting(pod))

    @staticmethod
    def key_of(pod):
        """A Pod's key in the store."""
        return resource("pods").key(pod["metadata"]["namespace"], pod["metadata"]["name"])

    def rest(self):
        """With no Pod left in any queue there is nothing to come back for."""
        if not self.waiting and not self.waiting.unschedulable:
            self.queue.remove(self.name, "")

    def forget(self):
        self._cache = None

    def resync(self):
        """A scheduler that starts remembers nothing of earlier attempts."""
        for key in list(self.etcd.disk(self.name)):
            self.write(key, None)
        self._cache = None
        yield ""

    def about(self, pod):
        """The API, with the Pod on every message."""
        return self.api.about(pod=pod["metadata"]["name"])

    def facts_of_event(self, about):
        return {"pod": about["metadata"]["name"]}

    # -- work --------------------------------------------------------------------------------------------------------------
    def reconcile(self, key):
        cache, queue = self.cache, self.waiting
        kind, _, pod_key = key.partition(" ")
        if kind == "bind":
            return self._bind_with_volumes(pod_key)
        if kind == "preempt":
            return self.victims.step(pod_key)
        queue.flush(self.clock.now)
        lengths = queue.lengths()
        pod_key = queue.pop(self.clock.now)
        if pod_key is not None:
            self._cycle(cache.info(pod_key, self.api.get("pods", *split_key(pod_key))), lengths)
        if queue:
            return SCHEDULE_POD
        queue.compact()
        due = queue.next_flush()
        return None if due is None else due - self.clock.now

    def _cycle(self, info, lengths):
        """One scheduling cycle: take the Pod, filter, score, reserve, bind."""
        name, key, entry = info.pod["metadata"]["name"], self.key_of(info.pod), self.waiting.entry(info.key)
        self.say("scheduler", "TakePod", None, key, {"pod": name, "priority": info.priority, "attempt": entry["attempts"] + 1 if entry else 1, **lengths})
        view, start = View(self.cache, self.api), self.read("start", 0)
        result = schedule(info, view, start, self.random)
        if isinstance(result, Diagnosis):
            self._say_filtered(name, key, 0, result.nodes, result.whole)
            self.failure.record(info, view, result)
            return
        if result.start != start:
            self.write("start", result.start)
        self._say_filtered(name, key, result.feasible, result.rejected, None)
        if result.scores:
            self.say("scheduler", "ScoreNodes", None, key, {"pod": name, "scores": result.scores})
        self.say("scheduler", "ReserveNode", None, key, {"pod": name, "node": result.node.name})
        self._reserve(info, view, result.node)

    def _say_filtered(self, name, key, feasible, rejected, whole):
        facts = {"pod": name, "feasible": feasible}
        if whole:
            facts["rejected"] = whole.reasons[0]
        elif len(rejected) <= SHOWN:
            facts["excluded"] = {node: list(rejection.reasons) for node, rejection in rejected.items()}
        if rejected:
            facts["reasons"] = histogram(rejected.values())
        self.say("scheduler", "FilterNodes", None, key, facts)

    # -- binding -----------------------------------------------------------------------------------------------------------
    def _reserve(self, info, view, node):
        """Bind at once, or see to the Pod's volumes first."""
        self.waiting.remove(info.key, forget=False)
        state = volume_binding.prepare(info, view)
        chosen = volume_binding.decide(state, node, self.api) if state and state.waiting else None
        if chosen:
            self.cache.assume(info, node.name)
            self.binder.start(info, node.name, chosen)
        else:
            self._bind(info.pod, node.name)

    def _bind(self, pod, node):
        meta = pod["metadata"]
        body = {"kind": "Binding", "apiVersion": "v1", "metadata": {"name": meta["name"], "namespace": meta["namespace"], "uid": meta["uid"]},
                "target": {"kind": "Node", "name": node}}
        answer = self.api.about(pod=meta["name"], node=node).create("pods", meta["namespace"], body, "binding", meta["name"])
        if answer.ok:
            self.event(pod, "Normal", "Scheduled", f"Successfully assigned {meta['namespace']}/{meta['name']} to {node}")
        else:
            self._not_bound(name_of(pod), f'running Bind plugin "DefaultBinder": {answer.body.get("message", "")}')

    def _bind_with_volumes(self, key):
        state = self.read(f"binding {key}")
        if not state:
            return None
        what, delay = self.binder.step(key, state)
        if what == "wait":
            return delay
        if what == "bind":
            self.write(f"binding {key}", None)
            self._bind(self.api.get("pods", *split_key(key)), state["node"])
        else:
            self._not_bound(key, what)
        return None

    def _not_bound(self, key, message):
        """The Pod goes back to the queue if it still wants a node."""
        self.write(f"binding {key}", None)
        self.cache.forget_pod(key)
        pod = self.api.get("pods", *split_key(key))
        if pod is not None and self.is_mine(pod):
            self.waiting.error(self.cache.info(key, pod))
            self.failure.tell(pod, "SchedulerError", message)
            self.again("", SCHEDULE_POD)
