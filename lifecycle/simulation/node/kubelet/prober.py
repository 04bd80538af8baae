"""The probe workers of the kubelets: when a container is probed, and what follows from the results (pkg/kubelet/prober/worker.go).

A worker's ticks are a grid that begins when the kubelet has the Pod's volumes. Only those ticks are worked off at which something can happen: while a probe
succeeds and nothing in its container can change, there is nothing to do.
State on the node's disk under "probes UID": {"container/kind": {"origin": ms of the grid, "id": container, "last", "run", "hold", "trigger", "pending"}}.
"""
from ... import broken
from ...objects import is_deleting, is_terminal
from ..disk import PodKey, is_down, node_space
from . import probing, status
from .part import KubeletPart
from .worker import Worker

SECOND = 1000
KINDS = {"startup": "startupProbe", "liveness": "livenessProbe", "readiness": "readinessProbe"}
LISTS = ("containerStatuses", "initContainerStatuses")
NEW = {"id": None, "last": None, "run": 0, "hold": False, "trigger": False, "pending": None}


class Prober(KubeletPart):
    """Work keys: the Pod's key, container, kind."""

    name = "prober"
    is_punctual = True

    def facts_for(self, key):
        return PodKey(*key.split("/")[:4]).facts

    # -- the kubelet's side ------------------------------------------------------------------------------------------------
    def add(self, worker):
        """Begin to probe a Pod's containers, if they ask for it; idempotent."""
        wanted = {f"{spec['name']}/{kind}": {**NEW, "origin": worker.now} for spec in worker.specs() for kind, field in KINDS.items() if field in spec}
        if wanted and self._states(worker.key) == {}:
            self.etcd.write(node_space(worker.key.node), f"probes {worker.key.uid}", wanted)

    def remove(self, pod):
        self.etcd.write(node_space(pod.node), f"probes {pod.uid}", None)
        broken.write(self.etcd, f"probes {pod.uid}", None)

    def look(self, pod, trigger=False):
        """Something about the Pod's containers may be new. `trigger`: a status was computed, which has unready containers probed at once."""
        states = self._states(pod)
        if trigger and any(name.endswith("/readiness") for name in states):
            states = {name: {**state, "trigger": True} if name.endswith("/readiness") else state for name, state in states.items()}
            self.etcd.write(node_space(pod.node), f"probes {pod.uid}", states)
        for name in states:
            self.again(f"{pod.key}/{name}")

    def force(self, pod, container, kind, failing):
        """Let a container's probe fail, or tell the truth again; it stays so when the container is restarted."""
        known = broken.read(self.etcd, f"probes {pod.uid}", {"failing": []})["failing"]
        names = [name for name in known if name != f"{container}/{kind}"] + ([f"{container}/{kind}"] if failing else [])
        broken.write(self.etcd, f"probes {pod.uid}", {"pod": f"{pod.namespace}/{pod.name}", "failing": names} if names else None)
        self.look(pod)

    def _states(self, pod):
        return self.etcd.read(node_space(pod.node), f"probes {pod.uid}") or {}

    def _keep(self, pod, name, state):
        self.etcd.write(node_space(pod.node), f"probes {pod.uid}", {**self._states(pod), name: state})

    # -- a worker's turn ---------------------------------------------------------------------------------------------------
    def reconcile(self, key):
        """Probe if it is time to; returns ms until the next tick that matters."""
        *parts, container_name, kind = key.split("/")
        pod, name = PodKey(*parts), f"{container_name}/{kind}"
        state = self._states(pod).get(name)
        if state is None or is_down(self.etcd, pod.node):
            return None
        worker = Worker(self.kubelet, pod)
        container = worker.container(container_name)
        if worker.pod is None or container is None or is_terminal(worker.pod) or not shown(worker, container):
            return None
        spec, _ = worker.spec_of(container)
        state = dict(state)
        wait = self._turn(worker, container, spec[KINDS[kind]], kind, state)
        self._keep(pod, name, state)
        return wait

    def _turn(self, worker, container, probe, kind, state):
        if state["id"] != container["id"]:
            self._new_container(worker, container, kind, state)
        if state["pending"] and state["pending"][0] <= worker.now:
            self._result(worker, container, probe, kind, state)
        elif not state["pending"] and self._is_time(worker, container, probe, kind, state):
            state["trigger"] = False
            outcome = probing.run(worker, container, probe, kind)
            state["pending"] = list(outcome)
            if outcome.at <= worker.now:
                self._result(worker, container, probe, kind, state)
        return self._next(worker, container, probe, kind, state)

    def _new_container(self, worker, container, kind, state):
        state.update(id=container["id"], hold=False)
        if kind != "liveness":
            self._sync(worker)

    def _sync(self, worker):
        """Keep what was noted, and ask for a sync."""
        worker.record["again"] = True
        worker.keep()
        self.kubelet.again(worker.key.key)

    def _runs(self, worker, container, probe, kind, state):
        """Whether the probe is active at all at this moment."""
        started = worker.record["results"].get(container["id"], {}).get("startup", "startupProbe" not in worker.spec_of(container)[0])
        ending = not worker.exists or is_deleting(worker.pod)
        return container["state"] == "running" and not state["hold"] and not (ending and kind != "readiness") and started == (kind != "startup")

    def _is_time(self, worker, container, probe, kind, state):
        """A tick of the grid or a trigger, after the initial delay (counted from the whole second of the start)."""
        if not self._runs(worker, container, probe, kind, state) or worker.now < delayed_until(self.clock, container, probe, worker.skew):
            return False
        if state["trigger"] and not worker.record["results"].get(container["id"], {}).get("readiness"):
            state["origin"] = worker.now
            return True
        return (worker.now - state["origin"]) % (probe.get("periodSeconds", 10) * SECOND) == 0 and worker.now > state["origin"]

    def _next(self, worker, container, probe, kind, state):
        """ms until the next tick that matters, or None."""
        state["trigger"] = False
        if state["pending"]:
            return state["pending"][0] - worker.now
        if not self._runs(worker, container, probe, kind, state):
            return None
        after = max(worker.now + 1, delayed_until(self.clock, container, probe, worker.skew))
        if state["last"] and state["run"] >= probe.get("successThreshold", 1):
            change = probing.may_change_at(worker, container, probe, kind)
            if change is None:
                return None
            after = max(after, change)
        return tick(state["origin"], probe.get("periodSeconds", 10) * SECOND, after) - worker.now

    def _result(self, worker, container, probe, kind, state):
        """Count a result; at the threshold something follows."""
        _, success, output = state["pending"]
        state["pending"] = None
        state["run"] = state["run"] + 1 if state["last"] == success else 1
        state["last"] = success
        if not success:
            spec, field = worker.spec_of(container)
            worker.event("Warning", "Unhealthy", f"{kind.capitalize()} probe failed: {output}", spec["name"], field)
        if state["run"] < probe.get("successThreshold" if success else "failureThreshold", 1 if success else 3):
            return
        self._follow(worker, container, kind, success)
        if kind == "startup" or kind == "liveness" and not success:
            state.update(hold=True, run=0)

    def _follow(self, worker, container, kind, success):
        """What a decided result means for the container."""
        results = worker.record["results"]
        known = results.get(container["id"], {})
        if kind == "liveness" or kind == "startup" and not success:
            new = {**known, f"{kind} failed": True} if not success else known
        else:
            new = {**known, kind: success}
        if new == known or kind == "readiness" and not success and "readiness" not in known:
            return
        alive = worker.runtime["containers"]
        worker.record["results"] = {**{identity: result for identity, result in results.items() if identity in alive}, container["id"]: new}
        self.say("kubelet", "ProbeResult", None, worker.key.object, {**worker.key.facts, "container": container["name"], "probe": kind, "success": success})
        if kind == "readiness" or success:
            status.report(worker)
        self._sync(worker)


def shown(worker, container):
    """Whether the Pod's status tells of this container: probe workers go by the status."""
    told = worker.pod.get("status", {})
    return any(status.get("containerID", "").endswith(container["id"]) for listed in LISTS for status in told.get(listed, ()))


def delayed_until(clock, container, probe, skew):
    """The ms before which a container is not probed; `skew` is that of the node's clock (ms)."""
    start = container["started"] + container.get("skew", 0) - skew
    started = (clock.epoch + start) // SECOND * SECOND - clock.epoch
    return started + probe.get("initialDelaySeconds", 0) * SECOND


def tick(origin, period, after):
    """The first tick of a grid at or after a time."""
    return origin + max(-(-(after - origin) // period), 1) * period
