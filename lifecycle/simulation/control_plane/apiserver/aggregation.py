"""APIServices of other servers: whether those answer (kube-aggregator/pkg/controllers/status/remote).

Of all extension API servers only a metrics-server is known here: any other behind a Service is found missing, or at best answers wrongly.
"""
from ...component import Component, itself
from ...objects import at, condition, replaced, set_condition
from ...resources import resource
from . import metrics

API_SERVICES = "apiservices.apiregistration.k8s.io"
SLICES = "endpointslices.discovery.k8s.io"


class APIServiceAvailability(Component):
    """Keys are names of APIServices. Part of the API server's process."""

    name = "apiservice-availability"
    actor = "apiserver"
    user = "system:apiserver"
    manager = "kube-apiserver"

    def watched(self):
        return {API_SERVICES: lambda change: () if change.type == "DELETED" else itself(change), "services": self._behind, SLICES: self._behind_slice}

    def _behind(self, change):
        return self._served_by(change.object["metadata"]["namespace"], change.object["metadata"]["name"])

    def _behind_slice(self, change):
        meta = change.object["metadata"]
        return self._served_by(meta["namespace"], (meta.get("labels") or {}).get("kubernetes.io/service-name", ""))

    def _served_by(self, namespace, name):
        """The names of the APIServices that a Service stands behind."""
        stored = self.etcd.unsorted(resource(API_SERVICES).prefix())
        return sorted(one["metadata"]["name"] for one in stored.values() if _service(one) == (namespace, name)) if stored else ()

    def reconcile(self, key):
        api_service = self.api.get(API_SERVICES, "", key)
        if api_service is None or not api_service["spec"].get("service"):
            return None
        status, reason, message = self._availability(api_service)
        known = condition(api_service, "Available")
        if known is None or (known["reason"], known["message"]) != (reason, message):
            new = {"type": "Available", "status": status, "lastTransitionTime": self.clock.timestamp(), "reason": reason, "message": message}
            conditions = set_condition(at(api_service, "status", "conditions"), new)
            self.api.update_status(API_SERVICES, replaced(api_service, conditions, "status", "conditions"))
        return None

    def _availability(self, api_service):
        """(status, reason, message): whether the other server answers."""
        problem = self._problem(api_service)
        return ("False", *problem) if problem else ("True", "Passed", "all checks passed")

    def _problem(self, api_service):
        """(reason, message) of what keeps the other server from answering, or None."""
        wanted, spec = api_service["spec"]["service"], api_service["spec"]
        (namespace, name), port = _service(api_service), wanted["port"]
        place = f'service/{name} in "{namespace}"'
        service = self.api.get("services", namespace, name)
        if service is None:
            return "ServiceNotFound", f"{place} is not present"
        served = next((one for one in service["spec"].get("ports") or () if one["port"] == port), None)
        if served is None:
            return "ServicePortError", f"{place} is not listening on port {port}"
        slices = self.indexes.find("endpointslices by service", f"{namespace}/{name}").values()
        if not slices:
            return "EndpointsNotFound", f"cannot find endpointslices for {place}"
        if not any(at(endpoint, "conditions", "ready") for one in slices for endpoint in one.get("endpoints") or ()):
            return "MissingEndpoints", f'endpoints for {place} have no addresses with port name "{served.get("name", "")}"'
        if spec.get("group") == metrics.GROUP and metrics.answers(self.api, slices):
            return None
        url = f"https://{service['spec'].get('clusterIP')}:{port}/apis/{spec.get('group')}/{spec.get('version')}"
        return "FailedDiscoveryCheck", f'failing or missing response from {url}: Get "{url}": http: server gave HTTP response to HTTPS client'


def _service(api_service):
    """(namespace, name) of the Service behind an APIService, ("", "") for a local one."""
    service = api_service["spec"].get("service") or {}
    return service.get("namespace", ""), service.get("name", "")
