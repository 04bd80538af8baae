"""The rows of Services and of what belongs to networking."""
from lifecycle.simulation.label_text import pairs, selector_text
from lifecycle.simulation.objects import at
from lifecycle.simulation.summaries import first_few, host_port, load_balancer_addresses

from .cells import created


def service(thing, clock):
    spec = thing.get("spec", {})
    addresses = spec.get("clusterIPs") or [spec.get("clusterIP") or "<none>"]
    return [thing["metadata"]["name"], spec.get("type", ""), addresses[0], _external_addresses(thing), _service_ports(spec), created(thing, clock),
            pairs(spec.get("selector"))]


def _external_addresses(thing):
    spec = thing.get("spec", {})
    if spec.get("type") == "ExternalName":
        return spec.get("externalName", "")
    balanced = load_balancer_addresses(thing) if spec.get("type") == "LoadBalancer" else []
    return ",".join([*balanced, *(spec.get("externalIPs") or ())]) or ("<pending>" if spec.get("type") == "LoadBalancer" else "<none>")


def _service_ports(spec):
    texts = [f"{port['port']}{':' + str(port['nodePort']) if port.get('nodePort') else ''}/{port.get('protocol', 'TCP')}" for port in spec.get("ports") or ()]
    return ",".join(texts) or "<none>"


def endpoints(thing, clock):
    addresses = []
    for subset in thing.get("subsets") or ():
        for port in subset.get("ports") or (None,):
            addresses += [host_port(each["ip"], port["port"]) if port else each["ip"] for each in subset.get("addresses") or ()]
    return [thing["metadata"]["name"], first_few(addresses, len(addresses)) if thing.get("subsets") else "<none>", created(thing, clock)]


def endpoint_slice(thing, clock):
    ports = [str(port["port"] if port.get("port") is not None else port.get("name") or "*") for port in thing.get("ports") or ()]
    addresses = [address for endpoint in thing.get("endpoints") or () for address in endpoint["addresses"]]
    return [thing["metadata"]["name"], thing.get("addressType", ""), first_few(ports, len(ports)) or "<unset>",
            first_few(addresses, len(addresses)) or "<unset>", created(thing, clock)]


def ingress(thing, clock):
    spec = thing.get("spec", {})
    return [thing["metadata"]["name"], spec.get("ingressClassName") or "<none>", _hosts(spec.get("rules") or ()), ",".join(load_balancer_addresses(thing)),
            "80, 443" if spec.get("tls") else "80", created(thing, clock)]


def _hosts(rules):
    hosts = [rule["host"] for rule in rules if rule.get("host")]
    return first_few(hosts, len(hosts)) or "*"


def ingress_class(thing, clock):
    parameters = at(thing, "spec", "parameters")
    text = "<none>"
    if parameters:
        group = f".{parameters['apiGroup']}" if parameters.get("apiGroup") else ""
        text = f"{parameters['kind']}{group}/{parameters['name']}"
    return [thing["metadata"]["name"], at(thing, "spec", "controller", default=""), text, created(thing, clock)]


def network_policy(thing, clock):
    return [thing["metadata"]["name"], selector_text(at(thing, "spec", "podSelector")), created(thing, clock)]


def service_cidr(thing, clock):
    return [thing["metadata"]["name"], ",".join(at(thing, "spec", "cidrs", default=())), created(thing, clock)]


def ip_address(thing, clock):
    parent = at(thing, "spec", "parentRef", default={})
    resource = f"{parent['resource']}.{parent['group']}" if parent.get("group") else parent.get("resource", "")
    return [thing["metadata"]["name"], "/".join([part for part in (resource, parent.get("namespace"), parent.get("name")) if part])]


CELLS = {
    "services": service, "endpoints": endpoints, "endpointslices.discovery.k8s.io": endpoint_slice, "ingresses.networking.k8s.io": ingress,
    "ingressclasses.networking.k8s.io": ingress_class, "networkpolicies.networking.k8s.io": network_policy,
    "servicecidrs.networking.k8s.io": service_cidr, "ipaddresses.networking.k8s.io": ip_address,
}
