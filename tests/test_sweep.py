"""What guests have left behind is deleted after some days; nothing else is."""
from datetime import timedelta
from time import time

import pytest
from django.core.management import call_command
from django.utils.timezone import now

from lifecycle import clusters
from lifecycle.models import Cluster, LessonRun, Resource

from .cast import an_account

pytestmark = pytest.mark.django_db
DAY = 86400


def a_cluster(name, days, looked_at=None, **owner):
    """A cluster that was made so many days ago, and looked at last when it was made, or so many days ago."""
    row = clusters.create(name, 1, **owner)
    Cluster.objects.filter(pk=row.pk).update(created=now() - timedelta(days=days), watched_until=time() - (days if looked_at is None else looked_at) * DAY)


def test_clusters_that_guests_have_abandoned_are_deleted():
    a_cluster("abandoned", 31, guest="ada")
    a_cluster("young", 29, guest="ada")
    a_cluster("old but loved", 300, looked_at=1, guest="ada")
    a_cluster("owned", 300, owner=an_account())
    call_command("sweep", verbosity=0)
    assert set(Cluster.objects.values_list("name", flat=True)) == {"young", "old but loved", "owned"}
    assert set(Resource.objects.values_list("cluster__name", flat=True)) == {"young", "old but loved", "owned"}


def test_how_long_they_are_kept_is_a_setting(capsys):
    a_cluster("young", 29, guest="ada")
    call_command("sweep", days=7)
    assert capsys.readouterr().out == "1 clusters deleted\n"


def test_what_guests_had_learned_goes_with_their_session():
    runs = [LessonRun.objects.create(slug="components", guest="ada"), LessonRun.objects.create(slug="components", owner=an_account()),
            LessonRun.objects.create(slug="components", guest="ben")]
    LessonRun.objects.filter(pk__in=[run.pk for run in runs[:2]]).update(touched=now() - timedelta(days=100))
    call_command("sweep", verbosity=0)
    assert set(LessonRun.objects.values_list("pk", flat=True)) == {run.pk for run in runs[1:]}
