"""Deleting the victims of a preemption, while the scheduler goes on with other Pods (framework/preemption/executor.go).

What is under way is on the disk: {"uid" of the Pod that needs the room, "node", "victims": [[key, uid], ...]}.
"""
from lifecycle.simulation.conditions import condition_patch, pod_condition
from lifecycle.simulation.objects import is_deleting, split_key
from lifecycle.simulation.timings import API_CALL

from .preemption import is_victim

MESSAGE = "default-scheduler: preempting to accommodate a higher priority pod"


class Victims:
    """Acts on behalf of the scheduler component."""

    def __init__(self, scheduler):
        self.scheduler = scheduler

    def start(self, info, candidate, victims):
        """Remember who has to go."""
        scheduler, names = self.scheduler, [victim.key for victim in victims]
        scheduler.say("scheduler", "ChooseVictims", None, scheduler.key_of(info.pod), {
            "pod": info.pod["metadata"]["name"], "node": candidate.node, "victims": names, "violations": candidate.violations})
        scheduler.write(f"preemption {info.key}", {"uid": info.uid, "node": candidate.node, "victims": [[victim.key, victim.uid] for victim in victims]})
        scheduler.again(f"preempt {info.key}", API_CALL)

    def step(self, key):
        """The next request for the Pod `key`. Returns the ms until the one after it, or None."""
        state = self.scheduler.read(f"preemption {key}")
        if not state:
            return None
        if self._disappoint(key, state["node"]):
            return API_CALL
        victims = [one for one in state["victims"] if self._pod(*one) is not None]
        if not victims:
            return self._done(key)
        self.scheduler.write(f"preemption {key}", {**state, "victims": victims})
        return self._remove(key, state, victims)

    def _remove(self, key, state, victims):
        """First the condition that says why, then the deletion."""
        scheduler, victim = self.scheduler, self._pod(*victims[0])
        namespace, name = split_key(victims[0][0])
        if not is_victim(victim):
            new = pod_condition(victim, "DisruptionTarget", "True", "PreemptionByScheduler", MESSAGE, scheduler.clock.timestamp())
            scheduler.about(victim).patch("pods", namespace, name, {"status": condition_patch(victim, new)}, "status")
            return API_CALL
        if len(victims) == 1:
            self._done(key)
        if scheduler.about(victim).delete("pods", namespace, name).ok:
            scheduler.event(victim, "Normal", "Preempted", f"Preempted by pod {state['uid']} on node {state['node']}")
        return API_CALL if len(victims) > 1 else None

    def _pod(self, key, uid):
        """A victim that is still to be deleted, or None."""
        pod = self.scheduler.api.get("pods", *split_key(key))
        return pod if pod and pod["metadata"]["uid"] == uid and not is_deleting(pod) else None

    def _disappoint(self, key, node):
        """Take back the nomination of a less important Pod that counts on the same room; whether there was one."""
        scheduler = self.scheduler
        preemptor = scheduler.api.get("pods", *split_key(key))
        priority = (preemptor["spec"].get("priority") or 0) if preemptor else 0
        for other, info in (scheduler.cache.nominated.get(node) or {}).items():
            if other != key and info.priority < priority:
                scheduler.about(info.pod).patch("pods", info.namespace, info.pod["metadata"]["name"], {"status": {"nominatedNodeName": None}}, "status")
                return True
        return False

    def _done(self, key):
        """From now on the Pod may be tried again, when something happens that helps it."""
        self.scheduler.write(f"preemption {key}", None)
        self.scheduler.waiting.preempted(key)
