"""The EndpointSlice controller's loop: one Service at a time, one slice written per work item."""
from ....component import Component
from ....objects import name_of, owner_reference, split_key
from ....timings import API_CALL
from ..retries import is_hopeless, retry_after
from ..service_pods import ServicePods, belongs, selects_pods
from .endpoint import address_type, endpoint_of, ports_of
from .placement import placed, pods_of

PLURAL = "endpointslices.discovery.k8s.io"
MANAGED_BY, MANAGER = "endpointslice.kubernetes.io/managed-by", "endpointslice-controller.k8s.io"
SERVICE_NAME, HEADLESS = "kubernetes.io/service-name", "service.kubernetes.io/headless"
TRIGGER_TIME = "endpoints.kubernetes.io/last-change-trigger-time"


class EndpointSlices(Component):
    """A Service is looked at as a whole when it or its slices changed, and else only as far as its Pods changed."""

    name = "endpointslice"

    def __init__(self, cluster):
        self.whole = {}             # Services that need not be looked at as a whole: {key: (spec, labels) when they last were}
        self.removing = None        # the slice that this controller is deleting just now
        self.wants = {}             # what a sync of several writes has found out so far: {Pod's store key: (Pod, Service, what is wanted)}
        super().__init__(cluster)
        self.pods = ServicePods(self)

    def watched(self):
        return {"services": self._of_service, "pods": lambda change: self.pods.services_of(change), PLURAL: self._of_slice}

    @staticmethod
    def _of_service(change):
        before = change.previous
        if before is not None and before["spec"] == change.object["spec"] and before["metadata"].get("labels") == change.object["metadata"].get("labels"):
            return (name_of(change.object),) if change.type == "DELETED" else ()
        return (name_of(change.object),)

    def _of_slice(self, change):
        """Slices that somebody else changed are put right."""
        labels = change.object["metadata"].get("labels") or {}
        own = change.key == self.removing or change.manager is not None and change.manager.name == self.manager
        if own or labels.get(MANAGED_BY) != MANAGER or SERVICE_NAME not in labels:
            return ()
        key = f"{change.object['metadata']['namespace']}/{labels[SERVICE_NAME]}"
        self.whole.pop(key, None)
        return (key,)

    def reconcile(self, key):
        service = self.api.get("services", *split_key(key))
        if service is None:
            self.whole.pop(key, None)
            self.pods.forget(key)
            return None
        if not selects_pods(service):
            return None
        writes = self._writes(key, service)
        if writes and not self._write(key, service, *writes[0]):
            return None
        if len(writes) > 1:
            self._settle(key, service, *writes[0])
            return API_CALL
        self.whole[key] = (service["spec"], service["metadata"].get("labels"))
        self.wants.clear()
        self.pods.synced(key)
        return None

    def _writes(self, key, service):
        """[(slice or None, (endpoints, ports) or None)]: slices to create, to update, to delete."""
        slices = {each["metadata"]["name"]: each for each in self.indexes.find("endpointslices by service", key).values()
                  if each["metadata"]["labels"].get(MANAGED_BY) == MANAGER}
        everything = self.whole.get(key) != (service["spec"], service["metadata"].get("labels")) or self.pods.changed(key) is None
        created, updated, deleted = placed(slices, self._wanted(service, slices, everything, self.pods.changed(key)))
        if everything:
            labels = self._labels(service)
            updated.update({name: (each.get("endpoints"), each.get("ports")) for name, each in slices.items()
                            if each["metadata"]["labels"] != labels and name not in updated and name not in deleted})
        changes = [(slices[name], content) for name, content in (*updated.items(), *((name, None) for name in deleted))]
        return [*((None, content) for content in created), *changes]

    def _settle(self, key, service, existing, content):
        """The Pods of a slice that is written need not be looked at again in this sync."""
        endpoints = content[0] if content else None
        self.pods.settle(key, service, {*pods_of(existing or {}), *pods_of({"endpoints": endpoints})})

    def _wanted(self, service, slices, everything, changed):
        """{Pod's name: (endpoint, ports), or None} of the Pods to look at."""
        if not everything:
            return {key.rpartition("/")[2]: self._want(service, key) for key in changed}
        wanted = {name: None for each in slices.values() for name in sorted(pods_of(each))}
        return {**wanted, **{pod["metadata"]["name"]: self._want(service, key) for key, pod in self.pods.selected(service).items()}}

    def _want(self, service, key):
        """(endpoint, ports) of a Pod, or None if it is not behind the Service."""
        pod, known = self.etcd.get(key), self.wants.get(key)
        if known is None or known[0] is not pod or known[1] is not service:
            known = self.wants[key] = (pod, service, self._endpoint(service, pod))
        return known[2]

    def _endpoint(self, service, pod):
        if pod is None or not belongs(pod) or not service["spec"]["selector"].items() <= (pod["metadata"].get("labels") or {}).items():
            return None
        node = self.api.get("nodes", "", pod["spec"]["nodeName"]) if pod["spec"].get("nodeName") else None
        return endpoint_of(pod, service, node), ports_of(pod, service)

    @staticmethod
    def _labels(service):
        own = {name: text for name, text in (service["metadata"].get("labels") or {}).items() if name not in (SERVICE_NAME, MANAGED_BY, HEADLESS)}
        headless = {HEADLESS: ""} if service["spec"].get("clusterIP") == "None" else {}
        return {**own, **headless, MANAGED_BY: MANAGER, SERVICE_NAME: service["metadata"]["name"]}

    def _write(self, key, service, existing, content):
        """Make one write; whether it was accepted. Otherwise it is tried again later, unless the namespace is going away."""
        namespace, name = split_key(key)
        if content is None:
            response = self._remove(namespace, existing["metadata"]["name"])
        elif existing is None:
            meta = {"generateName": f"{name}-", "namespace": namespace, "labels": self._labels(service), "ownerReferences": [owner_reference(service)]}
            response = self.api.create(PLURAL, namespace, self._slice(key, service, meta, content))
        else:
            response = self.api.update(PLURAL, self._slice(key, service, {**existing["metadata"], "labels": self._labels(service)}, content))
        failures = 0 if response.ok or is_hopeless(response) else self.read(f"failures {key}", 0) + 1
        self.write(f"failures {key}", failures or None)
        if failures:
            self.event(service, "Warning", "FailedToUpdateEndpointSlices", f"Error updating Endpoint Slices for Service {key}: {response.body['message']}")
            self.again(key, retry_after(failures))
        return response.ok

    def _remove(self, namespace, name):
        self.removing = self.cluster.api.resource(PLURAL).key(namespace, name)
        response = self.api.delete(PLURAL, namespace, name)
        self.removing = None
        return response

    def _slice(self, key, service, meta, content):
        endpoints, ports = content
        annotations = {name: text for name, text in (meta.get("annotations") or {}).items() if name != TRIGGER_TIME}
        trigger = self.pods.trigger_time(key, service)
        if trigger:
            annotations[TRIGGER_TIME] = trigger
        meta = {name: value for name, value in {**meta, "annotations": annotations}.items() if name != "annotations" or value}
        return {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "metadata": meta, "addressType": address_type(service),
                "endpoints": endpoints, "ports": ports}
