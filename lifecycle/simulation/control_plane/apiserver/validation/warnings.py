"""What the API server accepts but warns of (pkg/api/pod/warnings.go, WarningsOnCreate of the registry's strategies)."""

from .... import quantities
from ....objects import at
from ..defaulting.remembering import remembers
from . import names

HOSTNAME = "this is used in the Pod's hostname"
POD_NAMES = "this is used in Pod names and hostnames"
SURPRISING = "which can result in surprising behavior; a DNS label is recommended"
NAMED = {
    "pods": HOSTNAME,
    "deployments.apps": POD_NAMES,
    "replicasets.apps": POD_NAMES,
    "statefulsets.apps": POD_NAMES,
    "replicationcontrollers": POD_NAMES,
    "jobs.batch": POD_NAMES,
    "cronjobs.batch": POD_NAMES,
}
SPECS = {
    "pods": ("spec",),
    "podtemplates": ("template", "spec"),
    "cronjobs.batch": ("spec", "jobTemplate", "spec", "template", "spec"),
    "deployments.apps": ("spec", "template", "spec"),
    "replicasets.apps": ("spec", "template", "spec"),
    "statefulsets.apps": ("spec", "template", "spec"),
    "daemonsets.apps": ("spec", "template", "spec"),
    "replicationcontrollers": ("spec", "template", "spec"),
    "jobs.batch": ("spec", "template", "spec"),
}
DEPRECATED_KINDS = {
    "endpoints": "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
    "componentstatuses": "v1 ComponentStatus is deprecated in v1.19+",
}
NODE_LABELS = {
    "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
    "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
    "failure-domain.beta.kubernetes.io/region": 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
    "failure-domain.beta.kubernetes.io/zone": 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    "beta.kubernetes.io/instance-type": 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
}
VOLUMES = {
    "gitRepo": "deprecated in v1.11, and disabled by default in v1.33+",
    "scaleIO": "deprecated in v1.16, non-functional in v1.22+",
    "flocker": "deprecated in v1.22, non-functional in v1.25+",
    "storageos": "deprecated in v1.22, non-functional in v1.25+",
    "quobyte": "deprecated in v1.22, non-functional in v1.25+",
    "glusterfs": "deprecated in v1.25, non-functional in v1.26+",
    "cephfs": "deprecated in v1.28, non-functional in v1.31+",
    "rbd": "deprecated in v1.28, non-functional in v1.31+",
}
APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/"
INGRESS_CLASS = "kubernetes.io/ingress.class"
BETA_CLASS = "volume.beta.kubernetes.io/storage-class"


def deprecation(kind_key):
    """The warning that comes with every request for a kind, or None."""
    return DEPRECATED_KINDS.get(kind_key)


def warnings(kind_key, obj, old=None):
    """Texts for the Warning headers of an accepted create, or of an update of `old`, in the server's order."""
    found = list(_of_name(kind_key, obj)) if old is None else []
    path = SPECS.get(kind_key)
    spec = at(obj, *path) if path else None
    if spec is not None and (old is None or at(old, *path) is not spec):
        prefix = ".".join(path)[: -len("spec")]
        found += [prefix + text for text in _of_pod_spec(spec)]
        meta = at(obj, *path[:-1], "metadata") or {}
        found += [f"{prefix}metadata.{text}" for text in _of_annotations(meta.get("annotations") or {})]
    return [*found, *OTHERS.get(kind_key, _none)(obj)]


def _none(obj):
    return ()


def _of_name(kind_key, obj):
    what, name = NAMED.get(kind_key), obj["metadata"].get("name")
    wrong = names.dns_label(name) if what and name else None
    if wrong:
        yield f"metadata.name: {what}, {SURPRISING}: [{' '.join(wrong)}]"


@remembers(2048)
def _of_pod_spec(spec):
    """Warnings about a Pod's spec, with paths from "spec". Answers by identity of `spec`."""
    return [*_labels(spec), *_volumes(spec), *_pull_secrets(spec), *_containers(spec)]


def _labels(spec):
    for key in spec.get("nodeSelector") or ():
        if key in NODE_LABELS:
            yield f"spec.nodeSelector[{key}]: {NODE_LABELS[key]}"
    for index, constraint in enumerate(spec.get("topologySpreadConstraints") or ()):
        if constraint.get("topologyKey") in NODE_LABELS:
            yield f"spec.topologySpreadConstraints[{index}].topologyKey: {constraint['topologyKey']} is {NODE_LABELS[constraint['topologyKey']]}"
        if constraint.get("labelSelector") is None:
            yield f"spec.topologySpreadConstraints[{index}].labelSelector: a null labelSelector results in matching no pod"


