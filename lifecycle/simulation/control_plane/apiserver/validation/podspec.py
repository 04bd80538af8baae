"""Rules for a Pod's spec, and for the spec of a template of Pods (pkg/apis/core/validation/validation.go: ValidatePodSpec)."""

from .... import quantities
from ....objects import at
from ..defaulting.remembering import remembers
from . import amounts, containers, metadata, names, scheduling, security
from .errors import between, duplicate, each_message, forbidden, invalid, not_supported, one_of, required
from .volumes import volumes

RESTART_POLICIES = ("Always", "OnFailure", "Never")
DNS_POLICIES = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
PREEMPTION_POLICIES = ("PreemptLowerPriority", "Never")
MAX_INT32 = 2**31 - 1
NAMES = {
    "serviceAccountName": names.dns_subdomain,
    "nodeName": names.dns_subdomain,
    "hostname": names.dns_label,
    "subdomain": names.dns_label,
    "priorityClassName": names.dns_subdomain,
    "runtimeClassName": names.dns_subdomain,
}


@remembers(2048)
def validate_pod_spec(spec):
    """Errors in the spec of a Pod, with paths from "spec". Answers by identity of `spec`."""
    return [*_spec(spec, in_pod=True), *_only_in_pods(spec)]


@remembers(2048)
def validate_template_spec(spec):
    """Errors in the spec of a pod template, with paths from "spec". Answers by identity of `spec`."""
    return list(_spec(spec, in_pod=False))


def _spec(spec, in_pod, path="spec"):
    found, wrong = volumes(spec.get("volumes"), f"{path}.volumes")
    yield from wrong
    claims = frozenset(claim.get("name") for claim in spec.get("resourceClaims") or () if claim.get("name"))
    yield from _resource_claims(spec.get("resourceClaims") or (), f"{path}.resourceClaims")
    pod = containers.PodView(found, claims, spec.get("terminationGracePeriodSeconds"), spec.get("restartPolicy"), spec.get("hostUsers") is not False)
    regular, init = spec.get("containers") or (), spec.get("initContainers") or ()
    yield from containers.regular(regular, pod, f"{path}.containers")
    yield from containers.init(init, regular, pod, f"{path}.initContainers")
    yield from containers.ephemeral(spec.get("ephemeralContainers"), (*regular, *init), pod, f"{path}.ephemeralContainers")
    yield from _pod_resources(spec, f"{path}.resources", claims)
    yield from _host_ports(spec, path, in_pod)
    yield from one_of(f"{path}.restartPolicy", spec.get("restartPolicy"), RESTART_POLICIES)
    yield from one_of(f"{path}.dnsPolicy", spec.get("dnsPolicy"), DNS_POLICIES)
    yield from metadata.labels(spec.get("nodeSelector"), f"{path}.nodeSelector")
    yield from security.pod_context(spec, f"{path}.securityContext")
    yield from scheduling.affinity(spec.get("affinity"), f"{path}.affinity")
    yield from _dns_config(spec, f"{path}.dnsConfig")
    for index, gate in enumerate(spec.get("readinessGates") or ()):
        yield from metadata.label_key(gate.get("conditionType") or "", f"{path}.readinessGates[{index}].conditionType")
    yield from scheduling.gates(spec.get("schedulingGates"), f"{path}.schedulingGates")
    yield from scheduling.spread(spec.get("topologySpreadConstraints"), f"{path}.topologySpreadConstraints")
    yield from security.host_namespaces(spec, path)
    yield from _scalars(spec, path)


def _scalars(spec, path):
    for key in ("serviceAccountName", "nodeName"):
        yield from _name(spec, key, path)
    deadline = spec.get("activeDeadlineSeconds")
    if deadline is not None and not 1 <= deadline <= MAX_INT32:
        yield invalid(f"{path}.activeDeadlineSeconds", deadline, between(1, MAX_INT32))
    for key in ("hostname", "subdomain"):
        yield from _name(spec, key, path)
    yield from scheduling.tolerations(spec.get("tolerations"), f"{path}.tolerations")
    yield from _host_aliases(spec.get("hostAliases") or (), f"{path}.hostAliases")
    for key in ("priorityClassName", "runtimeClassName"):
        yield from _name(spec, key, path)
    if spec.get("preemptionPolicy") is not None:
        yield from one_of(f"{path}.preemptionPolicy", spec["preemptionPolicy"], PREEMPTION_POLICIES)
    if spec.get("overhead") is not None:
        yield from amounts.requirements({"limits": spec["overhead"]}, f"{path}.overhead")
    yield from _os(spec, path)


def _name(spec, key, path):
    if spec.get(key):
        yield from each_message(f"{path}.{key}", spec[key], NAMES[key](spec[key]))


def _only_in_pods(spec, path="spec"):
    if not spec.get("serviceAccountName"):
        yield from _tokens_without_account(spec, path)
    for kind in ("containers", "initContainers"):
        for index, container in enumerate(spec.get(kind) or ()):
            yield from containers.trimmed_image(container, f"{path}.{kind}[{index}]")


