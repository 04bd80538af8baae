"""Services: addresses and node ports are the server's to give (pkg/registry/core/service/strategy.go, storage/alloc.go)."""
from .. import allocation
from ..errors import invalid
from ..validation.errors import INVALID, FieldError

NODE_PORT_TYPES = ("NodePort", "LoadBalancer")


def creating(call, service):
    """A new Service with its cluster IP and node ports."""
    return _with_ports(call, _with_address(call, service), {})


def updating(call, new, old):
    """What was given stays given while the type allows it."""
    spec, before = new["spec"], old["spec"]
    if spec.get("type") != "ExternalName" and before.get("clusterIP") and not spec.get("clusterIP"):
        spec = {**spec, "clusterIP": before["clusterIP"], "clusterIPs": before["clusterIPs"]}
        new = {**new, "spec": spec}
    if spec.get("type") == "ExternalName" and before.get("type") != "ExternalName":
        new = {**new, "spec": {key: value for key, value in spec.items() if key not in ("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")}}
    known = {(port["port"], port.get("protocol")): port["nodePort"] for port in before.get("ports") or () if port.get("nodePort")}
    return _with_ports(call, _with_address(call, new, old), known, old)


def _with_address(call, service, old=None):
    spec = service["spec"]
    if spec.get("type") == "ExternalName":
        return service
    asked = spec.get("clusterIP")
    if not asked:
        asked = allocation.cluster_ip(call)
    elif asked != "None" and asked != (old or {}).get("spec", {}).get("clusterIP"):
        _check_address(call, service, asked)
    headless = asked == "None" and not spec.get("selector")
    family = {"ipFamilies": spec.get("ipFamilies") or ["IPv4"],
              "ipFamilyPolicy": spec.get("ipFamilyPolicy") or ("RequireDualStack" if headless else "SingleStack")}
    addresses = spec.get("clusterIPs")
    if not addresses or (old and asked != addresses[0] and addresses == old["spec"].get("clusterIPs")):
        addresses = [asked]             # who changes the one address only means the list as well
    return {**service, "spec": {**spec, "clusterIP": asked, "clusterIPs": addresses, **family}}


def _check_address(call, service, asked):
    problem = allocation.problem_with_ip(call, asked)
    if problem:
        raise invalid(call.resource, service["metadata"]["name"], [FieldError(INVALID, "spec.clusterIPs", [asked], problem)])


def _with_ports(call, service, known, old=None):
    """`known`: the node ports that a former version of the Service had, by (port, protocol)."""
    spec = service["spec"]
    if spec.get("type") not in NODE_PORT_TYPES or spec.get("allocateLoadBalancerNodePorts") is False and spec["type"] == "LoadBalancer":
        return service
    ports, taken = [], set()
    for number, port in enumerate(spec.get("ports") or ()):
        chosen = port.get("nodePort") or known.get((port.get("port"), port.get("protocol")))
        if not chosen:
            chosen = allocation.node_port(call, taken)
        elif chosen not in known.values():
            _check_port(call, service, number, chosen)
        taken.add(chosen)
        ports.append({**port, "nodePort": chosen})
    return {**service, "spec": {**spec, "ports": ports}}


def _check_port(call, service, number, chosen):
    problem = allocation.problem_with_port(call, chosen)
    if problem:
        raise invalid(call.resource, service["metadata"]["name"], [FieldError(INVALID, f"spec.ports[{number}].nodePort", chosen, problem)])
