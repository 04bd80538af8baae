"""A socket that looks at a cluster: what it has got of it, and whether it may look any longer."""
from .models import Cluster
from .permissions import may_see

UNSHOWN = 400                  # messages sent to a viewer that tells what it has shown, before it is waited for
ACCESS = ("owner_id", "guest", "view_secret")            # columns of a cluster's row that decide who may look


class Viewer:
    """A socket: `seq` is the last message that was sent to it, `shown` the last that it says to have shown (None if it never says).

    `standing` is how the cluster stood then, `access` (access_of) what let the viewer in.
    """

    def __init__(self, consumer, language, seq, access):
        self.consumer, self.language, self.seq, self.shown, self.standing, self.access = consumer, language, seq, None, None, access

    @property
    def is_slow(self):
        return self.shown is not None and self.seq - self.shown > UNSHOWN


def access_of(row):
    """What changes when a cluster gets another owner, or its read-only link another secret."""
    return tuple(getattr(row, name) for name in ACCESS)


def strangers(pk, viewers):
    """Those of some viewers who may not see the cluster; the others are let in anew."""
    row = Cluster.objects.select_related("owner").filter(pk=pk).first()
    if row is None:
        return viewers
    access, found = access_of(row), []
    for viewer in viewers:
        if may_see(viewer.consumer.scope, row):
            viewer.access = access
        else:
            found.append(viewer)
    return found
