"""Rules for Ingresses, their classes, and NetworkPolicies (pkg/apis/networking/validation/validation.go)."""

import ipaddress

from . import metadata, names
from .errors import each_message, forbidden, invalid, not_supported, required, too_long, unchanged
from .handlers import port as port_rule

PATH_TYPES = ("Exact", "ImplementationSpecific", "Prefix")
BAD_SEQUENCES = ("//", "/./", "/../", "%2f", "%2F")
BAD_ENDS = ("/..", "/.")
CLASS_ANNOTATION = "kubernetes.io/ingress.class"
PROTOCOLS = ("TCP", "UDP", "SCTP")


def ingress(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    yield from _ingress_spec(found.get("spec") or {})
    annotation, kind = (found["metadata"].get("annotations") or {}).get(CLASS_ANNOTATION), (found.get("spec") or {}).get("ingressClassName")
    if annotation is not None and kind is not None and annotation != kind:
        yield invalid(f"annotations.{CLASS_ANNOTATION}", annotation, "must match `ingressClassName` when both are specified")


def ingress_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from metadata.object_meta(new["metadata"], True, names.dns_subdomain)
    yield from _ingress_spec(new.get("spec") or {})


def _ingress_spec(spec):
    rules, backend = spec.get("rules") or (), spec.get("defaultBackend")
    if not rules and backend is None:
        yield invalid("spec", None, "either `defaultBackend` or `rules` must be specified")
    if backend is not None:
        yield from _backend(backend, "spec.defaultBackend")
    for index, rule in enumerate(rules):
        yield from _rule(rule, f"spec.rules[{index}]")
    for index, tls in enumerate(spec.get("tls") or ()):
        for number, host in enumerate(tls.get("hosts") or ()):
            yield from _host(host, f"spec.tls[{index}].hosts[{number}]")
        if tls.get("secretName"):
            yield from each_message(f"spec.tls[{index}].secretName", tls["secretName"], names.dns_subdomain(tls["secretName"]))
    if spec.get("ingressClassName") is not None:
        yield from each_message("spec.ingressClassName", spec["ingressClassName"], names.dns_subdomain(spec["ingressClassName"]))


def _host(host, path):
    check = names.wildcard_subdomain if "*" in host else names.dns_subdomain
    yield from each_message(path, host, check(host))


def _rule(rule, path):
    host = rule.get("host")
    if host:
        if not list(names.ip_address(path, host)):
            yield invalid(f"{path}.host", host, "must be a DNS name, not an IP address")
        yield from _host(host, f"{path}.host")
    if rule.get("http") is None:
        return
    if not rule["http"].get("paths"):
        yield required(f"{path}.http.paths")
    for index, found in enumerate(rule["http"].get("paths") or ()):
        yield from _path(found, f"{path}.http.paths[{index}]")


def _path(found, path):
    kind, target = found.get("pathType"), found.get("path") or ""
    if kind is None:
        yield required(f"{path}.pathType", "pathType must be specified")
        return
    if kind not in PATH_TYPES:
        yield not_supported(f"{path}.pathType", kind, PATH_TYPES)
    elif not target.startswith("/") and (target or kind != "ImplementationSpecific"):
        yield invalid(f"{path}.path", target, "must be an absolute path")
    if kind in ("Exact", "Prefix"):
        for sequence in BAD_SEQUENCES:
            if sequence in target:
                yield invalid(f"{path}.path", target, f"must not contain '{sequence}'")
        for end in BAD_ENDS:
            if target.endswith(end):
                yield invalid(f"{path}.path", target, f"cannot end with '{end}'")
    yield from _backend(found.get("backend") or {}, f"{path}.backend")


def _backend(backend, path):
    service, resource = backend.get("service"), backend.get("resource")
    if service is not None and resource is not None:
        yield invalid(path, "", "cannot set both resource and service backends")
    elif resource is not None:
        for key in ("kind", "name"):
            if not resource.get(key):
                yield required(f"{path}.resource.{key}")
    elif service is not None:
        yield from _service_backend(service, path)
    else:
        yield invalid(path, "", "resource or service backend is required")


def _service_backend(service, path):
    name, port = service.get("name") or "", service.get("port") or {}
    if not name:
        yield required(f"{path}.service.name")
    else:
        yield from each_message(f"{path}.service.name", name, names.dns_label(name))
    if port.get("name") and port.get("number"):
        yield invalid(path, "", "cannot set both port name & port number")
    elif port.get("name"):
        yield from each_message(f"{path}.service.port.name", port["name"], names.port_name(port["name"]))
    elif port.get("number"):
        yield from each_message(f"{path}.service.port.number", port["number"], names.port_number(port["number"]))
    else:
        yield required(path, "port name or number is required")


def ingress_class(found):
    yield from metadata.object_meta(found["metadata"], False, names.dns_subdomain)
    controller = (found.get("spec") or {}).get("controller") or ""
    domain, slash, rest = controller.partition("/")
    if not controller:
        yield required("spec.controller")
    elif len(controller) > 250:
        yield too_long("spec.controller", 250)
    elif not (domain and slash and rest):
        yield invalid("spec.controller", controller, 'must be a domain-prefixed path (such as "acme.io/foo")')
    else:
        yield from each_message("spec.controller", domain, names.dns_subdomain(domain))


def ingress_class_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from unchanged("spec.controller", (new.get("spec") or {}).get("controller"), (old.get("spec") or {}).get("controller"))
    yield from ingress_class(new)


def network_policy(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    spec = found.get("spec") or {}
    yield from metadata.label_selector(spec.get("podSelector"), "spec.podSelector")
    for direction, peers in (("ingress", "from"), ("egress", "to")):
        for index, rule in enumerate(spec.get(direction) or ()):
            path = f"spec.{direction}[{index}]"
            for number, port in enumerate(rule.get("ports") or ()):
                yield from _policy_port(port, f"{path}.ports[{number}]")
            for number, peer in enumerate(rule.get(peers) or ()):
                yield from _peer(peer, f"{path}.{peers}[{number}]")
    types = spec.get("policyTypes") or []
    if len(types) > 2:
        yield invalid("spec.policyTypes", types, "may not specify more than two policyTypes")
        return
    for index, kind in enumerate(types):
        if kind not in ("Ingress", "Egress"):
            yield not_supported(f"spec.policyTypes[{index}]", kind, ("Ingress", "Egress"))


def _policy_port(port, path):
    protocol, number, end = port.get("protocol"), port.get("port"), port.get("endPort")
    if protocol is not None and protocol not in PROTOCOLS:
        yield not_supported(f"{path}.protocol", protocol, PROTOCOLS)
    if number is not None:
        yield from port_rule(f"{path}.port", number)
    if end is None:
        return
    if number is None:
        yield invalid(f"{path}.endPort", end, "may not be specified when `port` is not specified")
    elif isinstance(number, str):
        yield invalid(f"{path}.endPort", end, "may not be specified when `port` is non-numeric")
    else:
        if end < number:
            yield invalid(f"{path}.endPort", end, "must be greater than or equal to `port`")
        yield from each_message(f"{path}.endPort", end, names.port_number(end))


def _peer(peer, path):
    given = [key for key in ("podSelector", "namespaceSelector", "ipBlock") if peer.get(key) is not None]
    for key in given:
        if key == "ipBlock":
            yield from _ip_block(peer[key], f"{path}.ipBlock")
        else:
            yield from metadata.label_selector(peer[key], f"{path}.{key}")
    if not given:
        yield required(path, "must specify a peer")
    elif len(given) > 1 and "ipBlock" in given:
        yield forbidden(path, "may not specify both ipBlock and another peer")


def _ip_block(block, path):
    network = block.get("cidr") or ""
    if not network:
        yield required(f"{path}.cidr")
        return
    wrong = list(names.cidr(f"{path}.cidr", network))
    yield from wrong
    for index, text in enumerate(() if wrong else block.get("except") or ()):
        here = f"{path}.except[{index}]"
        bad = list(names.cidr(here, text))
        yield from bad
        if not bad and not _strictly_inside(text, network):
            yield invalid(here, text, "must be a strict subset of `cidr`")


def _strictly_inside(text, network):
    inner, outer = (ipaddress.ip_network(one, strict=False) for one in (text, network))
    return inner.version == outer.version and inner != outer and inner.subnet_of(outer)
