"""Ready-made manifests of the form to create: a YAML file each, and this table of what they are called."""
from importlib.resources import files

from django.utils.translation import gettext_lazy as _

EXAMPLES = (
    (_("Workloads"), (
        ("deployment", _("Deployment with three replicas")),
        ("pod", _("Pod")),
        ("replicaset", _("ReplicaSet")),
        ("whole", _("Deployment with Service, ConfigMap and storage")),
    )),
    (_("Pods that do more"), (
        ("probes", _("Pod with probes and hooks")),
        ("init", _("Pod with init container and sidecar")),
        ("once", _("Pod that runs once and ends")),
        ("resources", _("Pod with requests and limits")),
        ("finalizer", _("Pod with a finalizer")),
        ("metrics-server", _("Metrics server, for kubectl top and autoscalers")),
        ("autoscaler", _("Deployment with an autoscaler")),
    )),
    (_("Things that go wrong"), (
        ("missing-image", _("Pod whose image does not exist")),
        ("crash", _("Pod that crashes again and again")),
        ("too-big", _("Pod that fits on no node")),
        ("stubborn", _("Pod that ignores SIGTERM")),
    )),
    (_("Network and settings"), (
        ("service", _("Service")),
        ("configmap", _("ConfigMap")),
        ("claim", _("PersistentVolumeClaim")),
        ("namespace", _("Namespace")),
        ("budget", _("PodDisruptionBudget")),
    )),
)
NAMES = [name for _group, entries in EXAMPLES for name, _title in entries]
FIRST = NAMES[0]


def text(name):
    """The YAML of an example. Raises KeyError."""
    if name not in NAMES:
        raise KeyError(name)
    return (files(__package__) / f"{name}.yaml").read_text(encoding="utf-8")
