"""The table of strategies, one row per kind that differs from the ordinary."""
from dataclasses import dataclass
from functools import lru_cache

from ....resources import registry
from . import batch, daemon_sets, namespaces, pods, policies, services, stateful_sets, storage

SPEC = ("spec",)
EVERYTHING = ("*",)


@dataclass(frozen=True)
class Strategy:
    """How a kind is written.

    `status`: what it starts with, whatever the client sent; None for kinds without one. `generation`: the fields whose change counts (also "labels" and
    "annotations" of the metadata, "*" for all but metadata and status); () for kinds without a generation. `creating(call, new)` and
    `updating(call, new, old)` give the object to store, `storing(new)` what becomes of a new one that is valid; `updating_status` the same for /status.
    `keeps_under_status`: metadata that an update of /status cannot change.
    """

    status: dict | None = None
    generation: tuple = ()
    creating: object = None
    storing: object = None
    updating: object = None
    updating_status: object = None
    keeps_under_status: tuple = ()
    status_on_create: bool = False          # what the client sent as status is taken
    create_on_update: bool = False          # PUT makes what is not there
    unconditional_update: bool = True       # PUT needs no resourceVersion
    graceful: bool = False                  # DELETE gives it time
    orphans_by_default: bool = False        # DELETE without a policy leaves dependents
    no_empty_status: bool = False           # without a status until somebody writes one
    returns_object: bool = False            # a DELETE that removed it answers with the object, not with a Status


ORDINARY = Strategy()
CUSTOM = Strategy(generation=EVERYTHING, unconditional_update=False)
CUSTOM_WITH_STATUS = Strategy(status={}, generation=EVERYTHING, unconditional_update=False, no_empty_status=True)
STATUS = Strategy(status={})
REPLICAS = {"replicas": 0}

STRATEGIES = {
    "pods": Strategy(status={}, generation=SPEC, creating=pods.creating, graceful=True, returns_object=True, keeps_under_status=("ownerReferences",)),
    "podtemplates": Strategy(generation=("template",), returns_object=True),
    "replicationcontrollers": Strategy(status=REPLICAS, generation=SPEC, orphans_by_default=True),
    "deployments.apps": Strategy(status={}, generation=("spec", "annotations"), keeps_under_status=("labels",)),
    "replicasets.apps": Strategy(status=REPLICAS, generation=SPEC),
    "statefulsets.apps": Strategy(
        status={"replicas": 0, "availableReplicas": 0}, generation=SPEC, creating=stateful_sets.creating, updating=stateful_sets.updating),
    "daemonsets.apps": Strategy(
        status={"currentNumberScheduled": 0, "numberMisscheduled": 0, "desiredNumberScheduled": 0, "numberReady": 0}, generation=SPEC,
        creating=daemon_sets.creating, updating=daemon_sets.updating),
    "jobs.batch": Strategy(status={}, generation=SPEC, creating=batch.creating_job, storing=batch.stored_job, orphans_by_default=True),
    "cronjobs.batch": Strategy(status={}, generation=SPEC),
    "services": Strategy(status={"loadBalancer": {}}, creating=services.creating, updating=services.updating, create_on_update=True, returns_object=True),
    "endpoints": Strategy(create_on_update=True),
    "endpointslices.discovery.k8s.io": Strategy(generation=("addressType", "endpoints", "ports", "labels")),
    "ingresses.networking.k8s.io": Strategy(status={"loadBalancer": {}}, generation=SPEC),
    "ingressclasses.networking.k8s.io": Strategy(generation=SPEC),
    "networkpolicies.networking.k8s.io": Strategy(generation=SPEC),
    "poddisruptionbudgets.policy": Strategy(
        status={"disruptionsAllowed": 0, "currentHealthy": 0, "desiredHealthy": 0, "expectedPods": 0}, generation=SPEC, unconditional_update=False),
    "horizontalpodautoscalers.autoscaling": Strategy(status={"desiredReplicas": 0, "currentMetrics": None}),
    "namespaces": Strategy(status={"phase": "Active"}, creating=namespaces.creating, updating=namespaces.updating),
    "nodes": Strategy(status={}, status_on_create=True),
    "resourcequotas": Strategy(status={}, returns_object=True),
    "limitranges": Strategy(create_on_update=True),
    "serviceaccounts": Strategy(returns_object=True),
    "persistentvolumes": Strategy(
        status={"phase": "Pending"}, creating=storage.creating_volume, updating_status=storage.updating_volume_status, returns_object=True),
    "persistentvolumeclaims": Strategy(status={"phase": "Pending"}, returns_object=True),
    "volumeattachments.storage.k8s.io": Strategy(status={"attached": False}, status_on_create=True, unconditional_update=False),
    "csidrivers.storage.k8s.io": Strategy(generation=SPEC, unconditional_update=False),
    "csinodes.storage.k8s.io": Strategy(unconditional_update=False),
    "priorityclasses.scheduling.k8s.io": Strategy(generation=("value", "globalDefault", "description", "preemptionPolicy")),
    "runtimeclasses.node.k8s.io": Strategy(unconditional_update=False),
    "leases.coordination.k8s.io": Strategy(create_on_update=True, unconditional_update=False),
    "customresourcedefinitions.apiextensions.k8s.io": Strategy(status={"conditions": None}, generation=SPEC, creating=policies.creating_definition),
    "validatingadmissionpolicies.admissionregistration.k8s.io": Strategy(status={}, generation=SPEC, creating=policies.creating_policy),
    "validatingadmissionpolicybindings.admissionregistration.k8s.io": Strategy(generation=SPEC, creating=policies.creating_binding),
    "events": Strategy(create_on_update=True),
    "events.events.k8s.io": Strategy(create_on_update=True),
    "roles.rbac.authorization.k8s.io": Strategy(create_on_update=True),
    "rolebindings.rbac.authorization.k8s.io": Strategy(create_on_update=True),
    "clusterroles.rbac.authorization.k8s.io": Strategy(create_on_update=True),
    "clusterrolebindings.rbac.authorization.k8s.io": Strategy(create_on_update=True),
}


@lru_cache(None)
def strategy_of(resource):
    """The Strategy of a Resource."""
    known = STRATEGIES.get(resource.qualified)
    if known or resource.qualified in registry():
        return known or (STATUS if "status" in resource.subresources else ORDINARY)
    return CUSTOM_WITH_STATUS if "status" in resource.subresources else CUSTOM
