"""Defaults of Pods and of pod templates (pkg/apis/core/v1/defaults.go, pkg/apis/core/v1/conversion.go)."""

from .... import quantities
from .containers import default_container, default_resource_list, default_resource_lists
from .filling import absent, each, empty, inside
from .remembering import remembers
from .volumes import default_volume

POD_LEVEL = ("cpu", "memory")


@remembers(2048)
def default_pod_spec(spec):
    """The spec of a pod template, or what a Pod's spec shares with it. Answers by identity of `spec`; `spec` itself if nothing is missing."""
    spec = empty(spec, {"dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler"})
    spec = absent(spec, {"terminationGracePeriodSeconds": 30, "securityContext": {}})
    spec = _service_account(each(spec, "volumes", default_volume))
    for kind in ("initContainers", "containers", "ephemeralContainers"):
        spec = each(spec, kind, default_container)
    return inside(inside(spec, "overhead", default_resource_list), "resources", default_resource_lists)


def _service_account(spec):
    """The name is written under its old key, serviceAccount, as well; the new key wins."""
    name = spec.get("serviceAccountName") or spec.get("serviceAccount")
    if not name or spec.get("serviceAccountName") == spec.get("serviceAccount"):
        return spec
    return {**spec, "serviceAccountName": name, "serviceAccount": name}


@remembers(2048)
def default_spec_of_pod(spec):
    """A Pod's spec: what a template's has, and what is decided only when there is a Pod."""
    spec = _grace(absent(default_pod_spec(spec), {"enableServiceLinks": True}))
    for kind in ("initContainers", "containers"):
        spec = each(spec, kind, _requests_from_limits)
        if spec.get("hostNetwork"):
            spec = each(spec, kind, _host_ports)
    return _pod_level_requests(spec)


def _grace(spec):
    """A negative grace period is kept as one second (pkg/registry/core/pod/strategy.go)."""
    return {**spec, "terminationGracePeriodSeconds": 1} if spec["terminationGracePeriodSeconds"] < 0 else spec


def default_pod(pod):
    """A Pod as the API server takes it in."""
    return {**pod, "spec": default_spec_of_pod({})} if pod.get("spec") is None else inside(pod, "spec", default_spec_of_pod)


def default_template(template):
    """A pod template: {"metadata", "spec"}."""
    template = absent(template, {"metadata": {}, "spec": {}})
    return inside(template, "spec", default_pod_spec)


def _requests_from_limits(container):
    limits = container["resources"].get("limits")
    if not limits:
        return container
    return inside(container, "resources", lambda resources: {**resources, "requests": _filled(resources.get("requests") or {}, limits)})


def _filled(requests, limits):
    return {**requests, **{name: limit for name, limit in limits.items() if name not in requests}}


def _host_ports(container):
    return each(container, "ports", lambda port: empty(port, {"hostPort": port["containerPort"]}) if port.get("containerPort") else port)


def _pod_level_requests(spec):
    """Requests of the whole Pod where only its limits were given: those of its containers, else the limits (KEP 2837)."""
    resources = spec.get("resources") or {}
    limits = resources.get("limits")
    if not limits:
        return spec
    given = resources.get("requests") or {}
    requests = {name: _of_containers(spec, name) or limit for name, limit in limits.items() if name in POD_LEVEL or name.startswith("hugepages-")}
    extra = {name: total for name in POD_LEVEL if name not in limits and (total := _of_containers(spec, name))}
    return {**spec, "resources": {**resources, "requests": {**requests, **extra, **given}}}


def _of_containers(spec, name):
    """The sum of the containers' requests, sidecars among them, as a quantity; None if no container asks."""
    sidecars = [container for container in spec.get("initContainers") or () if container.get("restartPolicy") == "Always"]
    asked = [requests[name] for container in (*sidecars, *spec["containers"]) if name in (requests := container["resources"].get("requests") or {})]
    if not asked:
        return None
    if name == "cpu":
        return quantities.canonical(f"{sum(quantities.milli(text) for text in asked)}m")
    return asked[0] if len(asked) == 1 else str(sum(quantities.value(text) for text in asked))
