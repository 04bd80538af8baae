"""kube-apiserver: the one that talks to etcd."""
from .server import APIServer

__all__ = ["APIServer"]
