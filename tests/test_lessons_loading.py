"""A lesson's folder becomes a Lesson, or a list of its mistakes, each with file, line and key."""
import pytest

from lifecycle.lessons.loading import LessonError, load

from .lessons import a_folder, a_lesson


def mistakes(place, **changes):
    with pytest.raises(LessonError) as error:
        load(a_folder(place, **changes))
    return str(error.value).splitlines()


def test_a_lesson_is_what_its_folder_says(tmp_path):
    lesson = a_lesson(tmp_path)
    assert (lesson.slug, lesson.number, lesson.minutes, lesson.nodes, lesson.pace) == ("small", 1, 5, 2, ("real", 60.0))
    assert [task.id for task in lesson.tasks] == ["create", "crash"]
    assert lesson.task("crash").checks[0].now and not lesson.task("create").checks[0].now
    assert lesson.after("create").id == "crash" and lesson.after("crash") is None
    assert lesson.prediction("node").options == ("@nodes",)
    assert lesson.files["web.yaml"].startswith("apiVersion: apps/v1")
    assert lesson.words["zh-hans"]["title"] == "小课"


def test_a_check_that_does_not_keep_its_tick_is_one_for_now(tmp_path):
    lesson = a_lesson(tmp_path, structure=[("count = 2", "count = 2\nkeeps = false")])
    assert [check.now for check in lesson.task("create").checks] == [False, True]


def test_a_manifest_may_be_a_ready_made_one(tmp_path):
    lesson = a_lesson(tmp_path, structure=[('files = ["web.yaml"]', 'files = ["web.yaml", "crash.yaml"]')])
    assert "kind: Pod" in lesson.files["crash.yaml"]


@pytest.mark.parametrize("old, new, place, told", [
    ("minutes = 5", "minutes = 5\ncolour = 1", "lesson.toml:3: lesson.colour", "there is no such key"),
    ("minutes = 5", 'minutes = "5"', "lesson.toml:2: lesson.minutes", "expected int"),
    ("minutes = 5\n", "", "lesson.toml: lesson", "minutes is missing"),
    ("minutes = 5", "minutes = = 5", "lesson.toml", "at line 2"),
    ('"real:60"', '"hurry:60"', "lesson.toml:4: pace", "'hurry' is not one of"),
    ('"K4a"', '"K99"', "lesson.toml:5: statements", "no statement K99"),
    ('files = ["web.yaml"]', 'files = ["gone.yaml"]', "lesson.toml:7: gone.yaml", "there is no such file"),
    ('"kubectl create namespace shop"', '"kubectl apply -f gone.yaml"', "lesson.toml:6: start", "the lesson has no file gone.yaml"),
    ('"kubectl apply -f web.yaml", "wait 10"', '"kubectl apply --filename gone.yaml"', "lesson.toml:13: tasks.create.solution", "no file gone.yaml"),
    ("object.spec.replicas == 2", "object.spec.replicas ==", "lesson.toml:18: tasks.create.checks.deployment.where", "Syntax error"),
    ('"deployments.apps"', '"deployment"', "lesson.toml:17: tasks.create.checks.deployment.objects", "names are qualified"),
    ('"CreatePodBinding"\ncount', '"CreatePudBinding"\ncount', "lesson.toml:22: tasks.create.checks.bound.said", "no kind of message CreatePudBinding"),
    ('stops = [["CreatePodBinding", {}]]', 'stops = [["CreatePodBinding"]]', "lesson.toml:12: tasks.create.stops", "expected"),
    ('id = "bound"', 'id = "deployment"', "tasks.create.checks.deployment", "the id is there twice"),
    ('begin = ["component scheduler stop"]', 'begin = ["wait 5"]', "lesson.toml:32: tasks.crash", "only start and solution may wait"),
    ('task = "crash"', 'task = "crush"', "predictions.node.task", "there is no task 'crush'"),
    ('kind = "race"', 'kind = "bet"', "predictions.first.kind", "not 'bet'"),
    ('value = "object.spec.nodeName"\n', "", "predictions.node.value", "is missing"),
    ('"number + 2", "number"]', '"number * 2"]', "questions.double.options", "fewer than two different answers"),
    ("[[questions]]\nid = \"plain\"\noptions = [\"'SIGTERM'\", \"'SIGKILL'\"]\n", "", "questions", "2 questions, not 3"),
])
def test_a_mistake_in_the_structure_is_named_with_its_line_and_key(tmp_path, old, new, place, told):
    found = [line for line in mistakes(tmp_path, structure=[(old, new)]) if place in line]
    assert found and told in found[0], found


@pytest.mark.parametrize("old, new, place, told", [
    ('title = "Create it"\n', "", "tasks.create.title", "is missing"),
    ('"Look around.", ', "", "tasks.create.hints", "2 hints, not 3"),
    ("bound = ", "bund = ", "tasks.create.checks.bound", "is missing"),
    ('[tasks.crash]', '[tasks.crash]\ncolour = "red"', "tasks.crash.colour", "no such key"),
    ('"component scheduler start" = ', '"component scheduler run" = ', "tasks.crash.acts.component scheduler start", "is missing"),
    ("binding = ", "bind = ", "predictions.first.options.binding", "is missing"),
    ("Twice {number}", "Twice {count}", "questions.double.question", "{count} is not drawn"),
    ('["code {0}", "code {1}"]', '["code {0}"]', "questions.word.options", "1 options, not 2"),
    ("component:kubelet", "component:cubelet", "intro", "no component cubelet"),
    ("statement:C11", "statement:C99", "intro", "no statement C99"),
    ("component:kubelet", "glossary:cubelet", "intro", "the glossary has no entry cubelet"),
    ('summary = "Create and stop."\n', "", "summary", "is missing"),
])
def test_what_one_language_lacks_is_named(tmp_path, old, new, place, told):
    found = mistakes(tmp_path, chinese=[(old, new)])
    assert all(line.startswith("01-small/zh-hans.toml") for line in found)
    assert [line for line in found if place in line and told in line], found


def test_a_missing_file_is_named(tmp_path):
    folder = a_folder(tmp_path)
    (folder / "zh-hans.toml").unlink()
    with pytest.raises(LessonError, match="01-small/zh-hans.toml: the file is missing"):
        load(folder)


def test_all_mistakes_are_told_at_once(tmp_path):
    found = mistakes(tmp_path, structure=[('"K4a"', '"K99"'), ('"CreatePodBinding", {}', '"CreateNothing", {}')], words=[('title = "Create it"\n', "")])
    assert len(found) == 4         # the last one in both languages
