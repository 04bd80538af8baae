"""What the stories of ending Pods share. Their Pods are deleted at @30s."""
import pytest

DELETED = 30


def after(seconds):
    """A time so many seconds after the delete was typed; kubectl and the machinery may take half a second."""
    return pytest.approx(DELETED + seconds + 0.25, abs=0.25)


def confirmed(story, name):
    """Whether the object went when the kubelet had listed its containers once more, which it does every second, after the last had ended."""
    ended = max(story.times("ProcessExited", pod=name))
    return ended < story.gone("pods", name) < ended + 1.3


def last_status(story, name):
    """The status in the last MODIFIED watch event before DELETED."""
    states = story.states("pods", name)
    assert [state.type for state in states[-2:]] == ["MODIFIED", "DELETED"]
    return states[-2].object["status"]


def row(story, line, number=1):
    """The columns of the only line below the head of a table that a command printed."""
    return story.printed(line, number).splitlines()[1].split()
