"""`manage.py simulate`: what it prints, and how it refuses."""
import io
import json
import os
from pathlib import Path

import django
import pytest
from django.core.management import CommandError, call_command

from lifecycle.scripts import Act, ScriptError, files_of, parse

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app, image: nginx}]}\n"
SCRIPT = "@0s kubectl apply -f pod.yaml\n@1m kubectl delete pod web\n@2m end\n"


@pytest.fixture(scope="module", autouse=True)
def settings():
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lifecycle.settings")
    django.setup()


@pytest.fixture
def script(tmp_path):
    (tmp_path / "pod.yaml").write_text(POD)
    (tmp_path / "case.script").write_text(SCRIPT)
    return str(tmp_path / "case.script")


def simulate(*arguments, **options):
    out = io.StringIO()
    call_command("simulate", *arguments, stdout=out, **options)
    return out.getvalue()


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def test_a_manifest_runs_until_it_has_settled(tmp_path):
    (tmp_path / "pod.yaml").write_text(POD)
    printed = simulate(str(tmp_path / "pod.yaml"))
    assert "pod/web created" in printed
    assert "Bind Pod web to a node" in printed


def test_json_lines_carry_steps_consoles_and_objects(script):
    found = lines(simulate(script=script, format="jsonl", objects=True))
    # It should be in order of time, and every step in order of its number
    assert [line["at"] for line in found] == sorted(line["at"] for line in found)
    steps = [line for line in found if line["type"] == "step"]
    assert [step["seq"] for step in steps] == list(range(1, len(steps) + 1))
    assert set(steps[0]) == {"type", "seq", "at", "source", "target", "reason", "request", "object", "revision", "facts", "seed", "title", "text"}
    # It should show the console's output with its exit code
    consoles = [line for line in found if line["type"] == "console"]
    assert [(console["command"], console["output"], console["exit"]) for console in consoles] == [
        ("kubectl apply -f pod.yaml", "pod/web created\n", 0), ("kubectl delete pod web", 'pod "web" deleted from default namespace\n', 0)]
    # It should end the Pod's revisions with its removal
    revisions = [line["object"] for line in found if line["type"] == "object" and line["key"] == "/registry/pods/default/web"]
    assert revisions[0]["status"]["phase"] == "Pending" and revisions[-1] is None


def test_the_same_seed_and_script_give_the_same_bytes(script):
    first = simulate(script=script, format="jsonl", objects=True, seed=7)
    assert first == simulate(script=script, format="jsonl", objects=True, seed=7)
    assert first != simulate(script=script, format="jsonl", objects=True, seed=8)


def test_mermaid_declares_every_actor_before_its_arrows(script):
    drawn = simulate(script=script, format="mermaid", language="zh-hans").splitlines()
    assert drawn[0] == "sequenceDiagram"
    actors = {line.split()[1] for line in drawn if line.strip().startswith("participant")}
    arrows = [line for line in drawn[1:] if not line.strip().startswith("participant")]
    assert len(arrows) > 50
    for arrow in arrows:
        source, sign, rest = arrow.split(maxsplit=2)
        assert sign in ("->>", "-->>")
        assert {source, rest.split(":")[0]} <= actors
        assert ";" not in arrow and "#" not in arrow


@pytest.mark.parametrize("language, word", [("en", "Scheduler"), ("zh-hans", "调度器")])
def test_the_table_speaks_both_languages(script, language, word):
    assert word in simulate(script=script, language=language)


@pytest.mark.parametrize("text, message", [
    ("kubectl get pods", "line 1: expected '@TIME COMMAND'"), ("@soon kubectl get pods", "line 1"), ("# fine\n@5x end", "line 2"), ("@1s fly away", "line 1"),
    ("@1s node n9 down", "n9"), ("@1s kubectl get 'pods", "cannot split")])
def test_a_line_that_cannot_be_played_is_named(tmp_path, text, message):
    (tmp_path / "case.script").write_text(text)
    with pytest.raises(CommandError, match=message):
        simulate(script=str(tmp_path / "case.script"))


@pytest.mark.parametrize("options", [{}, {"nodes": 0, "script": "x"}, {"script": "there/is/no.script"}])
def test_wrong_options_are_refused_in_words(options):
    with pytest.raises(CommandError):
        simulate(**options)


def test_a_missing_manifest_is_refused_before_anything_runs():
    with pytest.raises(CommandError, match=r"there is no file nowhere\.yaml"):
        simulate("nowhere.yaml")


def test_scripts_are_sorted_by_time_and_lines_of_one_time_keep_their_order():
    assert parse("@2s b\n# note\n@1m30s d\n@0.5s a\n@2s c\n") == [Act(500, "a", 4), Act(2000, "b", 1), Act(2000, "c", 5), Act(90_000, "d", 3)]


def test_files_are_found_in_every_form_that_kubectl_takes(tmp_path):
    for name in ("a.yaml", "b.yaml", "c.txt"):
        (tmp_path / name).write_text(name)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "d.yaml").write_text("d.yaml")
    command = "kubectl create -f a.yaml --filename=b.yaml --from-file=key=c.txt -f folder -f missing.yaml"
    assert files_of(command, tmp_path) == {"a.yaml": "a.yaml", "b.yaml": "b.yaml", "c.txt": "c.txt", "folder/d.yaml": "d.yaml"}
    with pytest.raises(ScriptError):
        files_of("kubectl get 'x", tmp_path)


def test_with_objects_a_message_to_etcd_carries_what_is_stored(script):
    found = lines(simulate(script=script, format="jsonl", objects=True))
    stored = {line["revision"]: line for line in found if line["type"] == "object"}
    written = [line for line in found if line["type"] == "step" and line["target"] == "etcd" and line["revision"] in stored]
    assert written
    for step in written:
        if step["reason"] != "EtcdDelete":
            assert step["object"] == stored[step["revision"]]["object"]
        else:
            # It should show the last state of what is removed
            assert stored[step["revision"]]["object"] is None and step["object"]["metadata"]["resourceVersion"] == str(step["revision"])
    # It should name the key only without --objects
    short = [line for line in lines(simulate(script=script, format="jsonl")) if line["type"] == "step" and line["target"] == "etcd"]
    assert short and all(isinstance(line["object"], str) for line in short)
