"""The binding cycle of a Pod that needs volumes first: claim them, wait until they are there, then bind (plugins/volumebinding PreBind).

What is under way is on the disk: {"uid", "node", "since" (ms), "claims" {claim: volume name or None: to be made}, "nominated": whether the node was announced,
"poll": ms of the next look at the claims, if one is due}.
"""
from lifecycle.simulation.objects import at, is_deleting, replaced, split_key
from lifecycle.simulation.storage import BOUND_BY_CONTROLLER, SELECTED_NODE
from lifecycle.simulation.timings import API_CALL, SECOND

from .plugins.volume_binding import is_bound

LONGEST_WAIT = 600 * SECOND
POLL = SECOND


class VolumeBinder:
    """Does one step for one Pod at a time on behalf of the scheduler component."""

    def __init__(self, scheduler):
        self.scheduler = scheduler

    def start(self, info, node, chosen):
        """Keep in mind what was decided; `chosen` is {claim: PersistentVolume or None}."""
        claims = {name: volume and volume["metadata"]["name"] for name, volume in chosen.items()}
        self.scheduler.write(f"binding {info.key}", {"uid": info.uid, "node": node, "since": None, "claims": claims, "nominated": False})
        self.scheduler.again(f"bind {info.key}", API_CALL)

    def step(self, key, state):
        """The next thing for a Pod. Returns (what to do: "wait", "bind", or the sentence of a failure; ms to wait)."""
        scheduler = self.scheduler
        namespace, name = split_key(key)
        if not state["nominated"]:
            scheduler.write(f"binding {key}", {**state, "nominated": True})
            scheduler.api.about(pod=name).patch("pods", namespace, name, {"status": {"nominatedNodeName": state["node"]}}, "status")
            return "wait", API_CALL
        if state["since"] is None:
            if self._claim_one(state, namespace):
                return "wait", API_CALL
            scheduler.write(f"binding {key}", {**state, "since": scheduler.clock.now})
            return "wait", POLL
        now = scheduler.clock.now
        poll = state.get("poll") or now + -(now - state["since"]) % POLL
        if poll > now:
            scheduler.write(f"binding {key}", {**state, "poll": poll})
            return "wait", poll - now
        scheduler.write(f"binding {key}", {**state, "poll": None})
        return self._look(state, namespace)

    def _claim_one(self, state, namespace):
        """Reserve the next volume or ask for the next one to be made; whether there was one."""
        api = self.scheduler.api
        for claim_name, volume_name in state["claims"].items():
            claim = api.get("persistentvolumeclaims", namespace, claim_name)
            if claim is None or is_bound(claim):
                continue
            if volume_name is None and (claim["metadata"].get("annotations") or {}).get(SELECTED_NODE) != state["node"]:
                self.scheduler.api.update("persistentvolumeclaims", replaced(claim, state["node"], "metadata", "annotations", SELECTED_NODE))
                return True
            volume = volume_name and api.get("persistentvolumes", "", volume_name)
            if volume and not at(volume, "spec", "claimRef", "uid"):
                self.scheduler.api.update("persistentvolumes", reserved(volume, claim))
                return True
        return False

    def _look(self, state, namespace):
        """The claims are polled every second; here, in the seconds after one of them changed."""
        scheduler = self.scheduler
        claims = {name: scheduler.api.get("persistentvolumeclaims", namespace, name) for name in state["claims"]}
        for name, claim in claims.items():
            if claim is None or is_deleting(claim):
                return f'running PreBind plugin "VolumeBinding": binding volumes: failed to get PVC {name} from lister' if claim is None else (
                    f'running PreBind plugin "VolumeBinding": binding volumes: pvc "{name}" is being deleted'), 0
            if state["claims"][name] is None and not is_bound(claim) and SELECTED_NODE not in (claim["metadata"].get("annotations") or {}):
                return f'running PreBind plugin "VolumeBinding": binding volumes: selectedNode annotation reset for PVC "{name}"', 0
        if all(map(is_bound, claims.values())):
            return "bind", 0
        waited = scheduler.clock.now - state["since"]
        if waited >= LONGEST_WAIT:
            return 'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded', 0
        return "wait", LONGEST_WAIT - waited


def reserved(volume, claim):
    """A PersistentVolume with the claim as its claimRef."""
    meta = claim["metadata"]
    reference = {"kind": "PersistentVolumeClaim", "namespace": meta["namespace"], "name": meta["name"], "uid": meta["uid"], "apiVersion": "v1",
                 "resourceVersion": meta["resourceVersion"]}
    annotated = replaced(volume, "yes", "metadata", "annotations", BOUND_BY_CONTROLLER)
    return replaced(annotated, reference, "spec", "claimRef")
