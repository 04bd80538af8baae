"""The controllers of the controller manager. A new one is its file and a line here."""

from . import volumes
from .deployment import Deployment
from .endpoints import Endpoints
from .endpointslice import EndpointSlices
from .garbage_collector import GarbageCollector
from .namespace import Namespace
from .replicaset import ReplicaSet
from .service_account import RootCertificates, ServiceAccounts

COMPONENTS = (
    Deployment,
    ReplicaSet,
    GarbageCollector,
    EndpointSlices,
    Endpoints,
    Namespace,
    ServiceAccounts,
    RootCertificates,
    *volumes.COMPONENTS,
)