def _tokens_without_account(spec, path):
    for index, volume in enumerate(spec.get("volumes") or ()):
        for number, source in enumerate(at(volume, "projected", "sources", default=())):
            if source.get("serviceAccountToken") is not None:
                here = f"{path}.volumes[{index}].projected.sources[{number}].serviceAccountToken"
                yield forbidden(here, "must not be specified when serviceAccountName is not set")


def _resource_claims(claims, path):
    seen = set()
    for index, claim in enumerate(claims):
        here, name = f"{path}[{index}]", claim.get("name") or ""
        if not name:
            yield required(f"{here}.name")
        elif name in seen:
            yield duplicate(f"{here}.name", name)
        else:
            yield from each_message(f"{here}.name", name, names.dns_label(name))
        seen.add(name)
        given = [claim[key] for key in ("resourceClaimName", "resourceClaimTemplateName") if claim.get(key) is not None]
        shown = {"Name": name, "ResourceClaimName": claim.get("resourceClaimName"), "ResourceClaimTemplateName": claim.get("resourceClaimTemplateName")}
        if len(given) > 1:
            yield invalid(here, shown, "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified")
        if not given:
            yield invalid(here, shown, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`")


def _pod_resources(spec, path, claims):
    """Amounts for the Pod as a whole: no less than its containers ask for together, no more for one of them (KEP 2837)."""
    resources = spec.get("resources")
    if resources is None:
        return
    if resources.get("claims") is not None:
        yield forbidden(f"{path}.claims", "claims cannot be set for Resources at pod-level")
    yield from amounts.requirements(resources, path, amounts.pod_resource_name, claims)
    asked = _asked_by_containers(spec)
    for name in sorted(asked):
        own = at(resources, "requests", name, default="0")
        if asked[name] > quantities.milli(own):
            total = quantities.canonical(f"{asked[name]}m")
            yield invalid(f"{path}.requests[{name}]", quantities.canonical(own), f"must be greater than or equal to aggregate container requests of {total}")
    yield from _container_limits(spec, resources.get("limits") or {}, path)


def _container_limits(spec, limits, path):
    for index, container in enumerate(spec.get("containers") or ()):
        for name, limit in (at(container, "resources", "limits") or {}).items():
            if name in limits and amounts.parsed(limit) > amounts.parsed(limits[name]):
                most = quantities.canonical(limits[name])
                yield invalid(f"{path}.containers[{index}][{name}].limits", quantities.canonical(limit), f"must be less than or equal to pod limits of {most}")


def _asked_by_containers(spec):
    """name -> thousandths, of regular containers and sidecars."""
    sidecars = [container for container in spec.get("initContainers") or () if container.get("restartPolicy") == "Always"]
    total = {}
    for container in (*(spec.get("containers") or ()), *sidecars):
        for name, text in (at(container, "resources", "requests") or {}).items():
            total[name] = total.get(name, 0) + quantities.milli(text)
    return total


def _host_ports(spec, path, in_pod):
    if not spec.get("hostNetwork"):
        return
    for index, container in enumerate(spec.get("containers") or ()):
        for number, port in enumerate(container.get("ports") or ()):
            host = port.get("hostPort") or 0
            if (in_pod or host) and host != port.get("containerPort"):
                yield invalid(f"{path}.containers[{index}].ports[{number}].hostPort", host, "must match `containerPort` when `hostNetwork` is true")


def _dns_config(spec, path):
    config = spec.get("dnsConfig")
    if spec.get("dnsPolicy") == "None" and config is None:
        yield required(path, "must provide `dnsConfig` when `dnsPolicy` is None")
        return
    servers, searches = (config or {}).get("nameservers") or [], (config or {}).get("searches") or []
    if spec.get("dnsPolicy") == "None" and not servers:
        yield required(f"{path}.nameservers", "must provide at least one DNS nameserver when `dnsPolicy` is None")
        return
    if len(servers) > 3:
        yield invalid(f"{path}.nameservers", servers, "must not have more than 3 nameservers")
    for index, server in enumerate(servers):
        yield from names.ip_address(f"{path}.nameservers[{index}]", server)
    if len(searches) > 32:
        yield invalid(f"{path}.searches", searches, "must not have more than 32 search paths")
    if len(" ".join(searches)) > 2048:
        yield invalid(f"{path}.searches", searches, "must not have more than 2048 characters (including spaces) in the search list")
    for index, search in enumerate(searches):
        if search != ".":
            bare = search.removesuffix(".")
            yield from each_message(f"{path}.searches[{index}]", bare, names.underscored_subdomain(bare))
    for index, option in enumerate((config or {}).get("options") or ()):
        if not option.get("name"):
            yield required(f"{path}.options[{index}]", "must not be empty")


def _host_aliases(aliases, path):
    for index, alias in enumerate(aliases):
        yield from names.ip_address(f"{path}[{index}].ip", alias.get("ip") or "")
        for number, host in enumerate(alias.get("hostnames") or ()):
            yield from each_message(f"{path}[{index}].hostnames[{number}]", host, names.dns_subdomain(host))


def _os(spec, path):
    if spec.get("os") is None:
        return
    name = spec["os"].get("name")
    if not name:
        yield required(f"{path}.os.name", "cannot be empty")
    elif name not in ("linux", "windows"):
        yield not_supported(f"{path}.os", name, ("linux", "windows"))
