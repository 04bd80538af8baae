"""Small facts about objects that the API server's tables and kubectl's descriptions print alike."""
from lifecycle.simulation.objects import at

ROLE_PREFIX = "node-role.kubernetes.io/"
ROLE_LABEL = "kubernetes.io/role"
ACCESS_MODES = {"ReadWriteOnce": "RWO", "ReadOnlyMany": "ROX", "ReadWriteMany": "RWX", "ReadWriteOncePod": "RWOP"}
CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"
DEFAULT_CLASS_ANNOTATIONS = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")


def node_roles(node):
    """The roles that a node's labels give it, sorted."""
    labels = at(node, "metadata", "labels", default={})
    roles = {key[len(ROLE_PREFIX):] for key in labels if key.startswith(ROLE_PREFIX)} | {labels.get(ROLE_LABEL, "")}
    return sorted(roles - {""})


def access_modes(modes):
    """"RWO,ROX": short names in Kubernetes' order, each once."""
    return ",".join([short for mode, short in ACCESS_MODES.items() if mode in (modes or ())])


def class_name(thing):
    """The storage class of a claim or a volume, "" if it has none; an old annotation wins over the field."""
    return at(thing, "metadata", "annotations", CLASS_ANNOTATION) or at(thing, "spec", "storageClassName", default="")


def is_default_class(thing):
    """Whether a StorageClass is the one for claims that name none."""
    annotations = at(thing, "metadata", "annotations", default={})
    return any(annotations.get(name) == "true" for name in DEFAULT_CLASS_ANNOTATIONS)


def load_balancer_addresses(thing):
    """Addresses or host names of a Service's or Ingress' load balancer, sorted."""
    entries = at(thing, "status", "loadBalancer", "ingress", default=())
    return sorted({entry.get("ip") or entry.get("hostname") for entry in entries} - {None, ""})


def first_few(texts, count, limit=3, separator=","):
    """"a,b,c + 2 more...": at most `limit` of `count` things; `texts` holds at least the first of them."""
    text = separator.join(texts[:limit])
    return f"{text} + {count - limit} more..." if count > limit else text


def host_port(address, port):
    """"10.0.0.1:80", "[fd00::1]:80"."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def signing_state(request):
    """What became of a CertificateSigningRequest: "Pending", "Approved,Issued", "Denied", ..."""
    kinds = {each["type"] for each in at(request, "status", "conditions", default=())}
    states = [kind for kind in ("Denied", "Approved") if kind in kinds][:1] or ["Pending"]
    states += ["Failed"] if "Failed" in kinds else []
    return ",".join(states + (["Issued"] if at(request, "status", "certificate") else []))
