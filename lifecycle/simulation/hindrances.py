"""What keeps components from their work: they are slow, they hear nothing, their requests are not carried out."""
from . import broken

WORK = 10                    # virtual ms that a piece of work takes a component that is slow, times its factor; otherwise it takes none
DELAYED = "delayed"          # disk space: {"COMPONENT KEY": ms at which a slow component comes to it}
REFUSED = "refused"          # disk space: {"COMPONENT KEY": how often in a row its requests were not carried out}


class Hindrances:
    """Asked by the cluster around each work item."""

    def __init__(self, cluster):
        self.cluster, self.etcd, self.clock, self.queue = cluster, cluster.etcd, cluster.clock, cluster.queue

    # -- slow ----------------------------------------------------------------------------------------------------------------
    def delays(self, component, item):
        """Whether a slow component comes to a work item only later: then it waits in the queue again."""
        if not broken.any_fault(self.etcd) and not self.etcd.disk(DELAYED):
            return False
        name = f"{component.name} {item.key}"
        due = self.etcd.read(DELAYED, name)
        if due is None:
            factor = self._factor(component)
            if factor is None:
                return False
            due = self.clock.now + factor * WORK
            self.etcd.write(DELAYED, name, due)
        if due <= self.clock.now:
            self.etcd.write(DELAYED, name, None)
            return False
        self.queue.put_back(item, due)
        return True

    def _factor(self, component):
        """How many times as long as usual the component takes, or None. A process is slow as a whole, but for what goes by the clock."""
        own = broken.read(self.etcd, f"slow {component.name}")
        return own or (None if component.is_punctual else broken.read(self.etcd, f"slow {component.actor}"))

    # -- deaf ----------------------------------------------------------------------------------------------------------------
    def deaf(self, component, due):
        """When a watch event that would come at `due` (ms) reaches a component whose watches may be broken."""
        until = max(broken.read(self.etcd, f"deaf {name}", 0) for name in (component.name, component.actor))
        return max(due, until + 1)

    # -- refused -------------------------------------------------------------------------------------------------------------
    def reconcile(self, component, key, mark):
        """What `component.reconcile(key)` returns. If a request was not carried out, nothing of it has happened, and it is tried again later.

        `mark` is the place in the log before which everything stays said.
        """
        etcd, name = self.etcd, f"{component.name} {key}"
        etcd.journal, dirty = {}, dict(etcd.dirty_disk) if etcd.dirty_disk is not None else None
        try:
            again = component.reconcile(key)
        except broken.Unavailable:
            etcd.undo(etcd.journal, dirty)
            self._unsay(mark)
            component.forget()
            failures = etcd.read(REFUSED, name, 0) + 1
            again = min(component.first_retry << min(failures - 1, 30), component.longest_retry)
        else:
            failures = None
        finally:
            etcd.journal = None
        if failures or etcd.read(REFUSED, name):
            etcd.write(REFUSED, name, failures)
        return again

    def carried_out(self, component, key):
        """Nothing stands in the way any more: pauses begin anew when something does again."""
        name = f"{component.name} {key}"
        if name in self.etcd.disk(REFUSED):
            self.etcd.write(REFUSED, name, None)

    def forget(self, component):
        """A process that ends does not know any more what it was late with."""
        for space in (DELAYED, REFUSED):
            for name in list(self.etcd.disk(space)):
                if name.partition(" ")[0] == component.name:
                    self.etcd.write(space, name, None)

    def _unsay(self, mark):
        """Only the request that failed was ever said, and what etcd said to it."""
        log = self.cluster.log
        said = log.steps[mark:]
        failed = [step for step in said if step.target == "apiserver" and step.source != "apiserver"][-1:]
        failed += [step for step in said if step.reason == "EtcdRefused"][-1:]
        log.forget_since(mark)
        for step in failed:
            log.say(*step[2:])
