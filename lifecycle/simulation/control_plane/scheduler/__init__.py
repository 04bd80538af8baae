"""kube-scheduler: which node each Pod goes to (pkg/scheduler)."""
from .scheduler import Scheduler

COMPONENTS = (Scheduler,)
