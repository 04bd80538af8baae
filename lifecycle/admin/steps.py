"""Messages of clusters, to look at: a row is a pack of some dozens, in which those that the filters are about are shown."""
from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from ..explanations import explain
from ..history import steps_of
from ..models import Steps
from ..picture.actors import actor_name, language
from . import links
from .filters import ClusterFilter, ComponentFilter, ReasonFilter
from .lists import BoundedList, ReadOnlyAdmin

SHOWN = 8                      # messages of a pack in the list
LINE = ('<li><small>{}</small> <time>{} s</time> <span class="actor {}">{}</span> → <span class="actor {}">{}</span> '
        '<b>{}</b> <small>{}</small> <code>{}</code></li>')


class StepsList(BoundedList):
    """Remembers with each pack which of its messages the filters are about."""

    def get_results(self, request):
        super().get_results(request)
        component, reason = (request.GET.get(each.parameter_name) for each in (ComponentFilter, ReasonFilter))
        self.result_list = list(self.result_list)
        for pack in self.result_list:
            pack.shown = [step for step in steps_of(pack) if component in (None, step.source, step.target) and reason in (None, step.reason)]


@admin.register(Steps)
class StepsAdmin(ReadOnlyAdmin):
    list_defer = ()
    list_display = ("numbers", "cluster_link", "time", "messages")
    list_filter = (ClusterFilter, ComponentFilter, ReasonFilter)
    list_per_page = 25
    ordering = ("cluster_id", "first")
    fields = readonly_fields = ("cluster_link", "live", "numbers", "time", "messages")

    def get_changelist(self, request, **options):
        return StepsList

    @admin.display(description=_("numbers"))
    def numbers(self, pack):
        return f"{pack.first}–{pack.last}"

    @admin.display(description=_("cluster"))
    def cluster_link(self, pack):
        return links.link(pack.cluster)

    @admin.display(description=_("live page"))
    def live(self, pack):
        return links.live_link(pack.cluster, _("Watch the cluster"))

    @admin.display(description=_("virtual time"))
    def time(self, pack):
        return f"{seconds(pack.first_at)}–{seconds(pack.last_at)} s"

    @admin.display(description=_("messages"))
    def messages(self, pack):
        if not hasattr(pack, "shown"):
            return told(steps_of(pack))
        more = len(pack.shown) - SHOWN
        rest = format_html('<p class="more">{}</p>', links.link(pack, _("%(count)d more") % {"count": more})) if more > 0 else ""
        return format_html("{}{}", told(pack.shown[:SHOWN]), rest)


def seconds(milliseconds):
    return f"{milliseconds / 1000:.3f}"


def told(steps):
    """Messages as a list, a line each."""
    return format_html('<ol class="messages">{}</ol>', format_html_join("", LINE, map(line, steps)))


def line(step):
    title, _text = explain(step, language())
    keys = step.object if isinstance(step.object, str) else " ".join(step.object or ())
    return (step.seq, seconds(step.at), step.source, actor_name(step.source), step.target, actor_name(step.target), title, step.reason, step.request or keys)
