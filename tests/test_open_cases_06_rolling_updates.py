"""O06: how a rolling update counts."""
from functools import cache

import pytest

from lifecycle.simulation.objects import is_deleting, is_ready

from .rollouts import deployment, progressing, replica_set
from .stories import play


def scalings(story):
    """The ScalingReplicaSet messages in the order of their first posting, with the names of the ReplicaSets replaced by "old" and "new"."""
    old, new = (replica_set(story.end(), image)["metadata"]["name"] for image in ("demo:ok", "demo:ok2"))
    messages = [event.message.replace(old, "old").replace(new, "new") for event in story.events("web", "ScalingReplicaSet")]
    return [message.replace("Scaled ", "").replace(" replica set", "") for message in messages]


@cache
def an_update(replicas, spec=""):
    """New Pods become Ready 5 s after their start."""
    files = {"old.yaml": deployment(replicas, spec=spec, probe=True), "new.yaml": deployment(replicas, "demo:ok2", spec, "READY_AFTER: 5", probe=True)}
    return play("""
        @0s kubectl apply -f old.yaml
        @30s kubectl apply -f new.yaml
        @120s end
    """, files)


@pytest.mark.parametrize("replicas, surge, unavailable", [(1, 1, 0), (3, 1, 0), (4, 1, 1), (5, 2, 1), (10, 3, 2)])
def test_o06_surge_rounds_up_and_unavailable_rounds_down(replicas, surge, unavailable):
    story = an_update(replicas)
    wanted = [sum(each["spec"]["replicas"] for each in sets) for _, sets in story.history("replicasets.apps", "web-", 30)]
    assert max(wanted) == replicas + surge
    pods = [[pod for pod in pods if not is_deleting(pod)] for _, pods in story.history("pods", "web-", 30)]
    # Two ReplicaSets act in parallel, so one Pod too many may be seen for some milliseconds.
    assert replicas + surge <= max(map(len, pods)) <= replicas + surge + 1
    assert min(sum(is_ready(pod) for pod in present) for present in pods) == replicas - unavailable


@pytest.mark.parametrize("replicas", [1, 3, 4, 5, 10])
def test_o06_every_update_comes_to_its_end(replicas):
    story = an_update(replicas)
    assert progressing(story.end().get("deployments.apps", "web")) == ("True", "NewReplicaSetAvailable")
    assert [replica_set(story.end(), image)["spec"]["replicas"] for image in ("demo:ok", "demo:ok2")] == [0, replicas]


def test_o06_three_replicas_are_replaced_one_by_one():
    assert scalings(an_update(3)) == ["up old from 0 to 3", "up new from 0 to 1", "down old from 3 to 2", "up new from 1 to 2",
                                      "down old from 2 to 1", "up new from 2 to 3", "down old from 1 to 0"]


def test_o06_ten_replicas_begin_with_three_new_then_two_fewer_old_then_two_more_new():
    story = an_update(10)
    assert scalings(story)[1:4] == ["up new from 0 to 3", "down old from 10 to 8", "up new from 3 to 5"]
    first_steps = [event.at for event in story.events("web", "ScalingReplicaSet")[1:4]]
    assert max(first_steps) < 31
    assert [each["spec"]["replicas"] for each in (replica_set(story.at(34.5), "demo:ok"), replica_set(story.at(34.5), "demo:ok2"))] == [8, 5]


def test_o06_from_the_tenth_event_on_they_are_combined():
    story = an_update(10)
    events = story.events("web", "ScalingReplicaSet")
    combined = [event for event in events if event.message.startswith("(combined from similar events): ")]
    assert len(events) == 10
    assert combined == events[9:]
    assert combined[0].count > 1


def test_o06_events_come_from_the_deployment_controller():
    story = an_update(3)
    sources = {event["source"]["component"] for event in story.end().list("events", "web.") if event["reason"] == "ScalingReplicaSet"}
    assert sources == {"deployment-controller"}


def test_o06_when_both_round_to_zero_one_may_be_unavailable_and_the_old_goes_first():
    story = an_update(3, "strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 25%}}")
    assert scalings(story)[1:3] == ["down old from 3 to 2", "up new from 0 to 1"]
    assert max(sum(each["spec"]["replicas"] for each in sets) for _, sets in story.history("replicasets.apps", "web-", 30)) == 3
    present = [[pod for pod in pods if not is_deleting(pod)] for _, pods in story.history("pods", "web-", 30)]
    assert min(sum(map(is_ready, pods)) for pods in present) == 2


@pytest.mark.parametrize("rolling, why", [
    ("maxSurge: 0, maxUnavailable: 0", "Invalid value: 0: may not be 0 when `maxSurge` is 0"),
    ("maxSurge: 0%, maxUnavailable: 0", "Invalid value: 0: may not be 0 when `maxSurge` is 0"),
    ("maxSurge: 1, maxUnavailable: 101%", 'Invalid value: "101%": must not be greater than 100%'),
])
def test_o06_what_could_never_roll_is_refused(rolling, why):
    story = play("@0s kubectl apply -f web.yaml", {"web.yaml": deployment(3, spec=f"strategy: {{rollingUpdate: {{{rolling}}}}}")})
    assert story.exit("kubectl apply -f web.yaml") == 1
    assert story.printed("kubectl apply -f web.yaml") == f'The Deployment "web" is invalid: spec.strategy.rollingUpdate.maxUnavailable: {why}\n'
    assert story.end().get("deployments.apps", "web") is None


def test_o06_terminating_pods_are_not_counted():
    slow = "TERM_DELAY: 25"
    story = play("""
        @0s kubectl apply -f old.yaml
        @30s kubectl apply -f new.yaml
        @36s kubectl get pods
        @90s end
    """, {"old.yaml": deployment(3, env=slow), "new.yaml": deployment(3, "demo:ok2", env=slow)})
    rows = story.printed("kubectl get pods").splitlines()[1:]
    assert len(rows) == 6 > 3 + 1
    assert sum("Terminating" in row for row in rows) == 3
