"""The source documents are there in full, judged, and shown by messages and lessons."""
import re
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from lifecycle import examples, statements
from lifecycle.explanations import seed_steps
from lifecycle.explanations.texts import LANGUAGES, entry_name
from lifecycle.lessons.catalog import catalog
from lifecycle.lessons.coverage import table_of_course
from lifecycle.simulation.messages import ACTORS, Step

from .builders import a_cluster, a_pod, create, kubectl, run

ROOT = Path(__file__).parent.parent
EVERY = [*statements.all(), *statements.points()]
NUMBERED = [f"C{number}" for number in range(1, 24)] + [f"D{number}" for number in range(1, 26)]
OTHERS = [
    "K1", "K2", "K3", "K4a", "K4b", "K4c", "K4d", "K5", "K6", "K7", "K8", "P1", "P2", "P3", "P4", "P5", "1", "2a", "2b", "3a", "3b", "3c",
    "4a", "4b", "4.1", "4.2", "4.3", "4.4", "4c", "5.1a", "5.1b", "5.1c", "5.2a", "5.2b", "5.3",
    "6", "6.1", "6.2", "6.3", "6.4", "6.5a", "6.5b", "6.6", "7a", "7b", "7c"]


def test_the_documents_make_94_statements_in_their_order():
    assert [each.id for each in statements.all()] == NUMBERED + OTHERS


def test_the_verdicts_are_those_of_the_comparison():
    tally = Counter((each.document, each.verdict) for each in statements.all())
    assert tally == {("flow", "KEEP"): 4, ("flow", "NOTE"): 30, ("flow", "FIX"): 14, ("pod", "KEEP"): 10, ("pod", "NOTE"): 18, ("pod", "FIX"): 18}


@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.id)
def test_every_text_is_there_in_both_languages(each):
    texts = [each.text, *(text for text in (getattr(each, "title", {}), getattr(each, "note", {})) if text)]
    for text in texts:
        assert set(text) == set(LANGUAGES)
        assert not re.search("[\u4e00-\u9fff]", text["en"]) and text["zh-hans"]
    assert re.search("[\u4e00-\u9fff]", each.text["zh-hans"])


def test_every_statement_that_is_not_right_as_it_stands_has_a_note():
    assert [each.id for each in statements.all() if bool(each.note) != (each.verdict != "KEEP")] == []


def test_titles_and_texts_keep_the_numbers_of_the_documents():
    for each in statements.all():
        if each.id in NUMBERED:
            assert all(title.startswith(f"{each.id[1:]}. ") for title in each.title.values()), each.id


def test_the_ten_points_sum_up_statements():
    assert [point.id for point in statements.points()] == [f"H{number}" for number in range(1, 11)]
    assert all(statements.get(id).verdict != "KEEP" for point in statements.points() for id in point.of)


def test_what_neither_document_mentions_is_said_in_both_languages():
    assert all(set(text) == set(LANGUAGES) and all(text.values()) for text in statements.missing()) and len(statements.missing()) == 5


def test_an_unknown_id_is_refused():
    with pytest.raises(KeyError):
        statements.get("C24")


# -- messages --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("each", statements.all(), ids=lambda each: each.id)
def test_every_statement_names_messages_that_are_explained(each):
    found = statements.shown(each.id)
    assert found
    for arrow in found:
        assert {arrow.source, arrow.target} <= {*ACTORS, "*"} and entry_name(arrow.kind), arrow


@pytest.fixture(scope="module")
def said():
    """{(source, target, reason)} of a run in which everything happens that the documents talk about."""
    cluster = a_cluster()
    files = {"web.yaml": (ROOT / "docs" / "examples" / "web.yaml").read_text(), "stubborn.yaml": examples.text("stubborn")}
    failing = {"exec": {"command": ["false"]}, "periodSeconds": 1}
    for line in ("kubectl apply -f web.yaml", "kubectl apply -f stubborn.yaml", "kubectl run once --image=busybox --restart=Never -- true"):
        kubectl(cluster, line, files, 30)
    assert create(cluster, a_pod("sick", container={"livenessProbe": failing, "readinessProbe": failing})).ok
    assert create(cluster, a_pod("refused", nodeName="n1", nodeSelector={"disk": "none"})).ok
    run(cluster, 30)
    for line in ("kubectl logs stubborn", "kubectl delete pod stubborn", "kubectl delete deployment web --cascade=foreground", "kubectl delete pvc web-data"):
        kubectl(cluster, line, {}, 40)
    kubectl(cluster, "kubectl create deployment lost --image=nginx --replicas=3", {}, 30)
    cluster.fault("node n1 memory-pressure on")
    cluster.fault("node n2 down")
    run(cluster, 400)
    return {(step.source, step.target, step.reason) for step in cluster.log.steps}


@pytest.mark.parametrize("each", [each for each in statements.all() if each.arrows], ids=lambda each: each.id)
def test_the_messages_that_a_document_names_are_said_in_a_run(each, said):
    missing = [arrow for arrow in statements.shown(each.id) if not any(all(map(fnmatchcase, message, arrow)) for message in said)]
    assert missing == []


def test_a_message_shows_the_numbered_steps_first_and_the_other_statements_in_order():
    binding = Step(1, 0, "scheduler", "apiserver", "CreatePodBinding", "POST /...", "/registry/pods/default/web", None, {})
    assert statements.statements_of(binding) == ["C11", "K3", "P1", "3c"]
    assert seed_steps(binding) == ["C11"]


def test_a_message_about_nothing_in_the_documents_shows_nothing():
    assert statements.statements_of(Step(1, 0, "kubectl", "apiserver", "GetVersion", "GET /version", None, None, {})) == []


# -- diagrams --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name, ids", [("creation", NUMBERED[:23]), ("deletion", NUMBERED[23:])])
def test_the_diagrams_have_every_step_in_order_and_close_their_frames(name, ids):
    drawn = statements.diagrams()[name]
    assert list(dict.fromkeys(line[0] for line in drawn["lines"])) == ids
    kinds = [line[1] for line in drawn["lines"]]
    assert kinds.count("alt") == kinds.count("end")
    assert {actor for _, source, target, _, _ in drawn["lines"] for actor in (source, target)} - {"alt", "end", "note", ""} == set(drawn["actors"])
    assert all(zh and en for _, kind, _, zh, en in drawn["lines"] if kind != "end")


# -- lessons ---------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("each", EVERY, ids=lambda each: each.id)
def test_every_statement_is_carried_by_a_lesson(each):
    assert any(each.id in lesson.statements for lesson in catalog().values())


def test_the_table_of_the_course_is_up_to_date():
    assert (ROOT / "docs" / "course.md").read_text() == table_of_course(), "run manage.py course"
