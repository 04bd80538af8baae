"""Defaults of Services and what belongs to them (pkg/apis/core/v1/defaults.go, pkg/registry/core/service/storage/alloc.go)."""

from .filling import absent, applied, each, empty, inside

WITH_CLUSTER_IP = ("ClusterIP", "NodePort", "LoadBalancer")
ACCESSIBLE = ("NodePort", "LoadBalancer")
CLIENT_IP = {"clientIP": {"timeoutSeconds": 10800}}


def default_service(service):
    """A Service, but for addresses and node ports: those are allocated."""
    return inside(absent(service, {"spec": {}}), "spec", lambda spec: applied(spec, (_affinity, _type, _policies, _families)))


def _affinity(spec):
    spec = empty(spec, {"sessionAffinity": "None"})
    config = spec.get("sessionAffinityConfig")
    if spec["sessionAffinity"] == "None" and config is not None:
        return {key: value for key, value in spec.items() if key != "sessionAffinityConfig"}
    if spec["sessionAffinity"] == "ClientIP" and ((config or {}).get("clientIP") or {}).get("timeoutSeconds") is None:
        return {**spec, "sessionAffinityConfig": CLIENT_IP}
    return spec


def _type(spec):
    return each(empty(spec, {"type": "ClusterIP"}), "ports", _port)


def _port(port):
    port = empty(port, {"protocol": "TCP"})
    target = port.get("targetPort") or port.get("port")
    return port if port.get("targetPort") == target else {**port, "targetPort": target}


def _policies(spec):
    kind = spec["type"]
    accessible = kind in ACCESSIBLE or (kind == "ClusterIP" and spec.get("externalIPs"))
    if accessible:
        spec = empty(spec, {"externalTrafficPolicy": "Cluster"})
    if kind in WITH_CLUSTER_IP:
        spec = absent(spec, {"internalTrafficPolicy": "Cluster"})
    return absent(spec, {"allocateLoadBalancerNodePorts": True}) if kind == "LoadBalancer" else spec


def _families(spec):
    """A cluster of one family, IPv4. Headless without a selector, a Service may be of both: its endpoints are somebody else's."""
    if spec["type"] not in WITH_CLUSTER_IP:
        return spec
    loose = spec.get("clusterIP") == "None" and not spec.get("selector")
    spec = absent(spec, {"ipFamilyPolicy": "RequireDualStack" if loose else "SingleStack"})
    both = loose and spec["ipFamilyPolicy"] != "SingleStack"
    return empty(spec, {"ipFamilies": ["IPv4", "IPv6"] if both else ["IPv4"]})


def default_endpoints(endpoints):
    return each(endpoints, "subsets", lambda subset: each(subset, "ports", lambda port: empty(port, {"protocol": "TCP"})))


def default_endpoint_slice(endpoint_slice):
    return each(endpoint_slice, "ports", lambda port: absent(port, {"name": "", "protocol": "TCP"}))


def default_network_policy(policy):
    def defaults(spec):
        for direction in ("ingress", "egress"):
            spec = each(spec, direction, lambda rule: each(rule, "ports", lambda port: absent(port, {"protocol": "TCP"})))
        spec = absent(spec, {"podSelector": {}})
        return empty(spec, {"policyTypes": ["Ingress", "Egress"] if spec.get("egress") else ["Ingress"]})

    return inside(absent(policy, {"spec": {}}), "spec", defaults)


def default_ingress_class(ingress_class):
    return inside(ingress_class, "spec", lambda spec: inside(spec, "parameters", lambda found: empty(found, {"scope": "Cluster"})))
