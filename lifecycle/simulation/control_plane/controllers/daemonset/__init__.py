"""DaemonSet controller: one Pod on every node that is fit for it (pkg/controller/daemon)."""
from .controller import DaemonSet

__all__ = ["DaemonSet"]
