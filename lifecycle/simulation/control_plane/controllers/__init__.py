"""The controllers of the controller manager. A new one is its file and a line here."""

from . import volumes
from .deployment import Deployment
from .disruption import Disruption
from .endpoints import Endpoints
from .endpointslice import EndpointSlices
from .garbage_collector import GarbageCollector
from .namespace import Namespace
from .node_lifecycle import NodeLifecycle
from .pod_garbage_collector import PodGarbageCollector
from .replicaset import ReplicaSet
from .resource_quota import ResourceQuotas
from .service_account import RootCertificates, ServiceAccounts
from .taint_eviction import TaintEviction

COMPONENTS = (
    Deployment,
    ReplicaSet,
    GarbageCollector,
    EndpointSlices,
    Endpoints,
    Namespace,
    ServiceAccounts,
    RootCertificates,
    NodeLifecycle,
    TaintEviction,
    PodGarbageCollector,
    Disruption,
    ResourceQuotas,
    *volumes.COMPONENTS,
)
