"""The scheduler as a component: it takes one Pod at a time from its queue and finds it a node."""
from lifecycle.simulation.component import Component
from lifecycle.simulation.conditions import condition_patch, pod_condition
from lifecycle.simulation.objects import is_deleting, is_terminal, name_of, split_key
from lifecycle.simulation.resources import resource
from lifecycle.simulation.timings import API_CALL, SCHEDULE_POD

from . import preemption
from .algorithm import SHOWN, Diagnosis, schedule
from .binding import VolumeBinder
from .cache import Cache
from .diagnosis import histogram, sentence, shortened
from .events import Events
from .plugins import volume_binding
from .plugins.scheduling_gates import is_gated
from .scheduling_queue import SchedulingQueue
from .view import View

NAME = "default-scheduler"
NO_CLAIMS = "no new claims to deallocate"       # what the DynamicResources plugin says after Filter, even of Pods without such claims
NOT_FILTERED = "not found"                      # what it says when a Pod was rejected before Filter


class Scheduler(Component):
    """Work keys: "" for the next scheduling cycle, "bind KEY" for a Pod that waits for its volumes, "preempt KEY" for one whose victims are to be deleted."""

    name = "scheduler"
    actor = "scheduler"
    user = "system:kube-scheduler"
    manager = "kube-scheduler"
    event_source = {"component": NAME}

    def __init__(self, cluster):
        self._cache = None
        self.scheduling_queue = SchedulingQueue(self)
        self.binder = VolumeBinder(self)
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
    def is_restored(self):
        return self._cache is not None

    def _restore(self):
        cache = self._cache = Cache()
        self.scheduling_queue = SchedulingQueue(self)
        created = self.etcd.created
        for node in sorted(self.api.list("nodes"), key=lambda node: created[resource("nodes").key("", node["metadata"]["name"])]):
            cache.set_node(node["metadata"]["name"], node)
        waiting = []
        for pod in sorted(self.api.list("pods"), key=lambda pod: created[self.key_of(pod)]):
            cache.set_pod(pod)
            if self.is_mine(pod):
                waiting.append(cache.info(name_of(pod), pod))
        waiting.sort(key=lambda info: (self.scheduling_queue.entry(info.key) or {"rank": 0})["rank"])
        for info in waiting:
            self.take(info)

    def take(self, info):
        """A Pod without a node: put it where it belongs."""
        self.cache.nominate(info, (info.pod.get("status") or {}).get("nominatedNodeName"))
        binding = self.read(f"binding {info.key}")
        if binding and binding["uid"] == info.uid:
            self.cache.assume(info, binding["node"])
        else:
            self.scheduling_queue.restore(info, self.etcd.created[self.key_of(info.pod)])

    @staticmethod
    def is_mine(pod):
        """Whether the Pod is one that this scheduler is to find a node for."""
        return (not pod["spec"].get("nodeName") and pod["spec"].get("schedulerName", NAME) == NAME and not is_gated(pod)
                and not is_terminal(pod) and not is_deleting(pod))

    @staticmethod
    def key_of(pod):
        """A Pod's key in the store."""
        return resource("pods").key(pod["metadata"]["namespace"], pod["metadata"]["name"])

    def resync(self):
        """A scheduler that starts remembers nothing."""
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
        cache = self.cache
        kind, _, pod_key = key.partition(" ")
        if kind == "bind":
            return self._bind_with_volumes(pod_key)
        if kind == "preempt":
            return self._preempt(pod_key)
        queue = self.scheduling_queue
        queue.flush(self.clock.now)
        lengths = queue.lengths()
        pod_key = queue.pop(self.clock.now)
        if pod_key is not None:
            pod = self.api.get("pods", *split_key(pod_key))
            self._cycle(cache.info(pod_key, pod), lengths)
        if queue:
            return SCHEDULE_POD
        queue.compacted()
        due = queue.next_flush()
        return None if due is None else due - self.clock.now

    def _cycle(self, info, lengths):
        """One scheduling cycle: take the Pod, filter, score, reserve, bind."""
        name, key, pod = info.pod["metadata"]["name"], self.key_of(info.pod), info.pod
        entry = self.scheduling_queue.entry(info.key)
        self.say("scheduler", "TakePod", None, key, {"pod": name, "priority": info.priority, "attempt": entry["attempts"] + 1 if entry else 1, **lengths})
        view = View(self.cache, self.api)
        result = schedule(info, view, self.read("start", 0), self.random)
        if isinstance(result, Diagnosis):
            self._say_filtered(name, key, 0, result.nodes, result.whole)
            self._fail(info, view, result)
            return
        if result.start != self.read("start", 0):
            self.write("start", result.start)
        self._say_filtered(name, key, result.feasible, result.rejected, None)
        if result.scores:
            self.say("scheduler", "ScoreNodes", None, key, {"pod": name, "scores": result.scores})
        node = result.node.name
        self.say("scheduler", "ReserveNode", None, key, {"pod": name, "node": node})
        self.scheduling_queue.remove(info.key, forget=False)
        chosen = self._volumes(info, view, result.node)
        if chosen:
            self.cache.assume(info, node)
            self.binder.start(info, node, chosen)
        else:
            self._bind(pod, node)

    def _say_filtered(self, name, key, feasible, rejected, whole):
        facts = {"pod": name, "feasible": feasible}
        if whole:
            facts["rejected"] = whole.reasons[0]
        elif len(rejected) <= SHOWN:
            facts["excluded"] = {node: list(rejection.reasons) for node, rejection in rejected.items()}
        if rejected:
            facts["reasons"] = histogram(rejected.values())
        self.say("scheduler", "FilterNodes", None, key, facts)

    @staticmethod
    def _volumes(info, view, node):
        """What the Pod's unbound claims get on the node: {claim: PersistentVolume or None}; empty without such claims."""
        state = volume_binding.prepare(info, view)
        return volume_binding.decide(state, node, view.api) if state and state.waiting else {}

    # -- binding -----------------------------------------------------------------------------------------------------------
    def _bind(self, pod, node):
        meta = pod["metadata"]
        body = {"kind": "Binding", "apiVersion": "v1", "metadata": {"name": meta["name"], "namespace": meta["namespace"], "uid": meta["uid"]},
                "target": {"kind": "Node", "name": node}}
        answer = self.api.about(pod=meta["name"], node=node).create("pods", meta["namespace"], body, "binding", meta["name"])
        if answer.ok:
            self.event(pod, "Normal", "Scheduled", f"Successfully assigned {meta['namespace']}/{meta['name']} to {node}")
        else:
            self._not_bound(pod, f'running Bind plugin "DefaultBinder": {answer.body.get("message", "")}')

    def _not_bound(self, pod, message):
        """The Pod goes back to the queue if it still wants a node."""
        key = name_of(pod)
        self.write(f"binding {key}", None)
        self.cache.forget_pod(key)
        current = self.api.get("pods", *split_key(key))
        if current is None or not self.is_mine(current):
            return
        self.scheduling_queue.error(self.cache.info(key, current))
        self.event(current, "Warning", "FailedScheduling", shortened(message))
        self._write_condition(current, "SchedulerError", message, {})
        self.again("", SCHEDULE_POD)

    def _bind_with_volumes(self, key):
        if not self.read(f"binding {key}"):
            return None
        wait = self.binder.next_look(key)
        if wait not in (None, 1000):
            return wait
        what, delay = self.binder.step(key)
        if what == "wait":
            return self.binder.deadline(key) if delay is None else delay
        pod = self.api.get("pods", *split_key(key))
        if what == "bind":
            node = self.read(f"binding {key}")["node"]
            self.write(f"binding {key}", None)
            self._bind(pod, node)
        else:
            self._not_bound(pod, what)
        return None

    # -- failure -----------------------------------------------------------------------------------------------------------
    def _fail(self, info, view, diagnosis):
        """Say why, make room if that is possible, and put the Pod aside."""
        pod, nodes = info.pod, len(view.nodes)
        attempt = preemption.Attempt(None) if diagnosis.whole or not nodes else preemption.attempt(info, diagnosis, view, self.random)
        after = "" if attempt.candidate or not nodes else NOT_FILTERED if diagnosis.whole else f"{NO_CLAIMS}, preemption: {attempt.message}"
        message = sentence(nodes, diagnosis, after)
        status = {}
        if attempt.candidate:
            status = {"nominatedNodeName": attempt.candidate.node}
        elif attempt.clear and pod["status"].get("nominatedNodeName"):
            status = {"nominatedNodeName": None}
        victims = [[victim.key, victim.uid] for victim in attempt.candidate.victims if not victim.terminating] if attempt.candidate else []
        self.scheduling_queue.fail(info, diagnosis.plugins, bool(victims))
        self.event(pod, "Warning", "FailedScheduling", shortened(message))
        self._write_condition(pod, "Unschedulable", message, status)
        if victims:
            self.say("scheduler", "ChooseVictims", None, self.key_of(pod), {
                "pod": pod["metadata"]["name"], "node": attempt.candidate.node, "victims": [key for key, _ in victims], "violations": attempt.candidate.violations})
            self.write(f"preemption {info.key}", {"uid": info.uid, "node": attempt.candidate.node, "victims": victims})
            self.again(f"preempt {info.key}", API_CALL)

    def _write_condition(self, pod, reason, message, status):
        new = pod_condition(pod, "PodScheduled", "False", reason, message, self.clock.timestamp())
        if (pod["status"].get("nominatedNodeName") or None) == status.get("nominatedNodeName"):
            status = {}
        body = {**condition_patch(pod, new), **status}
        if body:
            self.about(pod).patch("pods", pod["metadata"]["namespace"], pod["metadata"]["name"], {"status": body}, "status")

    # -- preemption --------------------------------------------------------------------------------------------------------
    def _preempt(self, key):
        """Delete the next victim of a Pod: first the condition that says why, then the deletion."""
        state = self.read(f"preemption {key}")
        if not state:
            return None
        victims = state["victims"]
        rival = self._weaker_nominee(key, state["node"])
        if rival is not None:
            self.about(rival).patch("pods", rival["metadata"]["namespace"], rival["metadata"]["name"], {"status": {"nominatedNodeName": None}}, "status")
            return API_CALL
        while victims and preemption.already_going(victim := self._victim(*victims[0])):
            victims = victims[1:]
        if not victims:
            return self._preempted(key)
        namespace, name = split_key(victims[0][0])
        condition = pod_condition(victim, "DisruptionTarget", "True", "PreemptionByScheduler", f"{NAME}: preempting to accommodate a higher priority pod", self.clock.timestamp())
        patch = condition_patch(victim, condition)
        if patch and not preemption.is_victim(victim):
            self.write(f"preemption {key}", {**state, "victims": victims})
            self.about(victim).patch("pods", namespace, name, {"status": patch}, "status")
            return API_CALL
        self.write(f"preemption {key}", {**state, "victims": victims[1:]})
        if len(victims) == 1:
            self._preempted(key)
        if self.about(victim).delete("pods", namespace, name).ok:
            self.event(victim, "Normal", "Preempted", f"Preempted by pod {state['uid']} on node {state['node']}")
        return API_CALL if len(victims) > 1 else None

    def _victim(self, key, uid):
        pod = self.api.get("pods", *split_key(key))
        return pod if pod and pod["metadata"]["uid"] == uid else None

    def _weaker_nominee(self, key, node):
        """A less important Pod that counts on the same room, and will not get it."""
        preemptor = self.api.get("pods", *split_key(key))
        priority = (preemptor["spec"].get("priority") or 0) if preemptor else 0
        return next((info.pod for other, info in (self.cache.nominated.get(node) or {}).items() if other != key and info.priority < priority), None)

    def _preempted(self, key):
        self.write(f"preemption {key}", None)
        self.scheduling_queue.preempted(key)

