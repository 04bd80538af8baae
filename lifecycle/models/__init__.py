"""What is stored: clusters, their objects as people look at them, and their history."""
from .cluster import Cluster
from .history import DiskEntry, Revisions, Steps
from .objects import Node, Pod, Resource

__all__ = ["Cluster", "DiskEntry", "Node", "Pod", "Resource", "Revisions", "Steps"]
