"""CronJob controller: starts Jobs at the times of a schedule (pkg/controller/cronjob)."""
from .controller import CronJob

__all__ = ["CronJob"]
