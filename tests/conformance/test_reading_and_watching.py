"""Discovery, tables, chunks and watches."""
from lifecycle.simulation.client import Request
from lifecycle.simulation.resources import resource

from ..builders import create

MAPS = "/api/v1/namespaces/default/configmaps"


def a_map(name, **labels):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "default", "labels": labels}}


def label(cluster, name, **labels):
    return cluster.api.http("PATCH", f"{MAPS}/{name}", None, {"metadata": {"labels": labels}}, "application/merge-patch+json")


def watch(cluster, since, selector=""):
    request = Request("watch", resource("configmaps"), "default", options={"labelSelector": selector} if selector else {})
    return [(frame["type"], frame["object"]["metadata"]["name"], frame["object"]["metadata"]["resourceVersion"]) for frame in cluster.api.watch(request, since)]


def short(frames):
    return [frame[:2] for frame in frames]


def test_every_group_prefers_one_of_its_versions_and_lists_resources_of_the_version_that_was_asked_for(cluster):
    for group in cluster.api.http("GET", "/apis").body["groups"]:
        assert group["preferredVersion"] in group["versions"]
        for version in group["versions"]:
            listed = cluster.api.http("GET", f"/apis/{version['groupVersion']}").body
            assert listed["groupVersion"] == version["groupVersion"] and listed["resources"]


def test_the_version_is_made_of_whole_numbers(cluster):
    version = cluster.api.http("GET", "/version").body
    assert version["major"].isdecimal() and version["minor"].isdecimal()


def test_what_has_no_metadata_is_not_printed_as_a_table(cluster):
    review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": {"resourceAttributes": {"verb": "get", "resource": "pods"}}}
    answer = cluster.api.http("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", None, review, accept_table=True)
    assert (answer.code, answer.body["reason"]) == (406, "NotAcceptable")


def test_chunks_of_a_list_are_of_one_revision(cluster):
    for number in range(7):
        create(cluster, a_map(f"m{number}", chunk="yes"))
    found, versions, query = [], set(), {"limit": "3", "labelSelector": "chunk=yes"}
    while True:
        page = cluster.api.http("GET", MAPS, query).body
        found += [each["metadata"]["name"] for each in page["items"]]
        versions.add(page["metadata"]["resourceVersion"])
        if not page["metadata"].get("continue"):
            break
        query = {**query, "continue": page["metadata"]["continue"]}
        create(cluster, a_map(f"late-{len(found)}", chunk="yes"))
    assert found == [f"m{number}" for number in range(7)] and len(versions) == 1


def test_a_list_whose_revision_was_compacted_goes_on_from_its_last_key(cluster):
    for number in range(5):
        create(cluster, a_map(f"m{number}"))
    page = cluster.api.http("GET", MAPS, {"limit": "3"}).body
    create(cluster, a_map("m9"))
    cluster.etcd.compact(cluster.etcd.revision)
    expired = cluster.api.http("GET", MAPS, {"limit": "3", "continue": page["metadata"]["continue"]})
    assert (expired.code, expired.body["reason"]) == (410, "Expired")
    rest = cluster.api.http("GET", MAPS, {"limit": "9", "continue": expired.body["metadata"]["continue"]})
    assert rest.code == 200 and [each["metadata"]["name"] for each in rest.body["items"]][-1] == "m9"


def test_watches_with_other_selectors_see_what_is_theirs_in_one_order(cluster):
    since = cluster.etcd.revision
    create(cluster, a_map("a", watched="a"))
    create(cluster, a_map("b", watched="b"))
    label(cluster, "a", more="1")
    cluster.api.http("DELETE", f"{MAPS}/a")
    assert short(watch(cluster, since, "watched=a")) == [("ADDED", "a"), ("MODIFIED", "a"), ("DELETED", "a")]
    assert short(watch(cluster, since, "watched=b")) == [("ADDED", "b")]
    both = watch(cluster, since, "watched in (a,b)")
    assert both == watch(cluster, since) and [int(frame[2]) for frame in both] == sorted(int(frame[2]) for frame in both)


def test_a_watch_begins_after_the_revision_that_it_names_and_one_begun_again_misses_nothing(cluster):
    create(cluster, a_map("a"))
    revisions = [label(cluster, "a", turn=str(turn)).body["metadata"]["resourceVersion"] for turn in range(4)]
    assert [frame[2] for frame in watch(cluster, int(revisions[1]))] == revisions[2:]
    last_seen = int(revisions[2])
    cluster.api.http("DELETE", f"{MAPS}/a")
    assert [frame[0] for frame in watch(cluster, last_seen)] == ["MODIFIED", "DELETED"]


def test_what_stops_to_fit_the_selector_is_deleted_for_the_watch_and_added_when_it_fits_again(cluster):
    create(cluster, a_map("a", fits="yes"))
    since = cluster.etcd.revision
    label(cluster, "a", fits="no")
    label(cluster, "a", unseen="1")
    label(cluster, "a", fits="yes")
    cluster.api.http("DELETE", f"{MAPS}/a")
    assert [frame[0] for frame in watch(cluster, since, "fits=yes")] == ["DELETED", "ADDED", "DELETED"]
