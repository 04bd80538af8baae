"""Endpoints that somebody made by hand, for a Service without a selector, are copied into EndpointSlices (pkg/controller/endpointslicemirroring)."""
from ...component import Component
from ...objects import is_deleting, name_of, owner_reference, split_key
from ...timings import API_CALL
from .endpointslice.controller import MANAGED_BY, PLURAL, SERVICE_NAME
from .service_pods import selects_pods

MANAGER = "endpointslicemirroring-controller.k8s.io"
SKIP = "endpointslice.kubernetes.io/skip-mirror"
MOST = 1000                    # addresses of one subset that are mirrored
NOT_COPIED = ("kubectl.kubernetes.io/last-applied-configuration", "endpoints.kubernetes.io/last-change-trigger-time")


class EndpointSliceMirroring(Component):
    """One slice for each family of addresses and set of ports; one of them is written in each work item."""

    name = "endpointslicemirroring"

    def watched(self):
        return {"endpoints": lambda change: (name_of(change.object),), "services": self._of_service, PLURAL: self._of_slice}

    @staticmethod
    def _of_service(change):
        """A Service may get or lose its selector."""
        before = change.previous
        return () if before is not None and before["spec"] == change.object["spec"] and change.type != "DELETED" else (name_of(change.object),)

    def _of_slice(self, change):
        """Slices that somebody else changed are put right."""
        labels = change.object["metadata"].get("labels") or {}
        own = change.manager is not None and change.manager.name == self.manager
        return () if own or labels.get(MANAGED_BY) != MANAGER else (f"{change.object['metadata']['namespace']}/{labels.get(SERVICE_NAME)}",)

    def reconcile(self, key):
        endpoints, service = self.api.get("endpoints", *split_key(key)), self.api.get("services", *split_key(key))
        wanted = mirrored(endpoints) if is_mirrored(endpoints, service) else []
        slices = [each for each in self.indexes.find("endpointslices by service", key).values()
                  if each["metadata"]["labels"].get(MANAGED_BY) == MANAGER and not is_deleting(each)]
        writes = differences(wanted, slices, endpoints)
        if not writes:
            return None
        self._write(endpoints, *writes[0])
        return API_CALL if len(writes) > 1 else None

    def _write(self, endpoints, existing, content):
        if content is None:
            self.api.delete(PLURAL, existing["metadata"]["namespace"], existing["metadata"]["name"])
            return
        own = endpoints["metadata"]
        meta = existing["metadata"] if existing else {
            "generateName": f"{own['name']}-", "namespace": own["namespace"], "ownerReferences": [owner_reference(endpoints)]}
        meta = {**meta, "labels": labels_of(endpoints), **({"annotations": annotations} if (annotations := annotations_of(endpoints)) else {})}
        body = {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "metadata": meta, **content}
        self.api.update(PLURAL, body) if existing else self.api.create(PLURAL, meta["namespace"], body)


def is_mirrored(endpoints, service):
    """Whether Endpoints are to be copied: they want to be, and the Service leaves its addresses to others."""
    if endpoints is None or service is None or is_deleting(endpoints) or selects_pods(service):
        return False
    return (endpoints["metadata"].get("labels") or {}).get(SKIP) != "true"


def labels_of(endpoints):
    return {**(endpoints["metadata"].get("labels") or {}), MANAGED_BY: MANAGER, SERVICE_NAME: endpoints["metadata"]["name"]}


def annotations_of(endpoints):
    return {name: text for name, text in (endpoints["metadata"].get("annotations") or {}).items() if name not in NOT_COPIED}


def mirrored(endpoints):
    """[{"addressType", "endpoints", "ports"}] for some Endpoints."""
    found = {}
    for subset in endpoints.get("subsets") or ():
        ports = [{"name": port.get("name", ""), **{name: port[name] for name in ("protocol", "port", "appProtocol") if name in port}}
                 for port in subset.get("ports") or ()]
        for field, ready in (("addresses", True), ("notReadyAddresses", False)):
            for address in (subset.get(field) or ())[:MOST]:
                family = "IPv6" if ":" in address["ip"] else "IPv4"
                place = found.setdefault((family, str(ports)), {"addressType": family, "endpoints": [], "ports": ports})
                place["endpoints"].append(endpoint_of(address, ready))
    return list(found.values())


def endpoint_of(address, ready):
    more = {name: address[name] for name in ("hostname", "nodeName", "targetRef") if address.get(name)}
    return {"addresses": [address["ip"]], "conditions": {"ready": ready}, **more}


def differences(wanted, slices, endpoints):
    """[(slice or None, content or None)]: what is to be created, updated and deleted; a slice that would go takes the content of one that would come."""
    left, writes, missing = list(slices), [], []
    for content in wanted:
        same = next((each for each in left if (each["addressType"], each.get("ports")) == (content["addressType"], content["ports"])), None)
        if same is None:
            missing.append(content)
            continue
        left.remove(same)
        if same.get("endpoints") != content["endpoints"] or same["metadata"]["labels"] != labels_of(endpoints):
            writes.append((same, content))
    for content in missing:
        old = next((each for each in left if each["addressType"] == content["addressType"]), None)
        if old is not None:
            left.remove(old)
        writes.append((old, content))
    return writes + [(each, None) for each in left]
