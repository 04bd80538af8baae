"""Job controller: Pods that run until enough of them have succeeded (pkg/controller/job)."""
from .controller import Job

__all__ = ["Job"]
