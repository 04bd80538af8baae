"""Rules for Services (pkg/apis/core/validation/validation.go)."""

from ....objects import at
from . import metadata, names
from .endpoints import FAMILIES, PROTOCOLS, usable_address
from .errors import duplicate, each_message, forbidden, invalid, not_supported, one_of, required
from .handlers import port as port_rule

TYPES = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
LONGEST_AFFINITY = 86400  # seconds
FAMILY_POLICIES = ("PreferDualStack", "RequireDualStack", "SingleStack")
DISTRIBUTIONS = ("PreferClose", "PreferSameNode", "PreferSameZone")
ONLY_BALANCED = "may only be used when `type` is 'LoadBalancer'"


def is_headless(spec):
    return spec.get("clusterIP") == "None"


def cluster_ips(spec):
    """The addresses of a Service, also of one whose list has not been filled from the single address yet."""
    return spec.get("clusterIPs") or ([spec["clusterIP"]] if spec.get("clusterIP") else [])


def service(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_label)
    spec = found["spec"]
    if not spec.get("ports") and not is_headless(spec) and spec.get("type") != "ExternalName":
        yield required("spec.ports")
    yield from _of_type(spec)
    seen = set()
    for index, port in enumerate(spec.get("ports") or ()):
        yield from _port(port, len(spec["ports"]) > 1, seen, f"spec.ports[{index}]")
    yield from metadata.labels(spec.get("selector"), "spec.selector")
    yield from _affinity(spec)
    if spec.get("type") != "ExternalName":
        yield from _addresses(spec)
    for index, address in enumerate(spec.get("externalIPs") or ()):
        yield from usable_address(f"spec.externalIPs[{index}]", address)
    yield from one_of("spec.type", spec.get("type"), TYPES)
    yield from _port_conflicts(spec)
    yield from _balancing(spec)
    yield from _traffic(spec)


def _of_type(spec):
    kind = spec.get("type")
    if kind in ("LoadBalancer", "NodePort") and is_headless(spec):
        yield invalid("spec.clusterIPs[0]", "None", f"may not be set to 'None' for {kind} services")
    if kind == "ExternalName":
        for key, value in (("clusterIPs", cluster_ips(spec)), ("ipFamilies", spec.get("ipFamilies")), ("ipFamilyPolicy", spec.get("ipFamilyPolicy"))):
            if value:
                yield forbidden(f"spec.{key}", "may not be set for ExternalName services")
        name = (spec.get("externalName") or "").removesuffix(".")
        if not name:
            yield required("spec.externalName")
        else:
            yield from each_message("spec.externalName", name, names.dns_subdomain(name))


def _port(port, needs_name, seen, path):
    name = port.get("name") or ""
    if name:
        yield from each_message(f"{path}.name", name, names.dns_label(name))
        if name in seen:
            yield duplicate(f"{path}.name", name)
        seen.add(name)
    elif needs_name:
        yield required(f"{path}.name")
    yield from each_message(f"{path}.port", port.get("port", 0), names.port_number(port.get("port", 0)))
    yield from one_of(f"{path}.protocol", port.get("protocol"), PROTOCOLS)
    target = port.get("targetPort", 0)
    yield from port_rule(f"{path}.targetPort", target)
    if port.get("appProtocol"):
        yield from metadata.label_key(port["appProtocol"], f"{path}.appProtocol")


def _affinity(spec):
    kind, config = spec.get("sessionAffinity"), spec.get("sessionAffinityConfig")
    yield from one_of("spec.sessionAffinity", kind, ("ClientIP", "None"))
    if kind == "None" and config is not None:
        yield forbidden("spec.sessionAffinityConfig", "must not be set when session affinity is None")
    if kind == "ClientIP":
        seconds = at(config or {}, "clientIP", "timeoutSeconds", default=0)
        if not 0 < seconds <= LONGEST_AFFINITY:
            yield invalid("spec.sessionAffinityConfig.clientIP.timeoutSeconds", seconds, f"must be greater than 0 and less than {LONGEST_AFFINITY}")


