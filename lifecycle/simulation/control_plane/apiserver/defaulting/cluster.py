"""Defaults of what is neither a workload nor a Service: namespaces, nodes, storage, policy, access (pkg/apis/*/v1/defaults.go)."""

import base64

from ....objects import at
from .containers import default_resource_list, default_resource_lists
from .filling import absent, applied, each, empty, inside
from .volumes import default_claim_spec, default_persistent_source

RBAC = "rbac.authorization.k8s.io"
NAME_LABEL = "kubernetes.io/metadata.name"
CPU_AT_80 = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}
SCALE_UP = {
    "stabilizationWindowSeconds": 0,
    "selectPolicy": "Max",
    "policies": [{"type": "Pods", "value": 4, "periodSeconds": 15}, {"type": "Percent", "value": 100, "periodSeconds": 15}],
}
SCALE_DOWN = {"selectPolicy": "Max", "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}]}
CSI_DRIVER = {
    "attachRequired": True,
    "podInfoOnMount": False,
    "volumeLifecycleModes": ["Persistent"],
    "storageCapacity": False,
    "fsGroupPolicy": "ReadWriteOnceWithFSType",
    "requiresRepublish": False,
    "seLinuxMount": False,
}


def default_namespace(namespace):
    """A Namespace: the label with its own name is always right."""
    name = namespace["metadata"].get("name")
    if name and at(namespace, "metadata", "labels", NAME_LABEL) != name:
        labels = {**(namespace["metadata"].get("labels") or {}), NAME_LABEL: name}
        namespace = {**namespace, "metadata": {**namespace["metadata"], "labels": labels}}
    return absent(namespace, {"spec": {}, "status": {"phase": "Active"}})


def default_node(node):
    def capacity(status):
        status = inside(inside(status, "capacity", default_resource_list), "allocatable", default_resource_list)
        return absent(status, {"allocatable": status["capacity"]}) if status.get("capacity") else status

    node = inside(absent(node, {"spec": {}}), "spec", lambda spec: absent(spec, {"podCIDRs": [spec["podCIDR"]]}) if spec.get("podCIDR") else spec)
    return inside(node, "status", capacity)


def default_api_service(api_service):
    """An APIService: another server is asked on its HTTPS port."""
    return inside(api_service, "spec", lambda spec: inside(spec, "service", lambda service: absent(service, {"port": 443})))


def default_secret(secret):
    """A Secret; stringData is a way to write, what is kept is data in base64."""
    secret = empty(secret, {"type": "Opaque"})
    if "stringData" not in secret:
        return secret
    encoded = {key: base64.b64encode(text.encode()).decode() for key, text in (secret["stringData"] or {}).items()}
    kept = {key: value for key, value in secret.items() if key != "stringData"}
    return {**kept, "data": {**(secret.get("data") or {}), **encoded}} if encoded else kept


def default_persistent_volume(volume):
    volume = absent(volume, {"spec": {}, "status": {"phase": "Pending"}})
    return inside(
        volume,
        "spec",
        lambda spec: default_persistent_source(absent(empty(spec, {"persistentVolumeReclaimPolicy": "Retain"}), {"volumeMode": "Filesystem"})),
    )


def default_claim(claim):
    claim = absent(claim, {"spec": {}, "status": {"phase": "Pending"}})
    return inside(claim, "spec", lambda spec: applied(spec, (default_claim_spec, _resources, _data_source)))


def _resources(spec):
    return inside(spec, "resources", default_resource_lists)


def _data_source(spec):
    """A source given under the older key is named under the newer one too (pkg/api/persistentvolumeclaim NormalizeDataSources)."""
    source = spec.get("dataSource")
    return absent(spec, {"dataSourceRef": source}) if source else spec


def default_storage_class(storage_class):
    return absent(storage_class, {"reclaimPolicy": "Delete", "volumeBindingMode": "Immediate"})


def default_csi_driver(driver):
    return inside(driver, "spec", lambda spec: absent(spec, CSI_DRIVER))


def default_priority_class(priority_class):
    return absent(priority_class, {"preemptionPolicy": "PreemptLowerPriority", "value": 0})


def default_autoscaler(autoscaler):
    def defaults(spec):
        spec = empty(absent(spec, {"minReplicas": 1}), {"metrics": [CPU_AT_80]})
        return inside(spec, "behavior", _behavior)

    return inside(absent(autoscaler, {"spec": {}}), "spec", defaults)


def _behavior(behavior):
    behavior = absent(behavior, {"scaleUp": {}, "scaleDown": {}})
    return inside(inside(behavior, "scaleUp", lambda rules: absent(rules, SCALE_UP)), "scaleDown", lambda rules: absent(rules, SCALE_DOWN))


def default_limit_range(limit_range):
    return inside(limit_range, "spec", lambda spec: each(spec, "limits", _limits))


def _limits(item):
    """Of a container, the default limit is the most, the default request is the default limit or else the least."""
    if item.get("type") != "Container":
        return item
    limits = {**(item.get("max") or {}), **(item.get("default") or {})}
    requests = {**(item.get("min") or {}), **limits, **(item.get("defaultRequest") or {})}
    wanted = {key: value for key, value in (("default", limits), ("defaultRequest", requests)) if value and item.get(key) != value}
    return {**item, **wanted} if wanted else item


def default_role_binding(binding):
    binding = inside(binding, "roleRef", lambda ref: empty(ref, {"apiGroup": RBAC}))
    return each(binding, "subjects", lambda subject: empty(subject, {"apiGroup": RBAC}) if subject.get("kind") in ("User", "Group") else subject)
