"""Which Pods a Service selects, and what became of them since its endpoints were last written.

What the endpoint controllers share: pkg/controller/util/endpoint (which changes matter), staging/src/k8s.io/endpointslice/util (trigger times).
"""
from ...objects import condition, is_deleting, is_ready, is_terminal, name_of
from ...resources import resource
from ..etcd import Compacted


def belongs(pod, terminating=True):
    """Whether a Pod is an endpoint at all: it has an address and has not ended; with or without those that are being deleted."""
    return bool(pod.get("status", {}).get("podIP")) and not is_terminal(pod) and (terminating or not is_deleting(pod))


def selects_pods(service):
    """Whether the endpoints of a Service are made from its selector."""
    return bool(service["spec"].get("selector")) and service["spec"].get("type") != "ExternalName"


def _ready_since(pod):
    """When the Pod's readiness last changed, "" if it never was looked at."""
    ready = condition(pod, "Ready") if pod else None
    return ready.get("lastTransitionTime") or "" if ready else ""


# What an endpoint is made of, as far as it can change.
ASPECTS = (is_deleting, is_ready, belongs, lambda pod: pod.get("status", {}).get("podIPs"), lambda pod: pod["metadata"].get("labels"))


def _matters(before, now):
    """Whether a change of a Pod can change an endpoint."""
    if before is None:
        return True
    return any(aspect(before) != aspect(now) for aspect in ASPECTS)


class ServicePods:
    """Follows the Pods of all Services for one controller.

    What changed since a Service's last sync is kept in memory; after a restart it is found again in the store's history, from the revision of that
    sync, which the controller keeps on disk under "synced NAMESPACE/NAME".
    """

    def __init__(self, component):
        self.component, self.etcd, self.indexes = component, component.etcd, component.indexes
        self._before = {}           # Service -> {Pod's store key: the Pod at the last sync, or None}
        self._triggers = {}         # Service -> trigger time of a sync that is not over yet

    def services_of(self, change):
        """Watch function for Pods: the Services whose endpoints may change."""
        now = None if change.type == "DELETED" else change.object
        matters = now is None or _matters(change.previous, now)
        if not matters and _ready_since(change.previous) == _ready_since(now):
            return ()
        keys = self._selecting(change)
        for key in keys:
            if key in self._before:
                self._before[key].setdefault(change.key, change.previous)
        return keys if matters else ()

    def _selecting(self, change):
        services = self.etcd.unsorted(resource("services").prefix(change.object["metadata"]["namespace"])).values()
        labels = [each["metadata"].get("labels") for each in (change.object, change.previous) if each is not None]
        return [name_of(each) for each in services if selects_pods(each) and any(_selected(each, these) for these in labels)]

    def selected(self, service):
        """{store key: Pod} of all Pods that a Service selects, sorted."""
        namespace, selector = service["metadata"]["namespace"], service["spec"]["selector"]
        found = self.indexes.find("pods by label", (namespace, *next(iter(selector.items()))))
        return {key: found[key] for key in sorted(found) if _selected(service, found[key]["metadata"].get("labels"))}

    def changed(self, key):
        """{Pod's store key: the Pod at the last sync, or None} of the Pods that changed since then; None if the Service was never synced."""
        if key not in self._before:
            synced = self.component.read(f"synced {key}")
            if synced is None:
                return None
            self._before[key] = self._since(key, synced)
        return self._before[key]

    def _since(self, key, revision):
        before = {}
        try:
            for change in self.etcd.since(revision, f"/registry/pods/{key.partition('/')[0]}/"):
                if key in self._selecting(change):
                    before.setdefault(change.key, change.previous)
        except Compacted:
            pass
        return before

    def settle(self, key, service, names):
        """The Pods with these names are in the endpoints, but the sync goes on."""
        self._triggers[key] = self.trigger_time(key, service)
        prefix = resource("pods").prefix(service["metadata"]["namespace"])
        for name in names:
            (self.changed(key) or {}).pop(f"{prefix}/{name}", None)

    def synced(self, key):
        """All changes so far are in the endpoints."""
        self._before[key] = {}
        self._triggers.pop(key, None)
        self.component.write(f"synced {key}", self.etcd.revision)

    def forget(self, key):
        """The Service is gone."""
        self._before.pop(key, None)
        self._triggers.pop(key, None)
        self.component.write(f"synced {key}", None)

    def trigger_time(self, key, service):
        """The earliest change of a Pod's readiness since the last sync; the Service's creation if there was none yet; or None."""
        if key in self._triggers:
            return self._triggers[key]
        changed = self.changed(key)
        if changed is None:
            return service["metadata"]["creationTimestamp"]
        pods = [(before, self.etcd.get(pod)) for pod, before in changed.items()]
        times = [_ready_since(now) for before, now in pods if now is not None and _ready_since(now) > _ready_since(before)]
        return min(times, default=None)


def _selected(service, labels):
    """A Service's selector is a plain dict of labels that all must be there."""
    return bool(labels) and service["spec"]["selector"].items() <= labels.items()
