"""kube-apiserver: the one that talks to etcd."""
from .aggregation import APIServiceAvailability
from .custom import CustomResourceDefinitions
from .server import APIServer

__all__ = ["COMPONENTS", "APIServer"]

COMPONENTS = (CustomResourceDefinitions, APIServiceAvailability)
