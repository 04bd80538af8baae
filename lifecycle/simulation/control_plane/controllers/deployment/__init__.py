"""Deployment controller: rolls from one ReplicaSet to the next (pkg/controller/deployment)."""
from .controller import Deployment

__all__ = ["Deployment"]
