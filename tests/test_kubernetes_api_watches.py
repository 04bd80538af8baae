"""Watches over HTTP: what is there, then every change, once and in order; and what they cost."""
import asyncio
from itertools import pairwise

import pytest
from channels.db import database_sync_to_async as in_thread
from django.db import connections
from django.test.utils import CaptureQueriesContext

from lifecycle import clusters
from lifecycle.asgi import application as served
from lifecycle.kubernetes_api import application, feeds, serving, subscriptions
from lifecycle.models import Cluster

from .builders import a_deployment, a_pod
from .wire import CONFIG_MAPS, METADATA, PODS, TABLE, Wire, a_cluster_with_address, a_config_map, messages_of, quick, tidy, until, until_settled  # noqa: F401

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

INITIAL = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"


def told(frames):
    """[(type, name)]"""
    return [(frame["type"], frame["object"]["metadata"].get("name")) for frame in frames]


async def version_of(wire, path=CONFIG_MAPS):
    return (await wire.get(path)).json["metadata"]["resourceVersion"]


async def make(wire, *names, **labels):
    for name in names:
        made = await wire.ask("POST", CONFIG_MAPS, {**a_config_map(name), "metadata": {"name": name, "labels": labels}})
        assert made.status == 201


# -- what is told ----------------------------------------------------------------------------------------------------------
async def test_what_is_there_comes_first_and_then_what_changes():
    wire = Wire(await a_cluster_with_address())
    await make(wire, "one")
    watch = await wire.open(f"{CONFIG_MAPS}?watch=True")
    assert (watch.status, watch.headers["content-type"]) == (200, "application/json") and "content-length" not in watch.headers
    assert told(await watch.lines(2)) == [("ADDED", "kube-root-ca.crt"), ("ADDED", "one")]
    await make(wire, "two")
    await wire.ask("PATCH", f"{CONFIG_MAPS}/one", {"data": {"a": "c"}}, content_type="application/merge-patch+json")
    await wire.ask("DELETE", f"{CONFIG_MAPS}/one")
    frames = await watch.lines(3)
    assert told(frames) == [("ADDED", "two"), ("MODIFIED", "one"), ("DELETED", "one")]
    assert frames[1]["object"]["data"] == frames[2]["object"]["data"] == {"a": "c"}
    versions = [int(frame["object"]["metadata"]["resourceVersion"]) for frame in frames]
    assert versions == sorted(set(versions))
    await watch.close()


async def test_a_watch_from_a_version_tells_what_came_after_it():
    wire = Wire(await a_cluster_with_address())
    version = await version_of(wire)
    await make(wire, "one", "two")
    watch = await wire.open(f"{CONFIG_MAPS}?watch=1&resourceVersion={version}")
    assert told(await watch.lines(2)) == [("ADDED", "one"), ("ADDED", "two")]
    await make(wire, "three")
    assert told(await watch.lines(1)) == [("ADDED", "three")]
    await watch.close()


async def test_a_watch_that_waits_gets_a_bookmark_after_what_is_there():
    wire = Wire(await a_cluster_with_address())
    watch = await wire.open(f"{CONFIG_MAPS}?watch=true&{INITIAL}&fieldSelector=metadata.name%3Dkube-root-ca.crt")
    first, mark = await watch.lines(2)
    assert told([first]) == [("ADDED", "kube-root-ca.crt")]
    assert mark["type"] == "BOOKMARK" and mark["object"]["metadata"]["annotations"] == {"k8s.io/initial-events-end": "true"}
    await make(wire, "one")
    await wire.ask("DELETE", f"{CONFIG_MAPS}/kube-root-ca.crt")
    assert told(await watch.lines(1)) == [("DELETED", "kube-root-ca.crt")]
    await watch.close()


async def test_what_stops_being_selected_is_deleted_and_what_begins_to_be_is_added():
    wire = Wire(await a_cluster_with_address())
    await make(wire, "one", colour="blue")
    version = await version_of(wire)
    blue, red = [await wire.open(f"{CONFIG_MAPS}?watch=true&resourceVersion={version}&labelSelector=colour%3D{colour}") for colour in ("blue", "red")]
    await wire.ask("PATCH", f"{CONFIG_MAPS}/one", {"metadata": {"labels": {"colour": "red"}}}, content_type="application/merge-patch+json")
    gone, come = await blue.line(), await red.line()
    assert told([gone, come]) == [("DELETED", "one"), ("ADDED", "one")]
    assert gone["object"]["metadata"]["labels"] == {"colour": "blue"}
    assert gone["object"]["metadata"]["resourceVersion"] == come["object"]["metadata"]["resourceVersion"]
    for watch in (blue, red):
        await watch.close()


