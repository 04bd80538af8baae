"""Events are gone an hour after they were last written."""
from lifecycle.simulation.component import Component
from lifecycle.simulation.state import loaded, saved

from .builders import a_cluster, a_pod, create, every, get, kubectl, run

HOUR = 3600


class Teller(Component):
    name = "job"


def a_cluster_with_events():
    """A Pod that runs, so that there are Events; nothing waits any more."""
    cluster = a_cluster()
    create(cluster, a_pod("p"))
    run(cluster, 60)
    assert every(cluster, "events")
    return cluster


def listed(cluster):
    return cluster.api.http("GET", "/api/v1/namespaces/default/events").body["items"]


def test_an_event_is_served_for_an_hour_and_no_longer():
    cluster = a_cluster_with_events()
    run(cluster, HOUR - 120)
    assert listed(cluster)
    run(cluster, 120)
    assert listed(cluster) == []
    assert cluster.api.http("GET", "/apis/events.k8s.io/v1/namespaces/default/events").body["items"] == []
    assert "No resources found" in kubectl(cluster, "kubectl get events", seconds=1)["output"]


def test_an_event_that_is_over_cannot_be_read_or_changed():
    cluster = a_cluster_with_events()
    path = f"/api/v1/namespaces/default/events/{every(cluster, 'events')[0]['metadata']['name']}"
    run(cluster, HOUR)
    assert cluster.api.http("GET", path).code == 404
    assert cluster.api.http("PATCH", path, {}, {"count": 2}, "application/merge-patch+json").code == 404
    assert cluster.api.http("DELETE", path).code == 404


def test_an_idle_cluster_has_nothing_to_do_for_it():
    cluster = a_cluster_with_events()
    revision = cluster.etcd.revision
    run(cluster, 2 * HOUR)
    assert cluster.etcd.revision == revision


def test_what_is_over_leaves_the_store_when_the_next_event_comes():
    cluster = a_cluster_with_events()
    old = {each["metadata"]["name"] for each in every(cluster, "events")}
    run(cluster, HOUR)
    # It should be so for a cluster that was saved meanwhile, too
    for each in (loaded(saved(cluster)), cluster):
        Teller(each).event(get(each, "pods", "p"), "Warning", "Odd", "once more")
        run(each, 1)
        assert old.isdisjoint(event["metadata"]["name"] for event in every(each, "events"))
        assert [event["reason"] for event in every(each, "events")] == ["Odd"]


def test_an_event_that_is_counted_up_lives_on():
    cluster = a_cluster_with_events()
    about = get(cluster, "pods", "p")
    for _ in range(3):
        Teller(cluster).event(about, "Warning", "Odd", "again and again")
        run(cluster, HOUR / 2)
    (event,) = listed(cluster)
    assert (event["reason"], event["count"]) == ("Odd", 3)


def test_an_event_that_comes_again_when_it_is_over_is_posted_anew_and_counted_on():
    cluster = a_cluster_with_events()
    about = get(cluster, "pods", "p")
    for _ in range(3):
        Teller(cluster).event(about, "Warning", "Odd", "again and again")
        run(cluster, 25 * HOUR)
    codes = [(step.reason, step.facts.get("code")) for step in cluster.log.steps if step.reason.endswith("Event") and step.source == "controller-manager"]
    assert codes == [("CreateEvent", None), ("PatchEvent", 404), ("CreateEvent", None), ("PatchEvent", 404), ("CreateEvent", None)]
    (event,) = [each for each in every(cluster, "events") if each["reason"] == "Odd"]
    assert event["count"] == 3 and event["metadata"]["creationTimestamp"] == event["lastTimestamp"] > event["firstTimestamp"]