def _volumes(spec):
    for index, volume in enumerate(spec.get("volumes") or ()):
        for kind, text in VOLUMES.items():
            if volume.get(kind) is not None:
                yield f"spec.volumes[{index}].{kind}: {text}"


def _pull_secrets(spec):
    seen = {}
    for index, secret in enumerate(spec.get("imagePullSecrets") or ()):
        if not secret.get("name"):
            yield f'spec.imagePullSecrets[{index}].name: invalid empty name ""'
        elif secret["name"] in seen:
            yield f'spec.imagePullSecrets[{index}].name: duplicate name "{secret["name"]}"'
        seen[secret.get("name")] = index


def _containers(spec):
    ports = {}
    for kind in ("initContainers", "containers"):
        for index, container in enumerate(spec.get(kind) or ()):
            path = f"spec.{kind}[{index}]"
            yield from _fractions(container.get("resources") or {}, f"{path}.resources")
            yield from _hidden_variables(container, path)
            yield from _duplicate_ports(container, path, ports)


def _fractions(resources, path):
    """Memory and the like in thousandths of a byte: m was taken for mega."""
    for key in ("limits", "requests"):
        for name in ("memory", "ephemeral-storage"):
            text = (resources.get(key) or {}).get(name)
            if text is not None and quantities.parse(text).nano % quantities.NANO:
                yield f'{path}.{key}[{name}]: fractional byte value "{quantities.canonical(text)}" is invalid, must be an integer'


def _hidden_variables(container, path):
    seen = set()
    for index, variable in enumerate(container.get("env") or ()):
        if variable.get("name") in seen:
            yield f'{path}.env[{index}]: hides previous definition of "{variable["name"]}", which may be dropped when using apply'
        seen.add(variable.get("name"))


def _duplicate_ports(container, path, known):
    """The same port twice in one container, or in two: the second container will find it taken."""
    for index, port in enumerate(container.get("ports") or ()):
        here, key = f"{path}.ports[{index}]", (port.get("containerPort"), port.get("protocol"), port.get("hostIP") or "", port.get("hostPort") or 0)
        if key in known:
            yield f"{here}: duplicate port definition with {known[key]}"
        known.setdefault(key, here)


def _of_annotations(annotations):
    for key in annotations:
        if key.startswith(APP_ARMOR):
            yield f'annotations[{key}]: deprecated since v1.30; use the "appArmorProfile" field instead'
        elif key.startswith(("seccomp.security.alpha.kubernetes.io/pod", "container.seccomp.security.alpha.kubernetes.io/")):
            yield f'annotations[{key}]: non-functional in v1.27+; use the "seccompProfile" field instead'


def _of_service(service):
    if service["spec"].get("clusterIP") == "None" and service["spec"].get("sessionAffinity") == "ClientIP":
        yield "spec.SessionAffinity is ignored for headless services"


def _of_ingress(ingress):
    if INGRESS_CLASS in (ingress["metadata"].get("annotations") or {}):
        yield f"annotation \"{INGRESS_CLASS}\" is deprecated, please use 'spec.ingressClassName' instead"


def _of_storage_class(thing):
    """The annotation that named a StorageClass before there was a field for it."""
    if BETA_CLASS in (thing["metadata"].get("annotations") or {}):
        yield f'metadata.annotations[{BETA_CLASS}]: deprecated since v1.8; use "storageClassName" attribute instead'


def _of_claim(claim):
    yield from _of_storage_class(claim)
    size = at(claim, "spec", "resources", "requests", "storage")
    if size is not None and quantities.parse(size).nano % quantities.NANO:
        yield f'spec.resources.requests[storage]: fractional byte value "{quantities.canonical(size)}" is invalid, must be an integer'


def _of_persistent_volume(volume):
    yield from _of_storage_class(volume)
    if volume["spec"].get("persistentVolumeReclaimPolicy") == "Recycle":
        how = "Instead, the recommended approach is to use dynamic provisioning."
        yield f"spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. {how}"
    for kind, text in VOLUMES.items():
        if volume["spec"].get(kind) is not None:
            yield f"spec.{kind}: {text}"


OTHERS = {
    "services": _of_service,
    "ingresses.networking.k8s.io": _of_ingress,
    "persistentvolumeclaims": _of_claim,
    "persistentvolumes": _of_persistent_volume,
}
