"""Which rules apply to which kind: one line each, keyed by the plural and its group."""

from . import (
    batch,
    claims,
    cluster,
    endpoints,
    limits,
    metadata,
    names,
    network,
    pods,
    policy,
    rbac,
    resizing,
    services,
    sets,
    storage,
    templates,
    workloads,
)

REPLICAS = ("fullyLabeledReplicas", "readyReplicas", "availableReplicas")


def pod_template(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    yield from templates.template(found["template"], "template")


CREATE = {
    "bindings": pods.binding,
    "configmaps": cluster.config_map,
    "endpoints": endpoints.endpoints,
    "limitranges": limits.limit_range,
    "namespaces": cluster.namespace,
    "nodes": cluster.node,
    "persistentvolumeclaims": claims.claim,
    "persistentvolumes": storage.persistent_volume,
    "pods": pods.pod,
    "pods/binding": pods.binding,
    "podtemplates": pod_template,
    "replicationcontrollers": workloads.replication_controller,
    "resourcequotas": limits.resource_quota,
    "secrets": cluster.secret,
    "serviceaccounts": cluster.named(True),
    "services": services.service,
    "controllerrevisions.apps": sets.controller_revision,
    "daemonsets.apps": sets.daemon_set,
    "deployments.apps": workloads.deployment,
    "replicasets.apps": workloads.replica_set,
    "statefulsets.apps": sets.stateful_set,
    "horizontalpodautoscalers.autoscaling": policy.autoscaler,
    "cronjobs.batch": batch.cron_job,
    "jobs.batch": batch.job,
    "leases.coordination.k8s.io": cluster.lease,
    "endpointslices.discovery.k8s.io": endpoints.endpoint_slice,
    "ingressclasses.networking.k8s.io": network.ingress_class,
    "ingresses.networking.k8s.io": network.ingress,
    "networkpolicies.networking.k8s.io": network.network_policy,
    "poddisruptionbudgets.policy": policy.disruption_budget,
    "clusterrolebindings.rbac.authorization.k8s.io": rbac.binding(False),
    "clusterroles.rbac.authorization.k8s.io": rbac.role(False),
    "rolebindings.rbac.authorization.k8s.io": rbac.binding(True),
    "roles.rbac.authorization.k8s.io": rbac.role(True),
    "priorityclasses.scheduling.k8s.io": cluster.priority_class,
    "storageclasses.storage.k8s.io": storage.storage_class,
}

# Kinds that are not listed here may be updated to whatever could be created.
UPDATE = {
    "configmaps": cluster.config_map_update,
    "namespaces": cluster.namespace_update,
    "namespaces/finalize": cluster.namespace_update,
    "nodes": cluster.node_update,
    "persistentvolumeclaims": claims.claim_update,
    "persistentvolumes": storage.persistent_volume_update,
    "pods": pods.pod_update,
    "pods/ephemeralcontainers": pods.ephemeral_containers_update,
    "pods/resize": resizing.resize,
    "replicationcontrollers": workloads.replication_controller_update,
    "resourcequotas": limits.resource_quota_update,
    "scale": policy.scale,
    "secrets": cluster.secret_update,
    "services": services.service_update,
    "controllerrevisions.apps": sets.controller_revision_update,
    "daemonsets.apps": sets.daemon_set_update,
    "deployments.apps": workloads.deployment_update,
    "replicasets.apps": workloads.replica_set_update,
    "statefulsets.apps": sets.stateful_set_update,
    "cronjobs.batch": batch.cron_job_update,
    "jobs.batch": batch.job_update,
    "endpointslices.discovery.k8s.io": endpoints.endpoint_slice_update,
    "ingressclasses.networking.k8s.io": network.ingress_class_update,
    "ingresses.networking.k8s.io": network.ingress_update,
    "clusterrolebindings.rbac.authorization.k8s.io": rbac.binding_update(False),
    "rolebindings.rbac.authorization.k8s.io": rbac.binding_update(True),
    "priorityclasses.scheduling.k8s.io": cluster.priority_class_update,
    "storageclasses.storage.k8s.io": storage.storage_class_update,
}

STATUS = {
    "namespaces": cluster.namespace_status_update,
    "nodes": cluster.node_update,
    "persistentvolumeclaims": claims.claim_status_update,
    "pods": pods.pod_status_update,
    "replicationcontrollers": workloads.replicas_status(*REPLICAS),
    "resourcequotas": limits.resource_quota_status_update,
    "deployments.apps": workloads.replicas_status("updatedReplicas", "readyReplicas", "availableReplicas"),
    "replicasets.apps": workloads.replicas_status(*REPLICAS),
    "statefulsets.apps": workloads.replicas_status("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"),
    "jobs.batch": batch.job_status_update,
}
