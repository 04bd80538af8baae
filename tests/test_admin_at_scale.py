"""The lists of the panel at a hundred thousand rows: a page costs a few statements, and none of them reads the table to find its rows."""
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from lifecycle import writer
from lifecycle.admin.lists import MOST
from lifecycle.models import Cluster, Pod, Steps
from lifecycle.models.fields import packed

from .cast import a_browser, an_instructor

pytestmark = [pytest.mark.django_db, pytest.mark.skipif(connection.vendor != "sqlite", reason="reads the query plans of SQLite")]

ROWS, CLUSTERS, EACH = 100_000, 1_000, 100
STATEMENTS = 12                # of a page, the session and the user included
INSTRUCTIONS = 4_000_000       # of SQLite's machine, for a page: an index may be read through twice


@pytest.fixture
def crowded():
    """A thousand clusters of two hundred learners, each with a hundred Pods and a hundred packs of messages."""
    learners = User.objects.bulk_create([User(username=f"learner-{number}") for number in range(200)])
    rows = Cluster.objects.bulk_create([Cluster(name=f"web-{number}", owner=learners[number % 200]) for number in range(CLUSTERS)])
    nothing, one = packed({}), packed([[1, 0, "user", "kubectl", "RunCommand", None, None, None, {}]])
    fields = ("cluster", "key", "namespace", "name", "uid", "created_revision", "resource_version", "manifest", "phase", "node", "deleting")
    writer.upsert(Pod, fields, ("cluster", "key"), [
        (row.pk, f"/registry/pods/default/web-{number:03}-{row.pk}", "default", f"web-{number:03}-{row.pk}", f"{row.pk}-{number}", number, number, nothing,
         "Failed" if number == 7 and row.pk % 100 == 0 else "Running", f"n{number % 3 + 1}", False) for row in rows for number in range(EACH)])
    writer.upsert(Steps, ("cluster", "first", "last", "first_at", "last_at", "data", "revision", "actors", "reasons"), ("cluster", "first"), [
        (row.pk, number * 64 + 1, number * 64 + 64, number, number, one, 1, " kubectl user ", " RunCommand ") for row in rows for number in range(EACH)])
    assert Pod.objects.count() == Steps.objects.count() == ROWS
    return rows


def work_of(browser, path):
    """A page, the statements that made it, and how many instructions SQLite's machine took."""
    spent = []
    connection.connection.set_progress_handler(lambda: spent.append(1000), 1000)
    try:
        with CaptureQueriesContext(connection) as statements:
            answer = browser.get(path)
    finally:
        connection.connection.set_progress_handler(None, 0)
    assert answer.status_code == 200
    return answer, [each["sql"] for each in statements.captured_queries], sum(spent)


def plan(statement):
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
        return [line[3] for line in cursor.fetchall()]


def reads_through(statement):
    """The steps of a statement's plan that read whole rows of one of the large tables from end to end."""
    return [line for line in plan(statement) if line.startswith(("SCAN lifecycle_pod", "SCAN lifecycle_steps")) and "COVERING INDEX" not in line]


def paths(rows):
    """The lists of everything, and some that are filtered."""
    learners, pods, steps = (reverse(f"admin:lifecycle_{name}_changelist") for name in ("cluster", "pod", "steps"))
    some = rows[CLUSTERS // 2].pk
    everything = [learners, pods, f"{pods}?p=150", steps]
    return everything, [
        f"{learners}?q=learner-77",
        f"{pods}?phase=Failed", f"{pods}?phase=Running", f"{pods}?q=web-012-77", f"{pods}?deleting__exact=1", f"{pods}?cluster={some}&phase=Running",
        f"{pods}?cluster={some}&node=n1",
        f"{steps}?reason=RunCommand", f"{steps}?reason=NoSuchReason", f"{steps}?component=kubectl&cluster={some}"]


def test_a_page_costs_a_few_statements_that_use_indexes(crowded):
    browser = a_browser(an_instructor())
    everything, filtered = paths(crowded)
    for path in everything + filtered:
        _, statements, instructions = work_of(browser, path)
        assert len(statements) <= STATEMENTS, path
        assert instructions <= INSTRUCTIONS, path
        # It should find what filters leave without reading everything; a list of everything ends after a page
        assert path in everything or not [line for each in statements if each.startswith("SELECT") for line in reads_through(each)], path


def test_nothing_is_counted_beyond_the_bound_and_the_page_says_so(crowded):
    browser = a_browser(an_instructor())
    answer, statements, _ = work_of(browser, reverse("admin:lifecycle_pod_changelist"))
    assert answer.context["cl"].result_count == MOST
    assert f"There may be more than these {MOST}" in answer.content.decode()
    assert not [statement for statement in statements if "COUNT(" in statement]


def test_filters_find_the_few_among_the_many(crowded):
    browser = a_browser(an_instructor())
    answer, _, _ = work_of(browser, f"{reverse('admin:lifecycle_pod_changelist')}?phase=Failed")
    failed = [row for row in crowded if row.pk % 100 == 0]
    assert answer.context["cl"].result_count == len(failed) == 10
    assert {pod.cluster_id for pod in answer.context["cl"].result_list} == {row.pk for row in failed}

