"""How Events are counted, combined and held back."""
import pytest

from lifecycle.simulation.component import Component

from .builders import a_cluster, a_pod, create, every, get, run, said


class Teller(Component):
    name = "job"


class NewTeller(Component):
    name, actor, user, manager, event_source = "scheduler", "scheduler", "system:kube-scheduler", "kube-scheduler", {"component": "default-scheduler"}


@pytest.fixture
def told():
    """(cluster, tell): `tell(message)` records an Event about one Pod and lets a second pass."""
    cluster = a_cluster()
    cluster.stop("scheduler")
    create(cluster, a_pod("p"))
    run(cluster, 1)
    about = get(cluster, "pods", "p")

    def tell(message, kind="Warning", reason="Odd", teller=Teller, seconds=1, thing=about):
        teller(cluster).event(thing, kind, reason, message)
        run(cluster, seconds)

    return cluster, tell


def events(cluster, reason="Odd"):
    return [each for each in every(cluster, "events") if each["reason"] == reason]


def test_an_event_says_who_saw_what_and_when(told):
    cluster, tell = told
    tell("first")
    (event,) = events(cluster)
    meta = get(cluster, "pods", "p")["metadata"]
    identity = {"uid": meta["uid"], "resourceVersion": meta["resourceVersion"]}
    assert event["involvedObject"] == {"kind": "Pod", "namespace": "default", "name": "p", "apiVersion": "v1", **identity}
    assert event["source"] == {"component": "job-controller"} and event["reportingComponent"] == "job-controller"
    assert (event["count"], event["type"], event["message"]) == (1, "Warning", "first")
    assert event["firstTimestamp"] == event["lastTimestamp"] == cluster.clock.timestamp(cluster.clock.now - 1000)


def test_the_same_event_is_counted(told):
    cluster, tell = told
    for _ in range(3):
        tell("again")
    (event,) = events(cluster)
    assert event["count"] == 3 and event["firstTimestamp"] < event["lastTimestamp"]


def test_from_the_tenth_different_message_on_they_are_combined(told):
    cluster, tell = told
    for number in range(12):
        tell(f"number {number}")
    found = events(cluster)
    assert len(found) == 10
    (combined,) = [each for each in found if each["message"].startswith("(combined from similar events): ")]
    assert combined["message"] == "(combined from similar events): number 11" and combined["count"] == 3
    assert combined["reportingComponent"] == ""


def test_ten_quiet_minutes_end_the_combining(told):
    cluster, tell = told
    for number in range(11):
        tell(f"number {number}")
    run(cluster, 601)
    tell("fresh")
    assert "fresh" in [each["message"] for each in events(cluster)]


def test_after_twenty_five_events_of_one_object_one_more_comes_every_five_minutes(told):
    cluster, tell = told
    for _ in range(40):
        tell("again")
    assert events(cluster)[0]["count"] == 25
    run(cluster, 300)
    tell("again")
    # It should have counted those that were held back.
    assert events(cluster)[0]["count"] == 41


def test_events_come_in_the_order_in_which_they_were_recorded(told):
    cluster, tell = told
    for number in range(3):
        tell(f"number {number}", seconds=0)
    run(cluster, 1)
    assert [step.at for step in said(cluster, "CreateEvent", "controller-manager")][-3:] == [1006, 1007, 1008]
    assert [each["message"] for each in events(cluster)] == ["number 0", "number 1", "number 2"]


def test_the_schedulers_events_make_a_series_per_version_of_the_pod(told):
    cluster, tell = told
    for message in ("one", "two", "three"):
        tell(message, reason="FailedScheduling", teller=NewTeller)
    (event,) = events(cluster, "FailedScheduling")
    assert event["message"] == "one" and event["series"]["count"] == 2 and event["action"] == "Scheduling"
    assert event["source"] == {} and event["reportingComponent"] == "default-scheduler" and event["firstTimestamp"] is None
    # It should tell the rest when the series has ended, and then forget it.
    run(cluster, 800)
    assert events(cluster, "FailedScheduling")[0]["series"]["count"] == 3
    tell("four", reason="FailedScheduling", teller=NewTeller)
    assert [each["message"] for each in events(cluster, "FailedScheduling")] == ["one", "four"]
    newer = {**get(cluster, "pods", "p"), "metadata": {**get(cluster, "pods", "p")["metadata"], "resourceVersion": "999"}}
    tell("five", reason="FailedScheduling", teller=NewTeller, thing=newer)
    assert len(events(cluster, "FailedScheduling")) == 3
