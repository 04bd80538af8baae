"""Services, their endpoints, and what leads traffic to them."""
from lifecycle.simulation.label_text import pairs
from lifecycle.simulation.objects import at
from lifecycle.simulation.summaries import first_few, host_port, load_balancer_addresses

from .page import NONE, UNSET, Query, lower

SERVICE_NAME = "kubernetes.io/service-name"
SLICES = "endpointslices.discovery.k8s.io"


def service(page, thing):
    spec = thing.get("spec", {})
    slices = _slices(page, thing["metadata"].get("namespace", ""), thing["metadata"]["name"])
    page.metadata(thing)
    page.field("Selector", pairs(spec.get("selector")))
    page.field("Type", spec.get("type", ""))
    page.optional("IP Family Policy", spec.get("ipFamilyPolicy"))
    page.field("IP Families", ",".join(spec.get("ipFamilies") or ()) or NONE)
    page.field("IP", spec.get("clusterIP", ""))
    page.field("IPs", ",".join(spec.get("clusterIPs") or ()) or NONE)
    page.optional("External IPs", ",".join(spec.get("externalIPs") or ()))
    page.optional("Desired LoadBalancer IP", spec.get("loadBalancerIP"))
    page.optional("External Name", spec.get("externalName"))
    page.optional("LoadBalancer Ingress", ", ".join([_entry(each) for each in at(thing, "status", "loadBalancer", "ingress", default=())]))
    for port in spec.get("ports") or ():
        _port(page, port, slices)
    page.field("Session Affinity", spec.get("sessionAffinity", ""))
    page.optional("External Traffic Policy", spec.get("externalTrafficPolicy"))
    page.optional("Internal Traffic Policy", spec.get("internalTrafficPolicy"))
    page.optional("HealthCheck NodePort", spec.get("healthCheckNodePort") or None)
    page.optional("LoadBalancer Source Ranges", ",".join(spec.get("loadBalancerSourceRanges") or ()))
    page.optional("Traffic Distribution", spec.get("trafficDistribution"))
    page.events(thing)


def _slices(page, namespace, name):
    return page.lookup(Query(SLICES, namespace, labels=f"{SERVICE_NAME}={name}", chunked=False))


def _entry(entry):
    if not entry.get("ip"):
        return entry.get("hostname", "")
    return f"{entry['ip']} ({entry['ipMode']})" if entry.get("ipMode") else entry["ip"]


def _port(page, port, slices):
    name, protocol = port.get("name") or UNSET, port.get("protocol", "TCP")
    page.field("Port", f"{name}\t{port['port']}/{protocol}")
    page.field("TargetPort", f"{port.get('targetPort', 0)}/{protocol}")
    page.optional("AppProtocol", port.get("appProtocol"))
    if port.get("nodePort"):
        page.field("NodePort", f"{name}\t{port['nodePort']}/{protocol}")
    page.field("Endpoints", _endpoints(slices, port.get("name", "")))


def _endpoints(slices, port_name):
    """Where the ready endpoints of a port are: at most three of them."""
    if not slices:
        return NONE
    found = []
    for each in slices:
        ready = [endpoint["addresses"][0] for endpoint in each.get("endpoints") or () if endpoint.get("conditions", {}).get("ready") is not False]
        if not each.get("ports"):
            found += ready
        for port in each.get("ports") or ():
            if (port.get("name") or "") == port_name:
                found += [host_port(address, port["port"]) for address in ready]
    return first_few(found, len(found))


def endpoints(page, thing):
    page.metadata(thing)
    page.line("Subsets:")
    for subset in thing.get("subsets") or ():
        for label, field in (("Addresses", "addresses"), ("NotReadyAddresses", "notReadyAddresses")):
            page.field(label, ",".join([each["ip"] for each in subset.get(field) or ()]) or NONE, 1)
        if subset.get("ports"):
            page.line("Ports:", 1)
            page.table(2, ("Name", "Port", "Protocol"), [(port.get("name") or UNSET, port["port"], port.get("protocol", "TCP")) for port in subset["ports"]])
        page.line()
    page.events(thing)


def endpoint_slice(page, thing):
    page.metadata(thing)
    page.field("AddressType", thing.get("addressType", ""))
    if thing.get("ports"):
        page.line("Ports:")
        rows = [(port.get("name") or UNSET, UNSET if port.get("port") is None else port["port"], port.get("protocol", "")) for port in thing["ports"]]
        page.table(1, ("Name", "Port", "Protocol"), rows)
    else:
        page.line(f"Ports: {UNSET}")
    page.line("Endpoints:" if thing.get("endpoints") else f"Endpoints: {NONE}")
    for endpoint in thing.get("endpoints") or ():
        _endpoint(page, endpoint)
    page.events(thing)


