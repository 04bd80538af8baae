"""The legacy Endpoints controller: one object per Service with all its addresses, at most a thousand (pkg/controller/endpoint)."""
from bisect import bisect_left, insort

from ...component import Component
from ...objects import is_ready, name_of, split_key
from .endpointslice.controller import HEADLESS, TRIGGER_TIME
from .endpointslice.endpoint import ports_of
from .retries import is_hopeless, retry_after
from .service_pods import ServicePods, belongs, selects_pods

MOST = 1000                    # addresses in one object
MANAGED_BY, MANAGER = "endpoints.kubernetes.io/managed-by", "endpoint-controller"
OVER_CAPACITY = "endpoints.kubernetes.io/over-capacity"


class Addresses:
    """The addresses of one Service, kept in order: {(ports, ready): [(ip, uid, address)]}. A cache that can be made again from the Pods."""

    def __init__(self, service):
        self.made_for = service["spec"]
        self._groups = {}
        self._places = {}           # Pod's store key -> (group, entry)

    def put(self, key, group, entry):
        """Where a Pod is from now on; None takes it out."""
        old = self._places.pop(key, None)
        if old is not None:
            entries = self._groups[old[0]]
            del entries[bisect_left(entries, old[1][:2], key=lambda each: each[:2])]
            if not entries:
                del self._groups[old[0]]
        if group is not None:
            insort(self._groups.setdefault(group, []), entry, key=lambda each: each[:2])
            self._places[key] = (group, entry)

    def subsets(self):
        """(subsets, whether some had to be left out): ready addresses go first."""
        ready = {ports: entries for (ports, is_ready), entries in self._groups.items() if is_ready}
        other = {ports: entries for (ports, is_ready), entries in self._groups.items() if not is_ready}
        room, subsets = MOST, {}
        for field, groups in (("addresses", ready), ("notReadyAddresses", other)):
            for ports in sorted(groups):
                shown = [address for _, _, address in groups[ports][:room]]
                room -= len(shown)
                if shown:
                    subsets.setdefault(ports, {})[field] = shown
        made = [{**fields, **({"ports": [dict(port) for port in ports]} if ports else {})} for ports, fields in sorted(subsets.items())]
        return made, len(self._places) > MOST


class Endpoints(Component):
    """Older clients read this object; the EndpointSlices say more."""

    name = "endpoints"
    user = "system:serviceaccount:kube-system:endpoint-controller"
    event_source = {"component": "endpoint-controller"}

    def __init__(self, cluster):
        self.known = {}             # Service -> Addresses
        super().__init__(cluster)
        self.pods = ServicePods(self)

    def watched(self):
        return {"services": self._of_service, "pods": lambda change: self.pods.services_of(change), "endpoints": self._of_endpoints}

    @staticmethod
    def _of_service(change):
        before = change.previous
        same = before is not None and before["spec"] == change.object["spec"] and before["metadata"].get("labels") == change.object["metadata"].get("labels")
        return () if same and change.type != "DELETED" else (name_of(change.object),)

    def _of_endpoints(self, change):
        """Endpoints that somebody removed come back."""
        return (name_of(change.object),) if change.type == "DELETED" and self.api.get("services", *split_key(name_of(change.object))) else ()

    def reconcile(self, key):
        namespace, name = split_key(key)
        service = self.api.get("services", namespace, name)
        if service is None:
            self.known.pop(key, None)
            self.pods.forget(key)
            self.api.delete("endpoints", namespace, name)
            return None
        if selects_pods(service):
            self._look(key, service)
            self._write(key, service)
        return None

    def _look(self, key, service):
        """Bring the addresses up to date."""
        changed, known = self.pods.changed(key), self.known.get(key)
        if changed is None or known is None or known.made_for != service["spec"]:
            known = self.known[key] = Addresses(service)
            changed = self.pods.selected(service)
        for pod in changed:
            known.put(pod, *self._place(service, self.etcd.get(pod)))

    @staticmethod
    def _place(service, pod):
        """(group, entry) of a Pod, or (None, None)."""
        all_of_them = service["spec"].get("publishNotReadyAddresses", False)
        if pod is None or not belongs(pod, all_of_them) or not service["spec"]["selector"].items() <= (pod["metadata"].get("labels") or {}).items():
            return None, None
        meta, spec = pod["metadata"], pod["spec"]
        address = {"ip": pod["status"]["podIP"]}
        if spec.get("hostname") and spec.get("subdomain") == service["metadata"]["name"]:
            address["hostname"] = spec["hostname"]
        address |= {"nodeName": spec["nodeName"], "targetRef": {"kind": "Pod", "namespace": meta["namespace"], "name": meta["name"], "uid": meta["uid"]}}
        ports = tuple(tuple(_port(port).items()) for port in ports_of(pod, service))
        return (ports, all_of_them or is_ready(pod)), (address["ip"], meta["uid"], address)

    def _write(self, key, service):
        """Write the object if it is not as it should be."""
        namespace, name = split_key(key)
        existing = self.api.get("endpoints", namespace, name)
        subsets, cut = self.known[key].subsets()
        labels = self._labels(service)
        if existing is not None and ((existing.get("subsets") or []), existing["metadata"].get("labels"), self._is_cut(existing)) == (subsets, labels, cut):
            self.pods.synced(key)
            return
        trigger = self.pods.trigger_time(key, service)
        annotations = {**({TRIGGER_TIME: trigger} if trigger else {}), **({OVER_CAPACITY: "truncated"} if cut else {})}
        meta = {**(existing["metadata"] if existing else {"name": name, "namespace": namespace}), "labels": labels, "annotations": annotations}
        meta = {field: value for field, value in meta.items() if value}
        body = {"apiVersion": "v1", "kind": "Endpoints", "metadata": meta, **({"subsets": subsets} if subsets else {})}
        self._tried(key, service, self.api.update("endpoints", body) if existing else self.api.create("endpoints", namespace, body))

    def _tried(self, key, service, response):
        failures = 0 if response.ok or is_hopeless(response) else self.read(f"failures {key}", 0) + 1
        self.write(f"failures {key}", failures or None)
        if failures:
            self.event(service, "Warning", "FailedToUpdateEndpoint", f"Failed to update endpoint {key}: {response.body['message']}")
            self.again(key, retry_after(failures))
        else:
            self.pods.synced(key)

    @staticmethod
    def _is_cut(existing):
        return OVER_CAPACITY in (existing["metadata"].get("annotations") or {})

    @staticmethod
    def _labels(service):
        headless = {HEADLESS: ""} if service["spec"].get("clusterIP") == "None" else {}
        return {**(service["metadata"].get("labels") or {}), **headless, MANAGED_BY: MANAGER}


def _port(port):
    """A slice's port as Endpoints write it: without an empty name."""
    named = {"name": port["name"]} if port["name"] else {}
    return {**named, "port": port["port"], "protocol": port["protocol"], **({"appProtocol": port["appProtocol"]} if "appProtocol" in port else {})}
