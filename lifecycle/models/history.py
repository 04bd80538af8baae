"""Everything that ever happened in a cluster: revisions of objects, messages, and what components keep for themselves."""
from django.db import models
from django.utils.translation import gettext_lazy as _

from .cluster import Cluster
from .fields import JSONText, PackedJSON


class Revision(models.Model):
    """One change of one key; `manifest` is the object as stored, for DELETED its last state."""

    cluster = models.ForeignKey(Cluster, models.CASCADE)
    revision = models.BigIntegerField()
    at = models.BigIntegerField()
    type = models.CharField(max_length=8)
    key = models.CharField(max_length=640)
    manifest = PackedJSON()
    manager = JSONText(null=True)

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering = ["cluster", "revision"]
        constraints = [models.UniqueConstraint(fields=["cluster", "revision"], name="revision_number")]
        indexes = [models.Index(fields=["cluster", "key", "revision"], name="revision_of_key")]


class Steps(models.Model):
    """The messages of one committed transaction, packed: rows like simulation.messages.Step."""

    cluster = models.ForeignKey(Cluster, models.CASCADE, verbose_name=_("cluster"))
    first = models.BigIntegerField(_("first message"))
    last = models.BigIntegerField(_("last message"))
    first_at = models.BigIntegerField(_("from"))
    last_at = models.BigIntegerField(_("until"))
    data = PackedJSON()

    class Meta:
        verbose_name = _("messages")
        verbose_name_plural = _("messages")
        ordering = ["cluster", "first"]
        constraints = [models.UniqueConstraint(fields=["cluster", "first"], name="steps_first")]
        indexes = [models.Index(fields=["cluster", "last"], name="steps_last")]


class DiskEntry(models.Model):
    """What a node or a component keeps for itself under a key; the order of the ids is the order of first writing."""

    cluster = models.ForeignKey(Cluster, models.CASCADE)
    space = models.CharField(max_length=253)
    key = models.CharField(max_length=640)
    value = JSONText()

    class Meta:
        verbose_name = _("disk entry")
        verbose_name_plural = _("disk entries")
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["cluster", "space", "key"], name="disk_key")]