def _endpoint(page, endpoint):
    page.field("- Addresses", ", ".join(endpoint.get("addresses") or ()) or NONE, 1)
    page.line("Conditions:", 2)
    ready = endpoint.get("conditions", {}).get("ready")
    page.field("Ready", UNSET if ready is None else lower(ready), 3)
    page.field("Hostname", endpoint.get("hostname", UNSET), 2)
    if endpoint.get("targetRef"):
        page.field("TargetRef", f"{endpoint['targetRef'].get('kind', '')}/{endpoint['targetRef'].get('name', '')}", 2)
    page.field("NodeName", endpoint.get("nodeName", UNSET), 2)
    page.field("Zone", endpoint.get("zone", UNSET), 2)


def ingress(page, thing):
    meta, spec = thing["metadata"], thing.get("spec", {})
    events = page.find_events(thing)
    page.field("Name", meta["name"])
    page.labels("Labels", meta.get("labels"))
    page.field("Namespace", meta.get("namespace", ""))
    page.field("Address", ",".join(load_balancer_addresses(thing)))
    page.field("Ingress Class", spec.get("ingressClassName", NONE))
    default = _backend(page, meta.get("namespace", ""), spec["defaultBackend"]) if spec.get("defaultBackend") else "<default>"
    page.field("Default backend", default)
    if spec.get("tls"):
        page.line("TLS:")
        for each in spec["tls"]:
            hosts = ",".join(each.get("hosts") or ())
            page.line(f"{each['secretName']} terminates {hosts}" if each.get("secretName") else f"SNI routes {hosts}", 1)
    _rules(page, meta.get("namespace", ""), spec, default)
    page.annotations(meta.get("annotations"))
    if page.with_events:
        page.event_table(events)


def _rules(page, namespace, spec, default):
    page.line("Rules:")
    page.table(1, ("Host", "Path", "Backends"), ())
    rules = [rule for rule in spec.get("rules") or () if rule.get("http")]
    for rule in rules:
        page.line(f"{rule.get('host') or '*'}\t", 1)
        for path in rule["http"].get("paths") or ():
            page.line(f"\t{path.get('path', '')} \t{_backend(page, namespace, path['backend'])}", 2)
    if not rules:
        page.line(f"*\t*\t{default}", 1)


def _backend(page, namespace, backend):
    """"web:80 (10.244.0.5:80)", or what a backend that is no Service refers to."""
    if backend.get("resource"):
        other = backend["resource"]
        return f"APIGroup: {other.get('apiGroup', NONE)}, Kind: {other['kind']}, Name: {other['name']}"
    target = backend.get("service") or {}
    port = target.get("port") or {}
    text = f"{target.get('name', '')}:{port.get('number') or port.get('name', '')}"
    slices = _slices(page, namespace, target.get("name", ""))
    found = page.lookup(Query("services", namespace, name=target.get("name", "")))
    if found is None:
        return f'{text} (<error: services "{target.get("name", "")}" not found>)'
    names = [each.get("name", "") for each in at(found, "spec", "ports", default=())
             if each["port"] == port.get("number") or port.get("name") and each.get("name") == port["name"]]
    return f"{text} ({_endpoints(slices, names[-1] if names else '')})"


def ingress_class(page, thing):
    page.metadata(thing, namespace=False)
    page.field("Controller", at(thing, "spec", "controller", default=""))
    parameters = at(thing, "spec", "parameters")
    if parameters:
        page.line("Parameters:")
        page.optional("APIGroup", parameters.get("apiGroup"), 1)
        page.field("Kind", parameters.get("kind", ""), 1)
        page.field("Name", parameters.get("name", ""), 1)
    page.events(thing)


def service_cidr(page, thing):
    page.metadata(thing, namespace=False)
    page.field("CIDRs", ", ".join(at(thing, "spec", "cidrs", default=())))
    conditions = at(thing, "status", "conditions", default=())
    if conditions:
        page.line("Status:")
        page.condition_table(conditions)
    page.events(thing)


def ip_address(page, thing):
    page.metadata(thing, namespace=False)
    parent = at(thing, "spec", "parentRef")
    if parent:
        page.line("Parent Reference:")
        for label in ("Group", "Resource", "Namespace", "Name"):
            page.field(label, parent.get(label.lower(), ""), 1)
    page.events(thing)


DESCRIBERS = {
    "services": service, "endpoints": endpoints, SLICES: endpoint_slice, "ingresses.networking.k8s.io": ingress,
    "ingressclasses.networking.k8s.io": ingress_class, "servicecidrs.networking.k8s.io": service_cidr, "ipaddresses.networking.k8s.io": ip_address,
}
