"""The live objects, one table for what people look at most and one for the rest. Only sessions.py writes them."""
from django.db import models
from django.utils.translation import gettext_lazy as _

from .cluster import Cluster
from .fields import PackedJSON


class StoredObject(models.Model):
    """One key of a cluster's store, with the columns that lists filter by."""

    cluster = models.ForeignKey(Cluster, models.CASCADE, db_index=False, verbose_name=_("cluster"))
    key = models.CharField(max_length=640)
    namespace = models.CharField(_("namespace"), max_length=63, blank=True)
    name = models.CharField(_("name"), max_length=253)
    uid = models.CharField(_("uid"), max_length=36)
    created_revision = models.BigIntegerField()
    resource_version = models.BigIntegerField(_("resource version"))
    manifest = PackedJSON(_("manifest"))

    class Meta:
        abstract = True
        ordering = ["cluster", "key"]
        constraints = [models.UniqueConstraint(fields=["cluster", "key"], name="%(class)s_key")]

    def __str__(self):
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


class Node(StoredObject):
    """A node; `ready` is the status of its Ready condition."""

    ready = models.CharField(_("ready"), max_length=8, blank=True)
    unschedulable = models.BooleanField(_("unschedulable"), default=False)

    class Meta(StoredObject.Meta):
        verbose_name = _("node")
        verbose_name_plural = _("nodes")


class Pod(StoredObject):
    """A Pod."""

    phase = models.CharField(_("phase"), max_length=10, blank=True)
    node = models.CharField(_("node"), max_length=253, blank=True)
    deleting = models.BooleanField(_("being deleted"), default=False)

    class Meta(StoredObject.Meta):
        verbose_name = _("Pod")
        verbose_name_plural = _("Pods")
        indexes = [models.Index(fields=["cluster", "node"], name="pod_on_node"), models.Index(fields=["cluster", "phase"], name="pod_phase")]


class Resource(StoredObject):
    """Any other object."""

    group = models.CharField(_("group"), max_length=80, blank=True)
    kind = models.CharField(_("kind"), max_length=63)

    class Meta(StoredObject.Meta):
        verbose_name = _("resource")
        verbose_name_plural = _("resources")
        indexes = [models.Index(fields=["cluster", "kind"], name="resource_kind")]


TABLES = {"minions": Node, "pods": Pod}


def table_of(key):
    """The model that holds what is stored at a key."""
    return TABLES.get(key.split("/")[2], Resource)
