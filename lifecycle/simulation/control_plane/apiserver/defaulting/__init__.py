"""What the API server fills in when it takes an object: the defaults of v1.36, pure and copy-on-write."""

from . import cluster, services, workloads
from .pods import default_pod, default_pod_spec

__all__ = ["default", "default_pod_spec"]

DEFAULTS = {
    "pods": default_pod,
    "podtemplates": workloads.default_pod_template,
    "replicationcontrollers": workloads.default_replication_controller,
    "deployments.apps": workloads.default_deployment,
    "replicasets.apps": workloads.default_replica_set,
    "statefulsets.apps": workloads.default_stateful_set,
    "daemonsets.apps": workloads.default_daemon_set,
    "jobs.batch": workloads.default_job,
    "cronjobs.batch": workloads.default_cron_job,
    "services": services.default_service,
    "endpoints": services.default_endpoints,
    "endpointslices.discovery.k8s.io": services.default_endpoint_slice,
    "networkpolicies.networking.k8s.io": services.default_network_policy,
    "ingressclasses.networking.k8s.io": services.default_ingress_class,
    "namespaces": cluster.default_namespace,
    "nodes": cluster.default_node,
    "secrets": cluster.default_secret,
    "persistentvolumes": cluster.default_persistent_volume,
    "persistentvolumeclaims": cluster.default_claim,
    "storageclasses.storage.k8s.io": cluster.default_storage_class,
    "apiservices.apiregistration.k8s.io": cluster.default_api_service,
    "csidrivers.storage.k8s.io": cluster.default_csi_driver,
    "priorityclasses.scheduling.k8s.io": cluster.default_priority_class,
    "horizontalpodautoscalers.autoscaling": cluster.default_autoscaler,
    "limitranges": cluster.default_limit_range,
    "rolebindings.rbac.authorization.k8s.io": cluster.default_role_binding,
    "clusterrolebindings.rbac.authorization.k8s.io": cluster.default_role_binding,
}


def default(kind_key, obj):
    """`obj` as the server completes it, `obj` itself if nothing was missing.

    `kind_key` is the plural with its group ("pods", "deployments.apps"); kinds without defaults come back as they are.
    What is allocated (addresses, node ports) or decided by admission (service account, priority) is not set here.
    Idempotent: an object may be completed again after the server has generated fields in it.
    """
    function = DEFAULTS.get(kind_key)
    return function(obj) if function else obj
