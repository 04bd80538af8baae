"""How far learners are in the lessons, and which lessons a group of accounts has."""
from django.conf import settings
from django.contrib.auth.models import Group
from django.db import models
from django.utils.translation import gettext_lazy as _

from .cluster import Cluster
from .fields import JSONText


class LessonRunManager(models.Manager):
    def of(self, owner, guest, slug):
        """The run of an account, or else of a guest's browser session, through a lesson; None if there is none."""
        mine = self.filter(owner=owner) if owner else self.filter(owner=None, guest=guest).exclude(guest="")
        return mine.filter(slug=slug).first()

    def take_over(self, user, guest):
        """Give an account the runs of a guest. Where both went through a lesson, the run that came further is kept."""
        for run in self.filter(owner=None, guest=guest):
            other = self.filter(owner=user, slug=run.slug).first()
            if other and other.standing >= run.standing:
                run.delete()
                continue
            if other:
                other.delete()
            run.owner, run.guest = user, ""
            run.save(update_fields=["owner", "guest"])


class LessonRun(models.Model):
    """A learner's way through one lesson. `state` is lessons.following's; `seen` and `revision` say up to where in the cluster's history it was judged.

    Whoever writes it names the `version` that was read, so that two servers that follow the same cluster do not undo each other's work.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="lesson_runs", verbose_name=_("learner"))
    guest = models.CharField(_("guest"), max_length=40, blank=True, db_index=True)
    slug = models.CharField(_("lesson"), max_length=60, db_index=True)
    cluster = models.OneToOneField(Cluster, models.SET_NULL, null=True, blank=True, related_name="lesson_run", verbose_name=_("cluster"))
    started = models.DateTimeField(_("started"), auto_now_add=True)
    touched = models.DateTimeField(_("last active"), auto_now=True)
    finished = models.DateTimeField(_("finished"), null=True, blank=True)
    seconds = models.PositiveIntegerField(_("seconds spent"), default=0)
    attempts = models.PositiveIntegerField(_("attempts"), default=1)
    version = models.BigIntegerField(default=0)
    seen = models.BigIntegerField(default=0)
    revision = models.BigIntegerField(default=0)
    state = JSONText(default=dict)

    objects = LessonRunManager()

    class Meta:
        verbose_name = _("lesson progress")
        verbose_name_plural = _("lesson progress")
        ordering = ["-touched"]
        constraints = [models.UniqueConstraint(fields=["owner", "slug"], condition=models.Q(owner__isnull=False), name="lesson_of_owner"),
                       models.UniqueConstraint(fields=["guest", "slug"], condition=~models.Q(guest=""), name="lesson_of_guest")]

    def __str__(self):
        return self.slug

    @property
    def standing(self):
        """What of two runs is further: (finished, tasks done, when last seen)."""
        return self.finished is not None, len(self.state.get("done", ())), self.touched


class LearnerGroup(Group):
    """A group of accounts that learn together: one that gives no rights."""

    class Meta:
        proxy = True
        verbose_name = _("group of learners")
        verbose_name_plural = _("groups of learners")


class GroupLesson(models.Model):
    """That a group has a lesson open or closed, and at which place. A lesson without such a row is open, in the order of the course."""

    group = models.ForeignKey(Group, models.CASCADE, related_name="lessons", verbose_name=_("group of learners"))
    slug = models.CharField(_("lesson"), max_length=60)
    open = models.BooleanField(_("open"), default=True)
    position = models.PositiveSmallIntegerField(_("place"), null=True, blank=True, help_text=_("smaller numbers come first; empty: as in the course"))

    class Meta:
        verbose_name = _("lesson of a group")
        verbose_name_plural = _("lessons of groups")
        ordering = ["group", "position", "slug"]
        constraints = [models.UniqueConstraint(fields=["group", "slug"], name="lesson_of_group")]

    def __str__(self):
        return f"{self.group}: {self.slug}"