async def test_a_watch_of_everything_and_one_of_a_namespace_and_one_of_a_name():
    wire = Wire(await a_cluster_with_address())
    version = await version_of(wire)
    query = f"watch=true&resourceVersion={version}"
    everything, other, named, old = [await wire.open(path) for path in (
        f"/api/v1/configmaps?{query}", f"/api/v1/namespaces/kube-system/configmaps?{query}", f"{CONFIG_MAPS}/two?{query}",
        f"/api/v1/watch/namespaces/default/configmaps?resourceVersion={version}")]
    await make(wire, "one", "two")
    assert told(await everything.lines(2)) == told(await old.lines(2)) == [("ADDED", "one"), ("ADDED", "two")]
    assert told(await named.lines(1)) == [("ADDED", "two")]
    assert await other.is_silent()
    for watch in (everything, other, named, old):
        await watch.close()


async def test_watches_come_as_tables_and_as_metadata_too():
    wire = Wire(await a_cluster_with_address())
    await wire.ask("POST", PODS, a_pod("web"))
    table, bare = await wire.open(f"{PODS}?watch=true", accept=TABLE), await wire.open(f"{PODS}?watch=true", accept=METADATA)
    first = (await table.line())["object"]
    assert first["kind"] == "Table" and first["columnDefinitions"][0]["name"] == "Name" and first["rows"][0]["cells"][:3] == ["web", "0/1", "Pending"]
    assert (await bare.line())["object"]["kind"] == "PartialObjectMetadata"
    await wire.ask("DELETE", f"{PODS}/web", {"gracePeriodSeconds": 0})
    later = (await table.line())["object"]
    assert later["columnDefinitions"] is None and later["metadata"]["resourceVersion"] and later["rows"][0]["object"]["kind"] == "PartialObjectMetadata"
    assert set((await bare.line())["object"]) == {"kind", "apiVersion", "metadata"}
    for watch in (table, bare):
        await watch.close()


async def test_the_first_row_of_a_table_that_comes_late_tells_the_age_of_then():
    pk = await a_cluster_with_address()
    wire = Wire(pk)
    watch = await wire.open(f"{CONFIG_MAPS}?watch=true&resourceVersion={await version_of(wire)}", accept=TABLE)
    await until(pk, seconds=600)
    await wire.ask("PATCH", f"{CONFIG_MAPS}/kube-root-ca.crt", {"data": {"a": "b"}}, content_type="application/merge-patch+json")
    table = (await watch.line())["object"]
    assert table["columnDefinitions"] and table["rows"][0]["cells"] == ["kube-root-ca.crt", 2, "11m"]
    await watch.close()


async def test_numbers_that_are_none_are_no_trouble():
    wire = Wire(await a_cluster_with_address())
    for query in ("timeoutSeconds=x", f"timeoutSeconds={'9' * 5000}", f"resourceVersion={'9' * 5000}&{INITIAL}", "timeoutSeconds=-1"):
        watch = await wire.open(f"{CONFIG_MAPS}?watch=true&{query}")
        assert watch.status == 200 and told(await watch.lines(1)) == [("ADDED", "kube-root-ca.crt")]
        await watch.close()


async def test_custom_resources_are_watched_with_the_columns_of_their_definition():
    pk = await a_cluster_with_address()
    wire = Wire(pk)
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
               "additionalPrinterColumns": [{"name": "Size", "type": "integer", "jsonPath": ".spec.size"}]}
    await wire.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "ships.sea.example"},
        "spec": {"group": "sea.example", "scope": "Namespaced", "names": {"plural": "ships", "kind": "Ship"}, "versions": [version]}})
    await until_settled(pk)
    ships = "/apis/sea.example/v1/namespaces/default/ships"
    watch = await wire.open(f"{ships}?watch=true", accept=TABLE)
    await wire.ask("POST", ships, {"apiVersion": "sea.example/v1", "kind": "Ship", "metadata": {"name": "argo"}, "spec": {"size": 3}})
    table = (await watch.line())["object"]
    assert [column["name"] for column in table["columnDefinitions"]] == ["Name", "Size"] and table["rows"][0]["cells"] == ["argo", 3]
    await watch.close()


