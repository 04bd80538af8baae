"""Everything that ever happened in a cluster: its messages, the changes of its store, and what components keep for themselves.

Messages and changes are kept in packs of some dozens (history.py): alike as they are, they take a tenth of the room of single rows.
"""
from django.db import models
from django.utils.translation import gettext_lazy as _

from .cluster import Cluster
from .fields import PackedJSON


class Pack(models.Model):
    """Numbered things from `first` to `last`, in order of time (virtual ms)."""

    cluster = models.ForeignKey(Cluster, models.CASCADE, db_index=False, verbose_name=_("cluster"))
    first = models.BigIntegerField(_("first"))
    last = models.BigIntegerField(_("last"))
    first_at = models.BigIntegerField(_("from"))
    last_at = models.BigIntegerField(_("until"))
    data = PackedJSON()

    class Meta:
        abstract = True
        ordering = ["cluster", "first"]
        constraints = [models.UniqueConstraint(fields=["cluster", "first"], name="%(class)s_first")]

    def __str__(self):
        return f"{self.first}-{self.last}"


class Steps(Pack):
    """Messages: `data` is a list of lists like simulation.messages.Step.

    `revision` is that of the store before the first of them. `actors` and `reasons` are the words in them, each between spaces, to filter by.
    """

    revision = models.BigIntegerField(_("revision"))
    actors = models.TextField(_("components"))
    reasons = models.TextField(_("reasons"))

    class Meta(Pack.Meta):
        verbose_name = _("messages")
        verbose_name_plural = _("messages")


class Revisions(Pack):
    """Changes of the store, numbered by revision: `data` is a list of lists like history.Record."""

    class Meta(Pack.Meta):
        verbose_name = _("revisions")
        verbose_name_plural = _("revisions")


class DiskEntry(models.Model):
    """What a node or a component keeps for itself under a key; the order of the ids is the order of first writing."""

    cluster = models.ForeignKey(Cluster, models.CASCADE, db_index=False)
    space = models.CharField(max_length=253)
    key = models.CharField(max_length=640)
    value = PackedJSON()

    class Meta:
        verbose_name = _("disk entry")
        verbose_name_plural = _("disk entries")
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["cluster", "space", "key"], name="disk_key")]
