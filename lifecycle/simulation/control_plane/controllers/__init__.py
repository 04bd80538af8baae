"""The controllers of the controller manager. A new one is its file and a line here."""

from . import volumes
from .cronjob import CronJob
from .daemonset import DaemonSet
from .deployment import Deployment
from .disruption import Disruption
from .endpoints import Endpoints
from .endpointslice import EndpointSlices
from .endpointslice_mirroring import EndpointSliceMirroring
from .garbage_collector import GarbageCollector
from .job import Job
from .namespace import Namespace
from .node_lifecycle import NodeLifecycle
from .pod_garbage_collector import PodGarbageCollector
from .podautoscaler import HorizontalPodAutoscaler
from .replicaset import ReplicaSet
from .replication_controller import ReplicationController
from .resource_quota import ResourceQuotas
from .service_account import RootCertificates, ServiceAccounts
from .statefulset import StatefulSet
from .taint_eviction import TaintEviction
from .ttl_after_finished import TTLAfterFinished

COMPONENTS = (
    Deployment,
    ReplicaSet,
    ReplicationController,
    StatefulSet,
    DaemonSet,
    Job,
    TTLAfterFinished,
    CronJob,
    GarbageCollector,
    EndpointSlices,
    EndpointSliceMirroring,
    Endpoints,
    Namespace,
    ServiceAccounts,
    RootCertificates,
    NodeLifecycle,
    TaintEviction,
    PodGarbageCollector,
    Disruption,
    ResourceQuotas,
    HorizontalPodAutoscaler,
    *volumes.COMPONENTS,
)
