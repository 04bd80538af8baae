"""Progress of learners in the lessons."""
import csv

from django.contrib import admin
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _

from ..lessons.catalog import find
from ..lessons.statistics import missed_most
from ..lessons.syllabus import entry
from ..models import LessonRun
from ..picture.actors import language
from . import links
from .groups import groups_of_learners, lesson_choices, title_of
from .lists import BoundedPaginator

MOST_COUNTED = 5000            # runs, the newest, out of which the missed predictions are counted
WORST = 10                     # of them that are shown
FORMULAS = ("=", "+", "-", "@")          # a cell of a spreadsheet that begins so is reckoned


class LessonFilter(admin.SimpleListFilter):
    title, parameter_name = _("lesson"), "slug"

    def lookups(self, request, model_admin):
        return lesson_choices()

    def queryset(self, request, queryset):
        return queryset if self.value() is None else queryset.filter(slug=self.value())


class GroupFilter(admin.SimpleListFilter):
    title, parameter_name = _("group of learners"), "group"

    def lookups(self, request, model_admin):
        return [(str(group.pk), group.name) for group in groups_of_learners()]

    def queryset(self, request, queryset):
        if self.value() is None:
            return queryset
        return queryset.filter(owner__groups=self.value()) if self.value().isdecimal() else queryset.none()


class FinishedFilter(admin.SimpleListFilter):
    title, parameter_name = _("finished"), "is_finished"

    def lookups(self, request, model_admin):
        return [("1", _("Yes")), ("0", _("No"))]

    def queryset(self, request, queryset):
        return queryset if self.value() is None else queryset.filter(finished__isnull=self.value() == "0")


# -- the export ------------------------------------------------------------------------------------------------------------
COLUMNS = ("learner", "slug", "lesson", "started", "finished", "tasks done", "tasks", "predictions", "right the first time", "hints", "seconds", "attempts")


def csv_row(run):
    """What a line of the export says, in the order of COLUMNS; times in UTC."""
    told = told_of(run)
    count = len(told.lesson.tasks) if told else ""
    finished = run.finished.isoformat(timespec="seconds") if run.finished else ""
    return (learner_of(run), run.slug, title_of(run.slug), run.started.isoformat(timespec="seconds"), finished, len(run.state.get("done", ())), count,
            told.predicted if told else "", told.right if told else "", told.hints if told else "", run.seconds, run.attempts)


def told_of(run):
    """The Entry of a run, or None if its lesson is not there any more."""
    lesson = find(run.slug)
    return entry(lesson, run, True, language()) if lesson else None


def learner_of(run):
    return run.owner.username if run.owner else str(_("a guest"))


def safe(cell):
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell


@admin.action(description=_("Export as CSV"), permissions=["view"])
def export(model_admin, request, queryset):
    """A file with a line for every chosen run."""
    answer = HttpResponse(content_type="text/csv; charset=utf-8", headers={"Content-Disposition": 'attachment; filename="progress.csv"'})
    writer = csv.writer(answer)
    writer.writerow(COLUMNS)
    writer.writerows([safe(cell) for cell in csv_row(run)] for run in queryset.select_related("owner"))
    return answer


@admin.register(LessonRun)
class LessonRunAdmin(admin.ModelAdmin):
    """What learners have done, to be read only; superusers' own runs are superusers' to see."""

    actions = [export]
    change_list_template = "admin/lifecycle/progress.html"
    list_display = ("learner", "lesson", "tasks", "predictions", "hints", "minutes", "finished", "touched")
    list_filter = (LessonFilter, GroupFilter, FinishedFilter)
    list_select_related = ("owner",)
    list_per_page = 50
    paginator = BoundedPaginator
    search_fields = ("owner__username",)
    search_help_text = _("part of the name of a learner")
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    fields = readonly_fields = ("learner", "lesson", "live", "started", "touched", "finished", "tasks", "predictions", "hints", "minutes", "attempts")

    def get_queryset(self, request):
        runs = super().get_queryset(request)
        return runs if request.user.is_superuser else runs.exclude(owner__is_superuser=True)

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False

    def changelist_view(self, request, extra_context=None):
        """The list, and which predictions are missed most among all that it leads to."""
        answer = super().changelist_view(request, extra_context)
        if getattr(answer, "context_data", None) and "cl" in answer.context_data:
            answer.context_data["missed"] = missed_most(answer.context_data["cl"].queryset[:MOST_COUNTED], language())[:WORST]
        return answer

    # -- columns -----------------------------------------------------------------------------------------------------------
    @admin.display(description=_("learner"), ordering="owner__username")
    def learner(self, run):
        return learner_of(run)

    @admin.display(description=_("lesson"), ordering="slug")
    def lesson(self, run):
        return title_of(run.slug)

    @admin.display(description=_("tasks done"))
    def tasks(self, run):
        told = told_of(run)
        return f"{told.done} / {len(told.lesson.tasks)}" if told else "-"

    @admin.display(description=_("right the first time"))
    def predictions(self, run):
        told = told_of(run)
        return f"{told.right} / {told.predicted}" if told else "-"

    @admin.display(description=_("hints"))
    def hints(self, run):
        return sum(run.state.get("hints", {}).values())

    @admin.display(description=_("minutes"), ordering="seconds")
    def minutes(self, run):
        return round(run.seconds / 60)

    @admin.display(description=_("live page"))
    def live(self, run):
        return links.live_link(run.cluster, _("Watch")) if run.cluster else "-"
