"""Groups of learners, and which lessons they have."""
from django import forms
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from ..lessons.catalog import catalog, find
from ..models import GroupLesson, LearnerGroup, LessonRun
from ..picture.actors import language
from . import links


def groups_of_learners():
    """Groups that give no rights: whoever puts somebody into one gives away nothing."""
    return LearnerGroup.objects.filter(permissions=None)


def title_of(slug):
    lesson = find(slug)
    return lesson.words[language()]["title"] if lesson else slug


def lesson_choices():
    return [(slug, title_of(slug)) for slug in catalog()]


class LearnerGroupForm(forms.ModelForm):
    members = forms.ModelMultipleChoiceField(get_user_model().objects.filter(is_staff=False, is_superuser=False).order_by("username"), label=_("Members"),
                                             required=False, widget=forms.CheckboxSelectMultiple)

    class Meta:
        model = LearnerGroup
        fields = ("name",)

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        if self.instance.pk:
            self.initial["members"] = self.instance.user_set.all()


class GroupLessonForm(forms.ModelForm):
    slug = forms.ChoiceField(label=_("Lesson"), choices=lesson_choices)


class GroupLessonInline(admin.TabularInline):
    model = GroupLesson
    form = GroupLessonForm
    extra = 1
    fk_name = "group"


@admin.register(LearnerGroup)
class LearnerGroupAdmin(admin.ModelAdmin):
    """Who learns together, and which lessons they have: open or closed, and in which order. A lesson that is not named is open, at its place in the course."""

    form = LearnerGroupForm
    inlines = [GroupLessonInline]
    list_display = ("name", "count", "progress")
    search_fields = ("name",)
    show_facets = admin.ShowFacets.NEVER

    def get_queryset(self, request):
        return groups_of_learners()

    def save_related(self, request, form, formsets, change):
        super().save_related(request, form, formsets, change)
        form.instance.user_set.set(form.cleaned_data["members"])

    @admin.display(description=_("members"))
    def count(self, group):
        return group.user_set.count()

    @admin.display(description=_("progress"))
    def progress(self, group):
        return format_html('<a href="{}">{}</a>', links.list_of(LessonRun, group=group.pk), _("Progress"))
