"""Which plugin does what, in the order and with the weights of the default profile (pkg/scheduler/apis/config/v1/default_plugins.go)."""
from .plugins import (
    image_locality,
    inter_pod_affinity,
    node_affinity,
    node_ports,
    node_resources,
    node_unschedulable,
    taint_toleration,
    topology_spread,
    volume_binding,
    volume_limits,
    volume_restrictions,
    volume_zone,
)

# Filter plugins whose answer depends on the Pod's shape and on this node alone: function(shape, node) -> Rejection or None.
NODE_FILTERS = (
    node_unschedulable.filter,
    taint_toleration.filter,
    node_affinity.filter,
    node_ports.filter,
    node_resources.filter,
)

# Filter plugins that look further: (prepare(info, view) -> state, None to be skipped or a Rejection of the Pod; filter(state, info, node, view)).
CLUSTER_FILTERS = (
    (volume_restrictions.prepare, volume_restrictions.filter),
    (volume_limits.prepare, volume_limits.filter),
    (volume_binding.prepare, volume_binding.filter),
    (volume_zone.prepare, volume_zone.filter),
    (topology_spread.prepare, lambda state, info, node, view: topology_spread.filter(state, info, node)),
    (inter_pod_affinity.prepare, lambda state, info, node, view: inter_pod_affinity.filter(state, info, node)),
)

WEIGHTS = {
    taint_toleration.NAME: 3,
    node_affinity.NAME: 2,
    topology_spread.NAME: 2,
    inter_pod_affinity.NAME: 2,
    node_resources.NAME: 1,
    node_resources.BALANCED: 1,
    image_locality.NAME: 1,
}

# What may help a Pod that a plugin rejected: {what happened: {plugin: hint}}. A hint is given the waiting Pod's PodInfo, what changed before and
# after (Node objects for "node", PodInfos for "pod", objects for the rest) and the API; without a hint it is worth trying whatever changed.
HINTS = {
    "node": {
        node_unschedulable.NAME: node_unschedulable.uncordoned,
        taint_toleration.NAME: taint_toleration.retainted,
        node_affinity.NAME: node_affinity.relabelled,
        node_resources.NAME: node_resources.grown,
        topology_spread.NAME: topology_spread.renamed,
        inter_pod_affinity.NAME: inter_pod_affinity.renamed,
    },
    "node added": dict.fromkeys((node_ports.NAME, volume_binding.NAME, volume_limits.NAME, volume_zone.NAME)),
    "pod gone": {
        node_ports.NAME: node_ports.released,
        volume_limits.NAME: volume_limits.detached,
        volume_restrictions.NAME: volume_restrictions.released,
    },
    "pod": {
        node_resources.NAME: node_resources.freed,
        topology_spread.NAME: topology_spread.moved,
        inter_pod_affinity.NAME: inter_pod_affinity.moved,
    },
    "persistentvolumeclaims": dict.fromkeys(
        (volume_binding.NAME, volume_zone.NAME, volume_limits.NAME, volume_restrictions.NAME), volume_binding.claimed),
    "persistentvolumes": dict.fromkeys((volume_binding.NAME, volume_zone.NAME)),
    "storageclasses.storage.k8s.io": dict.fromkeys((volume_binding.NAME, volume_zone.NAME)),
    "csinodes.storage.k8s.io": dict.fromkeys((volume_binding.NAME, volume_limits.NAME)),
}