async def test_nothing_is_missed_by_watches_that_open_while_much_happens():
    pk = await a_cluster_with_address()
    wire = Wire(pk)
    start = await version_of(wire, PODS)
    await wire.ask("POST", "/apis/apps/v1/namespaces/default/deployments", a_deployment(replicas=10))
    watches = []

    def a_while():
        with clusters.act(pk) as cluster:
            for _ in range(40):
                cluster.simulation.step()

    for _ in range(8):
        await in_thread(a_while)()
        watches.append(await wire.open(f"{PODS}?watch=true&resourceVersion={start}"))
    await until_settled(pk)
    await wire.ask("POST", PODS, a_pod("last"))
    stories = []
    for watch in watches:
        frames = [await watch.line()]
        while told(frames[-1:]) != [("ADDED", "last")]:
            frames.append(await watch.line())
        stories.append([(frame["type"], frame["object"]["metadata"]["resourceVersion"]) for frame in frames])
        await watch.close()
    assert len(stories[0]) > 50 and all(story == stories[0] for story in stories)
    assert all(int(one) < int(other) for (_, one), (_, other) in pairwise(stories[0]))


async def test_a_lost_announcement_is_made_up_for(quick, monkeypatch):                      # noqa: F811
    wire = Wire(await a_cluster_with_address())
    watch = await wire.open(f"{CONFIG_MAPS}?watch=true&resourceVersion={await version_of(wire)}")
    monkeypatch.setattr("lifecycle.announcing.announce", lambda row: None)
    await make(wire, "one")
    assert told(await watch.lines(1)) == [("ADDED", "one")]
    await watch.close()


async def test_bookmarks_come_to_who_allows_them(monkeypatch):
    monkeypatch.setattr(feeds, "BOOKMARKS", 0.05)
    wire = Wire(await a_cluster_with_address())
    version = await version_of(wire)
    one, other = [await wire.open(f"{CONFIG_MAPS}?watch=true&resourceVersion={version}{more}") for more in ("&allowWatchBookmarks=true", "")]
    mark = await one.line()
    assert mark == {"type": "BOOKMARK", "object": {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"resourceVersion": version}}}
    assert await other.is_silent()
    await wire.ask("POST", PODS, a_pod("web"))                                              # nothing of theirs, but time goes on
    while (mark := await one.line())["object"]["metadata"]["resourceVersion"] == version:
        assert mark["type"] == "BOOKMARK"
    assert int(mark["object"]["metadata"]["resourceVersion"]) > int(version)
    for watch in (one, other):
        await watch.close()


async def test_the_opening_of_a_watch_is_seen_as_a_message():
    pk = await a_cluster_with_address()
    before = len(await messages_of(pk))
    watch = await Wire(pk, agent="kubectl/v1.37.1").open(f"{PODS}?watch=true")
    assert (await messages_of(pk))[before:] == [("kubectl", "apiserver", "WatchPod"), ("apiserver", "kubectl", "Respond")]
    await watch.close()


# -- how they end ----------------------------------------------------------------------------------------------------------
async def test_a_watch_ends_when_its_time_is_over():
    wire = Wire(await a_cluster_with_address())
    watch = await wire.open(f"{PODS}?watch=true&timeoutSeconds=1")
    assert await watch.line() is None


async def test_a_version_that_was_forgotten_is_gone():
    pk = await a_cluster_with_address()
    wire = Wire(pk)
    await make(wire, *(f"cm-{number}" for number in range(40)))
    await in_thread(clusters.compact)(pk)
    compacted = (await Cluster.objects.aget(pk=pk)).compacted
    watch = await wire.open(f"{CONFIG_MAPS}?watch=true&resourceVersion=1")
    frame = await watch.line()
    assert watch.status == 200 and frame["type"] == "ERROR" and await watch.line() is None
    assert (frame["object"]["code"], frame["object"]["reason"]) == (410, "Expired")
    assert frame["object"]["message"] == f"too old resource version: 1 ({compacted})"


async def test_a_cluster_that_begins_anew_ends_its_watches():
    pk = await a_cluster_with_address()
    watch = await Wire(pk).open(f"{PODS}?watch=true")
    await in_thread(clusters.reset)(pk)
    assert (await watch.line())["object"]["code"] == 410 and await watch.line() is None
    again = await Wire(pk).open(f"{PODS}?watch=true")
    await Wire(pk).ask("POST", PODS, a_pod("web"))
    assert told([await again.line()]) == [("ADDED", "web")]
    await again.close()


async def test_a_cluster_that_is_deleted_ends_its_watches():
    pk = await a_cluster_with_address()
    watch = await Wire(pk).open(f"{PODS}?watch=true")
    await in_thread(clusters.delete)(pk)
    assert await watch.line() is None and (await Wire(pk).get(PODS)).status == 401


async def test_an_address_that_is_taken_back_ends_its_watches(quick):                       # noqa: F811
    pk = await a_cluster_with_address()
    watch = await Wire(pk).open(f"{PODS}?watch=true")
    await in_thread(Cluster.objects.filter(pk=pk).update)(api_secret="new")
    assert await watch.line() is None


