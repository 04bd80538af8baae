"""What the scheduler's informers tell it: caches to update, and waiting Pods worth another try (pkg/scheduler/eventhandlers.go)."""
from lifecycle.simulation.objects import name_of

from .framework import HINTS
from .plugins.scheduling_gates import is_gated
from .plugins.topology_spread import OWNERS

OTHERS = ("persistentvolumeclaims", "persistentvolumes", "storageclasses.storage.k8s.io", "csinodes.storage.k8s.io")
CYCLE = ("",)


class Events:
    """Watch functions of the scheduler component. Each follows a change in the caches and names the work that it leads to."""

    def __init__(self, scheduler):
        self.scheduler = scheduler

    def watches(self):
        """{qualified resource: watch function}"""
        return {"pods": self.pod, "nodes": self.node, **dict.fromkeys(("services", *OWNERS.values()), self.selector),
                **{kind: self._other(kind) for kind in OTHERS}}

    def _is_up_to_date(self, change, rewind):
        """Whether the caches are as they were before a change. After a load there are none; they are made from the store, which has the change already,
        and `rewind(previous)` takes it back."""
        scheduler = self.scheduler
        if scheduler.is_fresh:
            return False
        if not scheduler.is_restored:
            rewind(scheduler.cache, change)
        return True

    # -- pods --------------------------------------------------------------------------------------------------------------
    def pod(self, change):
        """A Pod to schedule, or one on a node."""
        pod = change.object
        if not self._is_up_to_date(change, self._rewind_pod):
            return CYCLE if self.scheduler.is_mine(pod) and _is_new(change) else ()
        if change.type == "DELETED":
            return self._gone(pod)
        return self._on_a_node(change) if pod["spec"].get("nodeName") else self._without_node(change)

    def _rewind_pod(self, cache, change):
        key, old = name_of(change.object), change.previous
        cache.forget_pod(key)
        self.scheduler.waiting.remove(key, forget=False)
        if old is not None:
            cache.set_pod(old)
            if self.scheduler.is_mine(old):
                self.scheduler.take(cache.info(key, old))

    def _without_node(self, change):
        scheduler, pod, key = self.scheduler, change.object, name_of(change.object)
        queue, cache = scheduler.waiting, scheduler.cache
        if not scheduler.is_mine(pod):
            return self._gone(pod) if change.previous else ()
        if _is_new(change):
            scheduler.take(cache.info(key, pod))
            return CYCLE
        return self._changed(change, key, queue, cache)

    @staticmethod
    def _changed(change, key, queue, cache):
        """A waiting Pod was updated: only what the scheduler looks at makes it worth another try."""
        info = cache.waiting[key] = cache.info(key, change.object)
        cache.nominate(key, (change.object.get("status") or {}).get("nominatedNodeName"))
        queue.refresh(info)
        old = change.previous
        same = old["spec"] == change.object["spec"] and old["metadata"].get("labels") == change.object["metadata"].get("labels")
        return () if same or not queue.move(key) else CYCLE

    def _on_a_node(self, change):
        scheduler, key = self.scheduler, name_of(change.object)
        if change.previous is not None and not change.previous["spec"].get("nodeName"):
            scheduler.waiting.remove(key)
            scheduler.rest()
            if scheduler.cache.nominated:
                scheduler.cache.nominate(key, None)
        return self._moved(scheduler.cache.set_pod(change.object))

    def _gone(self, pod):
        scheduler, key = self.scheduler, name_of(pod)
        cache = scheduler.cache
        waited = not pod["spec"].get("nodeName")
        if waited:
            scheduler.waiting.remove(key)
            scheduler.rest()
            cache.waiting.pop(key, None)
            for work in ("binding", "preemption"):
                if scheduler.read(f"{work} {key}"):
                    scheduler.write(f"{work} {key}", None)
            if cache.nominated:
                cache.nominate(key, None)
        before = cache.forget_pod(key)
        return self._moved((before, None)) if before else ()

    def _moved(self, difference):
        """Pods came to, left or changed on a node."""
        if difference is None or not self.scheduler.waiting.unschedulable:
            return ()
        old, new = difference
        moved = self._try("pod", old, new) + (self._try("pod gone", old, new) if new is None else 0)
        return CYCLE if moved else ()

    # -- nodes and volumes -------------------------------------------------------------------------------------------------
    def node(self, change):
        """A node appeared, changed or went."""
        scheduler, gone = self.scheduler, change.type == "DELETED"
        if not self._is_up_to_date(change, self._rewind_node):
            return ()
        scheduler.cache.set_node(change.object["metadata"]["name"], None if gone else change.object)
        if gone or not scheduler.waiting.unschedulable:
            return ()
        moved = self._try("node", change.previous, change.object) + (self._try("node added", None, change.object) if change.previous is None else 0)
        return CYCLE if moved else ()

    @staticmethod
    def _rewind_node(cache, change):
        cache.set_node(change.object["metadata"]["name"], change.previous)

    def selector(self, change):
        """Services and owners decide how Pods without constraints of their own are spread."""
        if self.scheduler.is_restored and (change.type != "MODIFIED" or change.previous["spec"] is not change.object["spec"]):
            self.scheduler.cache.default_selectors.clear()
        return ()

    @staticmethod
    def _rewind_nothing(cache, change):
        """The caches hold Pods and nodes only."""

    def _other(self, kind):
        def follow(change):
            scheduler = self.scheduler
            if change.type == "DELETED" or not self._is_up_to_date(change, self._rewind_nothing):
                return ()
            work = [f"bind {key}" for key in scheduler.cache.assumed if scheduler.read(f"binding {key}")] if kind == "persistentvolumeclaims" else []
            if scheduler.waiting.unschedulable and self._try(kind, change.previous, change.object):
                work.append("")
            return work
        return follow

    # -- hints -------------------------------------------------------------------------------------------------------------
    def _try(self, kind, old, new):
        """Move the unschedulable Pods that a change may help; how many there were."""
        queue, api, moved = self.scheduler.waiting, self.scheduler.api, 0
        for plugin, hint in HINTS.get(kind, {}).items():
            for key in list(queue.rejected_by.get(plugin) or ()):
                info = queue.unschedulable.get(key)
                if info is not None and (hint is None or hint(info, old, new, api)):
                    moved += queue.move(key)
        return moved


def _is_new(change):
    """Whether a Pod without a node has just come to the scheduler: created, or its last scheduling gate opened."""
    return change.type != "DELETED" and (change.previous is None or is_gated(change.previous))
