"""A learner's cluster: who owns it, how fast it goes, and where its simulation stands."""
import secrets
from functools import lru_cache, partial

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import connection, models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from ..simulation.clock import EPOCH
from .fields import JSONText

MOST_NODES = 10


def new_secret():
    """An unguessable part of a URL."""
    return secrets.token_urlsafe(18)


class ClusterManager(models.Manager):
    """Reads single rows hundreds of times a second, in a tenth of the time that a queryset needs.

    The queue, which may be long, is read when it is asked for.
    """

    def row(self, pk):
        """A cluster's row. Raises Cluster.DoesNotExist."""
        return self._found(self._read("id = %s", [pk]))

    def locked(self, pk):
        """The row, locked by this transaction. Raises Cluster.DoesNotExist."""
        return self._found(self._read("id = %s", [pk], connection.ops.for_update_sql()))

    def locked_if_due(self, pk, now):
        """The row, locked, if it was to be moved by `now` and nobody else holds it; else None."""
        return self._read("id = %s AND next_due <= %s", [pk, now], connection.ops.for_update_sql(skip_locked=True))

    def _read(self, condition, values, lock=""):
        names, columns, converters = _reading(connection.vendor)
        with connection.cursor() as cursor:
            lock = lock if connection.features.has_select_for_update else ""
            cursor.execute(f"SELECT {columns} FROM {self.model._meta.db_table} WHERE {condition} {lock}", values)
            row = cursor.fetchone()
        if row is None:
            return None
        found = list(row)
        for place, convert in converters:
            found[place] = convert(found[place])
        return self.model.from_db(connection.alias, names, found)

    def _found(self, row):
        if row is None:
            raise self.model.DoesNotExist
        return row


class Cluster(models.Model):
    """The row that every transaction on a cluster locks.

    Times of the simulation are virtual milliseconds since its start; times of the wall are seconds since 1970.
    """

    class Pace(models.TextChoices):
        PAUSED = "paused", _("paused")
        STEP = "step", _("step by step")
        STORY = "story", _("story")
        REAL = "real", _("real time")

    name = models.CharField(_("name"), max_length=60)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="clusters", verbose_name=_("owner"))
    guest = models.CharField(_("guest"), max_length=40, blank=True, db_index=True, help_text=_("the browser session of an owner without an account"))
    lesson = models.CharField(_("lesson"), max_length=60, blank=True, editable=False, help_text=_("the lesson for which the cluster was made"))
    view_secret = models.CharField(_("read-only link"), max_length=40, blank=True, db_index=True)
    api_secret = models.CharField(_("API link"), max_length=40, blank=True, editable=False, help_text=_("the secret part of the address for kubectl"))
    created = models.DateTimeField(_("created"), auto_now_add=True)
    node_count = models.PositiveSmallIntegerField(_("nodes"), default=3, validators=[MinValueValidator(1), MaxValueValidator(MOST_NODES)])
    seed = models.BigIntegerField(_("seed"), default=1)
    keep = models.PositiveIntegerField(_("messages kept"), default=20_000, help_text=_("older history is compacted"))

    # Pace: how virtual time follows the wall (pace.py)
    pace = models.CharField(_("pace"), max_length=8, choices=Pace, default=Pace.STORY)
    speed = models.FloatField(_("speed"), default=0.8, help_text=_("story: seconds a message; real time: how many times as fast"))
    anchor_wall = models.FloatField(default=0, editable=False)          # real time: at this time of the wall ...
    anchor_virtual = models.BigIntegerField(default=0, editable=False)  # ... it was this virtual millisecond
    stops = JSONText(default=list, editable=False)                      # messages at which the cluster pauses: [[reason, {fact: value}]]
    told = models.FloatField(default=0, editable=False)                 # story: when the last message was said
    watched_until = models.FloatField(default=0, editable=False)        # somebody looks, or did a moment ago
    next_due = models.FloatField(null=True, blank=True, editable=False)  # when a worker is to move the cluster

    # Limits: commands in this minute of the wall
    minute = models.BigIntegerField(default=0, editable=False)
    commands = models.PositiveIntegerField(default=0, editable=False)

    # Where the simulation stands (sessions.py)
    version = models.BigIntegerField(_("version"), default=0, editable=False, help_text=_("raised by every transaction"))
    epoch = models.BigIntegerField(default=EPOCH, editable=False)
    now = models.BigIntegerField(_("virtual time"), default=0, editable=False)
    draws = models.BigIntegerField(default=0, editable=False)
    serial = models.BigIntegerField(default=0, editable=False)
    messages = models.BigIntegerField(_("messages"), default=0, editable=False)
    forgotten = models.BigIntegerField(_("messages compacted"), default=0, editable=False)
    revision = models.BigIntegerField(_("revision"), default=0, editable=False)
    compacted = models.BigIntegerField(_("revision compacted"), default=0, editable=False)
    next_virtual = models.BigIntegerField(null=True, blank=True, editable=False)
    queue = JSONText(default=dict, editable=False)

    objects = ClusterManager()

    class Meta:
        verbose_name = _("cluster")
        verbose_name_plural = _("clusters")
        ordering = ["-created"]
        indexes = [models.Index(fields=["owner", "-created"], name="cluster_of_owner"),
                   models.Index(fields=["next_due"], name="cluster_due", condition=models.Q(next_due__isnull=False))]

    def __str__(self):
        return self.name

    def get_absolute_url(self):
        return reverse("cluster", args=[self.pk])

    @property
    def group_name(self):
        """The channel-layer group of everybody who looks at this cluster."""
        return f"cluster.{self.pk}"


@lru_cache
def _reading(vendor):
    """(names of all fields but the queue, their columns in SQL, [(place, what makes the database's value one of Python)])"""
    fields = [field for field in Cluster._meta.concrete_fields if field.name != "queue"]
    expressions = [(place, field.get_col(Cluster._meta.db_table)) for place, field in enumerate(fields)]
    converters = [(place, partial(_converted, converter, expression)) for place, expression in expressions
                  for converter in (*connection.ops.get_db_converters(expression), *expression.get_db_converters(connection))]
    return [field.attname for field in fields], ", ".join(connection.ops.quote_name(field.column) for field in fields), converters


def _converted(converter, expression, value):
    return converter(value, expression, connection)
