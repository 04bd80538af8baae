"""kube-proxy on every node: turns Services and EndpointSlices into forwarding rules (pkg/proxy/topology.go, pkg/proxy/iptables).

All nodes do the same, so one message stands for all. Which endpoints receive traffic: those that are ready; if there are none, those that still serve while
they terminate.
"""
from ..component import Component
from ..objects import name_of
from ..resources import resource

PERIOD = 1000                          # rules are written at most once in so many ms (minSyncPeriod)
SHOWN = 10                             # addresses that a message names
SERVICE = "kubernetes.io/service-name"


class KubeProxy(Component):
    """Work keys: Services. Keeps per Service {"at": ms of the last sync, "endpoints": ["address", ...]}."""

    name = "kube-proxy"
    actor = "kube-proxy"
    user = "system:kube-proxy"
    manager = "kube-proxy"

    def watched(self):
        return {"services": self._service, "endpointslices.discovery.k8s.io": self._slice}

    def _service(self, change):
        self.cluster.components["cri"].network_changed()
        return (name_of(change.object),) if change.type != "MODIFIED" or change.object["spec"] != change.previous["spec"] else ()

    def _slice(self, change):
        name = (change.object["metadata"].get("labels") or {}).get(SERVICE)
        self.cluster.components["cri"].network_changed()
        return (f"{change.object['metadata']['namespace']}/{name}",) if name else ()

    def reconcile(self, key):
        """Write the rules of a Service, if they change."""
        known = self.read(key, {"at": -PERIOD, "endpoints": None})
        early = known["at"] + PERIOD - self.clock.now
        if early > 0:
            self.again(key, early)
            return None
        namespace, _, name = key.partition("/")
        service = self.api.get("services", namespace, name)
        endpoints = self.usable(namespace, name) if service and service["spec"].get("clusterIP") != "None" else None
        if endpoints == known["endpoints"]:
            return None
        self.write(key, {"at": self.clock.now, "endpoints": endpoints})
        before, now = known["endpoints"] or [], endpoints or []
        self.say("kube-proxy", "SyncProxyRules", None, resource("services").key(namespace, name), {
            "service": name, "namespace": namespace, "clusterIP": service and service["spec"].get("clusterIP"), "endpoints": len(now),
            "added": [address for address in now if address not in before][:SHOWN], "removed": [address for address in before if address not in now][:SHOWN],
            "nodes": len(self.etcd.unsorted(resource("nodes").prefix()))})
        return None

    def usable(self, namespace, service):
        """The addresses that receive a Service's traffic."""
        ready, serving = [], []
        for piece in self.indexes.find("endpointslices by service", f"{namespace}/{service}").values():
            for endpoint in piece.get("endpoints") or ():
                told = endpoint.get("conditions") or {}
                if told.get("ready", True):
                    ready.append(endpoint["addresses"][0])
                elif told.get("serving") and told.get("terminating"):
                    serving.append(endpoint["addresses"][0])
        return sorted(ready or serving)
