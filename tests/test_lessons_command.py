"""`manage.py play_lesson`: what an author sees."""
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from lifecycle.management.commands import play_lesson

from .lessons import a_folder


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A function that puts the small lesson, with changes, into the course."""
    found = []
    monkeypatch.setattr(play_lesson, "folders", lambda: found)
    return lambda **changes: found.append(a_folder(tmp_path, **changes))


def test_a_lesson_is_played_and_told(course, capsys):
    course()
    call_command("play_lesson", "small")
    out = capsys.readouterr().out
    assert "01-small: A small lesson" in out and "task create: done at" in out
    assert "prediction first: binding" in out and "*SIGTERM" in out


def test_in_the_language_that_is_asked_for(course, capsys):
    course()
    call_command("play_lesson", "01-small", language="zh-hans")
    assert "小课" in capsys.readouterr().out


def test_what_is_missing_is_told_and_makes_it_fail(course, capsys):
    course(structure=[('"kubectl apply -f web.yaml", "wait 10"', '"kubectl get nodes"')])
    with pytest.raises(CommandError, match="01-small"):
        call_command("play_lesson")
    assert "missing: bound (0 so far): two Pods were bound" in capsys.readouterr().out


def test_a_lesson_that_cannot_be_read_is_told_with_its_lines(course, capsys):
    course(structure=[('"K4a"', '"K99"')])
    with pytest.raises(CommandError):
        call_command("play_lesson")
    assert "01-small/lesson.toml:5: statements: the documents have no statement K99" in capsys.readouterr().out


def test_a_line_of_the_beginning_that_fails_is_told(course, capsys):
    course(structure=[('"kubectl create namespace shop"', '"kubectl delete pod nobody"')])
    with pytest.raises(CommandError, match="01-small"):
        call_command("play_lesson")
    assert 'start: kubectl delete pod nobody: Error from server (NotFound): pods "nobody" not found' in capsys.readouterr().out


def test_a_lesson_that_is_not_there_is_told():
    with pytest.raises(CommandError, match="there is no lesson nowhere"):
        call_command("play_lesson", "nowhere")
