"""One Pod as an endpoint of a Service (staging/src/k8s.io/endpointslice/utils.go)."""
from ....objects import is_deleting, is_ready


def endpoint_of(pod, service, node):
    """The endpoint of a Pod that has an address; `node` is its Node, or None."""
    meta, spec = pod["metadata"], pod["spec"]
    serving, terminating = is_ready(pod), is_deleting(pod)
    ready = service["spec"].get("publishNotReadyAddresses", False) or serving and not terminating
    endpoint = {"addresses": [pod["status"]["podIP"]], "conditions": {"ready": ready, "serving": serving, "terminating": terminating}}
    if spec.get("hostname") and spec.get("subdomain") == service["metadata"]["name"]:
        endpoint["hostname"] = spec["hostname"]
    endpoint["targetRef"] = {"kind": "Pod", "namespace": meta["namespace"], "name": meta["name"], "uid": meta["uid"]}
    if spec.get("nodeName"):
        endpoint["nodeName"] = spec["nodeName"]
    zone = (node or {}).get("metadata", {}).get("labels", {}).get("topology.kubernetes.io/zone")
    return {**endpoint, "zone": zone} if zone else endpoint


def ports_of(pod, service):
    """The Service's ports as this Pod serves them: a target port's name means another number in each Pod; what it lacks is left out."""
    found = []
    for port in service["spec"].get("ports") or ():
        number = _number(pod, port)
        if number is not None:
            protocol = port.get("appProtocol")
            found.append({"name": port.get("name", ""), "protocol": port["protocol"], "port": number, **({"appProtocol": protocol} if protocol else {})})
    return found


def _number(pod, port):
    target = port.get("targetPort", port["port"])
    if not isinstance(target, str):
        return target or port["port"]
    sidecars = [each for each in pod["spec"].get("initContainers") or () if each.get("restartPolicy") == "Always"]
    for container in (*pod["spec"]["containers"], *sidecars):
        for served in container.get("ports") or ():
            if served.get("name") == target and served.get("protocol", "TCP") == port["protocol"]:
                return served["containerPort"]
    return None


def address_type(service):
    return (service["spec"].get("ipFamilies") or ["IPv4"])[0]