def _addresses(spec):
    found, single = spec.get("clusterIPs") or [], spec.get("clusterIP")
    if found and not single:
        yield invalid("spec.clusterIPs", found, "must be empty when `clusterIP` is not specified")
    elif found and found[0] != single:
        yield invalid("spec.clusterIPs", found, "first value must match `clusterIP`")
    seen = set()
    for index, family in enumerate(spec.get("ipFamilies") or ()):
        if family not in FAMILIES:
            yield not_supported(f"spec.ipFamilies[{index}]", family, FAMILIES)
        if family in seen:
            yield duplicate(f"spec.ipFamilies[{index}]", family)
        seen.add(family)
    if spec.get("ipFamilyPolicy") is not None and spec["ipFamilyPolicy"] not in FAMILY_POLICIES:
        yield not_supported("spec.ipFamilyPolicy", spec["ipFamilyPolicy"], FAMILY_POLICIES)
    for index, address in enumerate(cluster_ips(spec)):
        if index or address != "None":
            yield from names.ip_address(f"spec.clusterIPs[{index}]", address)
    if len(found) > 2:
        yield invalid("spec.clusterIPs", found, "may only hold up to 2 values")


def _port_conflicts(spec):
    ports = spec.get("ports") or ()
    if spec.get("type") == "ClusterIP":
        for index, port in enumerate(ports):
            if port.get("nodePort"):
                yield forbidden(f"spec.ports[{index}].nodePort", "may not be used when `type` is 'ClusterIP'")
    seen = set()
    for index, port in enumerate(ports):
        key = (port.get("protocol"), port.get("nodePort"))
        if port.get("nodePort") and key in seen:
            yield duplicate(f"spec.ports[{index}].nodePort", port["nodePort"])
        seen.add(key)
    seen = set()
    for index, port in enumerate(ports):
        key = (port.get("protocol") or "", port.get("port", 0))
        if key in seen:
            shown = {"Name": "", "Protocol": key[0], "AppProtocol": None, "Port": key[1], "TargetPort": 0, "NodePort": 0}
            yield duplicate(f"spec.ports[{index}]", shown)
        seen.add(key)


def _balancing(spec):
    balanced = spec.get("type") == "LoadBalancer"
    ranges = spec.get("loadBalancerSourceRanges") or ()
    if ranges and not balanced:
        yield forbidden("spec.LoadBalancerSourceRanges", ONLY_BALANCED)
    for index, network in enumerate(ranges):
        yield from names.cidr(f"spec.LoadBalancerSourceRanges[{index}]", network.strip())
    if spec.get("allocateLoadBalancerNodePorts") is not None and not balanced:
        yield forbidden("spec.allocateLoadBalancerNodePorts", ONLY_BALANCED)
    kind = spec.get("loadBalancerClass")
    if kind is not None and not balanced:
        yield forbidden("spec.loadBalancerClass", ONLY_BALANCED)
    elif kind is not None:
        yield from metadata.label_key(kind, "spec.loadBalancerClass")


def _traffic(spec):
    kind, external, internal = spec.get("type"), spec.get("externalTrafficPolicy"), spec.get("internalTrafficPolicy")
    accessible = kind in ("NodePort", "LoadBalancer") or (kind == "ClusterIP" and spec.get("externalIPs"))
    if accessible:
        yield from one_of("spec.externalTrafficPolicy", external, ("Cluster", "Local"))
    elif external:
        yield invalid("spec.externalTrafficPolicy", external, "may only be set for externally-accessible services")
    if spec.get("healthCheckNodePort") and not (kind == "LoadBalancer" and external == "Local"):
        what = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
        yield invalid("spec.healthCheckNodePort", spec["healthCheckNodePort"], what)
    if internal is not None and internal not in ("Cluster", "Local"):
        yield not_supported("spec.internalTrafficPolicy", internal, ("Cluster", "Local"))
    distribution = spec.get("trafficDistribution")
    if distribution is not None and distribution not in DISTRIBUTIONS:
        yield not_supported("spec.trafficDistribution", distribution, DISTRIBUTIONS)


def service_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    after, before = new["spec"], old["spec"]
    if "ExternalName" not in (after.get("type"), before.get("type")):
        yield from _same_addresses(after, before)
    if after.get("type") == before.get("type") == "LoadBalancer" and after.get("loadBalancerClass") != before.get("loadBalancerClass"):
        yield invalid("spec.loadBalancerClass", after.get("loadBalancerClass"), "may not change once set")
    yield from service(new)


def _same_addresses(after, before):
    new, old = cluster_ips(after), cluster_ips(before)
    if old and not new:
        yield invalid("spec.clusterIPs[0]", None, "primary clusterIP can not be unset")
    for index, (now, was) in enumerate(zip(new, old)):
        if now != was:
            yield invalid(f"spec.clusterIPs[{index}]", new, "may not change once set")
    families, old_families = after.get("ipFamilies") or [], before.get("ipFamilies") or []
    if not is_headless(after) and families and old_families and families[0] != old_families[0]:
        yield invalid("spec.ipFamilies[0]", families, "may not change once set")
