"""What the objects of a namespace use of its ResourceQuotas (pkg/controller/resourcequota/resource_quota_controller.go).

The API server charges a quota when something is created (admission/quota.py); giving back, and a quota that is new or changed, is this controller's work.
"""
from ...component import Component
from ...objects import at, name_of, replaced, split_key
from ...quantities import parse
from ...quota_usage import counts, kinds_of, total, usage
from ...resources import resource, resource_of_key
from .every_kind import EveryKind

QUOTAS = "resourcequotas"


class ResourceQuotas(Component):
    """Keeps status.hard and status.used of every ResourceQuota. Work keys are quotas.

    The real controller counts everything again every five minutes as well; nothing would come of that here.
    """

    name = "resourcequota"

    def watched(self):
        return EveryKind(self._of_anything)

    def resync(self):
        return [name_of(quota) for quota in self.api.list(QUOTAS)]

    def _of_anything(self, change):
        """A quota whose limits are new; the quotas that count an object which gave something back."""
        namespace = change.object["metadata"].get("namespace")
        quotas = self.etcd.unsorted(resource(QUOTAS).prefix(namespace)) if namespace else {}
        if not quotas:
            return ()
        kind = resource_of_key(change.key).qualified
        if kind == QUOTAS and change.type != "DELETED":
            return () if at(change.previous, "spec", "hard") == at(change.object, "spec", "hard") else (name_of(change.object),)
        return [name_of(quota) for quota in quotas.values() if kind in kinds_of(quota)] if self._gives_back(kind, change) else ()

    def _gives_back(self, kind, change):
        """What is gone; a Pod that has ended or was resized; a Service of another type (pkg/quota/v1/install/update_filter.go)."""
        before, now = change.previous, change.object
        if change.type != "MODIFIED":
            return change.type == "DELETED"
        if kind == "pods":
            ended = counts(before, self.clock) and not counts(now, self.clock)
            return ended or before["spec"] != now["spec"] and usage(kind, before, self.clock) != usage(kind, now, self.clock)
        return kind == "services" and before["spec"].get("type") != now["spec"].get("type")

    def reconcile(self, key):
        quota = self.api.get(QUOTAS, *split_key(key))
        if quota is None:
            return None
        hard, known = at(quota, "spec", "hard", default={}), quota.get("status") or {}
        used = total(self.etcd, quota, self.clock) if hard else {}
        if "hard" not in known or "used" not in known or not (_same(hard, known["hard"]) and _same(used, known["used"])):
            self.api.update_status(QUOTAS, replaced(quota, {"hard": hard, "used": used}, "status"))
        return None


def _same(amounts, others):
    """Whether two {name: quantity} say the same, however they write it."""
    return amounts == others or amounts.keys() == others.keys() and all(parse(amounts[name]).nano == parse(others[name]).nano for name in amounts)
