"""Every message kind has its words in both languages, and every text has a message."""
import re
from pathlib import Path

import pytest
from django.utils import translation

import lifecycle.simulation
from lifecycle.explanations import explain
from lifecycle.explanations.texts import LANGUAGES, entry, source_of, sources, texts
from lifecycle.picture.explanation import documents, words
from lifecycle.simulation.messages import Step
from lifecycle.simulation.resources import registry

from .builders import a_cluster, run

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"
CODE = r"github\.com/kubernetes/kubernetes/blob/release-[\d.]+/[\w./-]+\.go"
DOCUMENTATION = r"kubernetes\.io/(zh-cn/)?docs/[\w./-]+/"
VERBS = ("Create", "Get", "List", "Watch", "Update", "Patch", "Apply", "Delete", "DeleteCollection")
BUSY = """
kubectl apply -f web.yaml
kubectl run crash --image=busybox -- sh -c 'sleep 1; exit 1'
kubectl run lost --image=demo:missing
kubectl create job once --image=busybox -- true
kubectl scale deployment web --replicas=2
kubectl set image deployment/web app=nginx:1.28
kubectl cordon n1
kubectl drain n2 --ignore-daemonsets --force --delete-emptydir-data
kubectl create namespace short
kubectl delete namespace short --wait=false
kubectl delete deployment web --cascade=foreground --wait=false
kubectl delete pvc web-data --wait=false
"""


@pytest.fixture(scope="module")
def busy_steps():
    """The messages of a run in which a lot happens."""
    cluster = a_cluster()
    for line in BUSY.strip().splitlines():
        cluster.kubectl(line, {"web.yaml": (EXAMPLES / "web.yaml").read_text()})
        run(cluster, 20)
    cluster.fault("node n3 down")
    run(cluster, 400)
    return cluster.log.steps


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_of_a_busy_run_has_a_title_and_a_text(busy_steps, language):
    for step in busy_steps:
        title, text = explain(step, language)
        assert title and text, step


def test_chinese_texts_are_chinese_and_english_texts_are_not(busy_steps):
    for step in {step.reason: step for step in busy_steps}.values():
        assert re.search(r"[\u4e00-\u9fff]", "".join(explain(step, "zh-hans"))), step.reason
        assert not re.search(r"[\u4e00-\u9fff]", "".join(explain(step, "en"))), step.reason


def test_both_languages_explain_the_same_kinds():
    assert set(texts("en")) == set(texts("zh-hans"))


@pytest.mark.parametrize("kind", texts("en"))
def test_every_kind_says_what_it_means_what_happens_what_to_look_at_and_where_it_comes_from(kind):
    for language in LANGUAGES:
        found = texts(language)[kind]
        assert set(found) == {"title", "text", "happens", "look"} and all(found.values())
        name, address = source_of(kind, language)
        assert name and re.fullmatch(rf"https://({CODE}|{DOCUMENTATION})", address)


def test_there_is_no_source_of_a_kind_that_is_not_explained():
    assert set(sources()) == set(texts("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_of_a_busy_run_can_be_explained_on_the_page(busy_steps, language):
    with translation.override(language):
        for step in {(step.source, step.target, step.reason): step for step in busy_steps}.values():
            said = words(step)
            assert said.text and said.happens and said.look and "{" not in said.text + said.happens + said.look, step


def test_what_a_message_tells_is_escaped():
    step = Step(1, 0, "user", "kubectl", "StreamInput", None, None, None, {"container": "app", "input": "<b>&"})
    assert "&lt;b&gt;&amp;" in words(step).text and "<b>" not in words(step).text


def test_the_notes_of_the_documents_come_with_the_numbered_steps_and_other_statements_as_ids():
    binding = Step(1, 0, "scheduler", "apiserver", "CreatePodBinding", "POST /...", "/registry/pods/default/web", None, {})
    found = documents(binding)
    assert [(note.id, note.verdict) for note in found["notes"]] == [("C11", "FIX")] and found["told_there"] == ["K3", "P1", "3c"]


def test_every_exact_kind_is_one_that_the_simulation_can_say():
    source = "\n".join(path.read_text() for path in Path(lifecycle.simulation.__file__).parent.rglob("*.py"))
    literals = set(re.findall(r'"([A-Z][A-Za-z]+)"', source))
    kinds = {row.kind for row in registry().values()}
    subresources = {name.capitalize() for row in registry().values() for name in row.subresources}
    requests = {verb + kind + sub for verb in VERBS for kind in kinds for sub in ("", *subresources)}
    unknown = [name for name in texts("en") if "*" not in name and name not in literals | requests
               and not re.fullmatch(r"Etcd(Create|Update|Delete)|Watch(Added|Modified|Deleted)|SendSIG[A-Z]+", name)]
    assert unknown == []


def test_every_literal_message_kind_is_explained():
    said = set()
    for path in Path(lifecycle.simulation.__file__).parent.rglob("*.py"):
        for call in re.findall(r"\.say\(([^\n]*)", path.read_text()):
            said.update(re.findall(r'"([A-Z][a-z]+[A-Z][A-Za-z]+|CNI[A-Z][a-z]+)"', call))
    missing = [kind for kind in sorted(said) for language in LANGUAGES if entry(language, kind) is None]
    assert missing == []
