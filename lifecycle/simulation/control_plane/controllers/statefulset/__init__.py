"""StatefulSet controller: Pods with a name, a place in a row and storage of their own (pkg/controller/statefulset)."""
from .controller import StatefulSet

__all__ = ["StatefulSet"]
