"""What one learner may use. Errors are sentences for the person who asked. (What a manifest may cost is simulation/manifests.py's.)"""
from time import time

from django.conf import settings
from django.utils.translation import gettext as _

from .models import Cluster
from .models.cluster import MOST_NODES

LINE = 64 * 1024               # characters of a command
FILES = 2 ** 20                # bytes of all that a command reads


class LimitReached(Exception):
    """A limit was reached; the text says which."""


def check_nodes(count):
    """Whether a cluster may have so many nodes. Raises LimitReached."""
    if not 1 <= count <= MOST_NODES:
        raise LimitReached(_("A cluster has 1 to %(most)d nodes.") % {"most": MOST_NODES})


def check_clusters(owner, guest):
    """Whether a user, or a guest's session, may make another cluster; those of lessons, one each, do not count. Raises LimitReached."""
    if owner is None and not guest or owner is not None and owner.is_staff:
        return
    count, most = Cluster.objects.filter(owner=owner, guest=guest, lesson="").count(), settings.LIFECYCLE_CLUSTERS
    if count >= most:
        raise LimitReached(_("You have %(count)d clusters already; %(most)d is the most. Delete one first.") % {"count": count, "most": most})


def check_command(line, files):
    """The size of a command as typed and of the texts that it reads. Raises LimitReached."""
    if len(line) > LINE:
        raise LimitReached(_("A command may have %(most)d characters at most.") % {"most": LINE})
    if sum(len(text.encode()) for text in (files or {}).values()) > FILES:
        raise LimitReached(_("The files of one command may have 1 MiB at most."))


def count_command(row):
    """Count a command in the cluster's minute. Raises LimitReached."""
    minute, most = int(time() // 60), settings.LIFECYCLE_COMMANDS_A_MINUTE
    row.minute, row.commands = minute, row.commands + 1 if row.minute == minute else 1
    if row.commands > most:
        raise LimitReached(_("More than %(most)d commands in a minute are too many for one cluster. Wait a moment.") % {"most": most})