async def test_a_watch_that_is_refused_is_answered_at_once():
    wire = Wire(await a_cluster_with_address())
    for path, code in ((f"{PODS}?watch=true&fieldSelector=spec.nonsense%3D1", 400), (f"{PODS}?watch=true&sendInitialEvents=true", 422),
                       ("/api/v1/nothings?watch=true", 404), (f"{PODS}?watch=true&resourceVersion=x", 400), ("/api/v1/componentstatuses?watch=true", 405)):
        refused = await wire.get(path)
        assert (refused.status, refused.json["code"]) == (code, code)
    assert (await wire.get(f"{PODS}?watch=true", impersonate_user="bob")).status == 403
    assert not serving.serving().feeds.feeds and not serving.serving().streams


async def test_a_client_that_does_not_read_is_cut_off_and_nobody_waits_for_it(monkeypatch):
    monkeypatch.setattr(application, "STALLED", 0.2)
    pk = await a_cluster_with_address()
    wire = Wire(pk)
    quick_one = await wire.open(f"{CONFIG_MAPS}?watch=true&resourceVersion={await version_of(wire)}")
    stalled = asyncio.Event()

    async def send(message):
        if message["type"] == "http.response.body" and message["body"]:
            stalled.set()
            await asyncio.sleep(3600)

    path = f"/clusters/{pk}/t/{wire.secret}{CONFIG_MAPS}"
    received = asyncio.Queue()
    received.put_nowait({"type": "http.request", "body": b""})
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"watch=true", "headers": []}
    slow = asyncio.create_task(served(scope, received.get, send))
    await stalled.wait()
    await make(wire, "one", "two")
    assert told(await quick_one.lines(2)) == [("ADDED", "one"), ("ADDED", "two")]
    await asyncio.wait_for(slow, 5)
    await quick_one.close()
    assert not serving.serving().streams


async def test_a_watch_that_lags_behind_ends_after_what_it_has(monkeypatch):
    monkeypatch.setattr(subscriptions, "MOST_WAITING", 3)
    end = subscriptions.Subscription(False)
    for revision in range(5):
        end.put(subscriptions.Bookmark(revision))
    assert [mark.revision for mark in await end.next()] == [0, 1, 2]
    end.put(subscriptions.Bookmark(5))                  # 3 and 4 would be missing
    assert await end.next() == [] and end.reason is None


# -- what they cost --------------------------------------------------------------------------------------------------------
async def test_an_idle_watch_asks_the_database_nothing_but_for_lost_announcements():
    pk = await a_cluster_with_address()
    watches = [await Wire(pk).open(f"{PODS}?watch=true") for _ in range(5)]
    await asyncio.sleep(0.1)
    here = serving.serving().feeds

    def asked():
        with CaptureQueriesContext(connections["default"]) as queries:
            feeds.standings([pk])
        return len(queries)

    assert await here.threads.run(asked) == 1 and len(here.feeds) == 1
    for watch in watches:
        await watch.close()
    assert not here.feeds and not serving.serving().streams


async def test_too_many_watches_of_a_cluster_are_refused(monkeypatch):
    monkeypatch.setattr(serving, "STREAMS", 1)
    pk = await a_cluster_with_address()
    watch = await Wire(pk).open(f"{PODS}?watch=true")
    assert (await Wire(pk).get(f"{PODS}?watch=true")).status == 429
    await watch.close()
    again = await Wire(pk).open(f"{PODS}?watch=true")
    assert again.status == 200
    await again.close()


# -- logs ------------------------------------------------------------------------------------------------------------------
async def test_a_log_is_followed_until_its_container_ends(quick):                           # noqa: F811
    pk = await a_cluster_with_address()
    wire = Wire(pk)
    await wire.ask("POST", PODS, a_pod("web", "busybox", container={"command": ["sh", "-c", "for i in 1 2 3; do echo line $i; sleep 10; done"]},
                                       restartPolicy="Never"))
    await until(pk, seconds=8)
    log = await wire.open(f"{PODS}/web/log?follow=true&tailLines=1")
    assert log.headers["content-type"] == "text/plain; charset=utf-8"
    assert await log.text("\n") == "line 1\n"
    before = len(await messages_of(pk))
    assert await log.is_silent()
    assert len(await messages_of(pk)) == before
    await until(pk, seconds=10)
    assert await log.text("2\n") == "line 2\n"
    await until(pk, seconds=60)
    assert await log.rest_of_it() == "line 3\n"
    assert (await wire.get(f"{PODS}/web/log?follow=true")).body.decode() == "line 1\nline 2\nline 3\n"
    assert (await wire.get(f"{PODS}/nope/log?follow=true")).status == 404
