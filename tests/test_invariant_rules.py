"""Every rule of tests/invariants notices a run that breaks it: a true run, in which one thing was changed."""
import json
from functools import lru_cache

import pytest

from lifecycle.simulation.objects import removed, replaced

from .builders import a_deployment, a_pod, a_service
from .invariants import RULES, broken
from .random_runs import Player
from .random_scripts import Act, Script

CLAIM = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data"},
         "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}
BUDGET = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "web"},
          "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "web"}}}}
BARE = a_pod("bare", initContainers=[{"name": name, "image": "busybox", "command": ["sleep", "2"]} for name in ("first", "second")],
             volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}], terminationGracePeriodSeconds=5)
CRASH = a_pod("crash", "busybox", container={"command": ["sh", "-c", "sleep 2; exit 1"]})
STORY = (
    (0, "apply", CLAIM), (0, "apply", BARE), (0, "apply", CRASH), (0, "apply", a_deployment("web", 3)), (0, "apply", a_service("web")),
    (0, "apply", BUDGET), (0, "apply", a_deployment("api", 2)), (40, "set image deployment/web app=demo:next", None),
    (40, "delete deployment api --cascade=foreground", None), (20, "delete pod bare", None), (40, "delete pvc data", None),
    (20, "delete deployment web --wait=false", None), (2, "delete pod crash --wait=false", None))
TEMPLATE = {"metadata": {"labels": {"app": "db"}}, "spec": a_pod()["spec"]}
SETS = tuple((0, "apply", {"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec}) for version, kind, name, spec in (
    ("apps/v1", "StatefulSet", "db", {"serviceName": "db", "replicas": 2, "selector": {"matchLabels": {"app": "db"}}, "template": TEMPLATE}),
    ("apps/v1", "DaemonSet", "agent", {"selector": {"matchLabels": {"app": "db"}}, "template": TEMPLATE}),
    ("batch/v1", "Job", "once", {"parallelism": 2, "template": {"spec": {**a_pod()["spec"], "restartPolicy": "Never"}}})))


STORIES = {"life and death": STORY, "everything is there": STORY[:6], "sets": SETS}


@lru_cache(None)
def a_run(name="life and death"):
    player = Player(Script(1, 3, []))
    for delay, words, manifest in STORIES[name]:
        words, text = ("apply -f MANIFEST", json.dumps(manifest)) if manifest else (words, "")
        player.act(Act(delay, f"kubectl {words}", 0, text))
    player.run_until(player.cluster.clock.now + 60_000)
    return player.run()


@pytest.mark.parametrize("name", STORIES)
def test_a_true_run_breaks_no_rule(name):
    assert broken(a_run(name)) == []


# -- one thing is changed ------------------------------------------------------------------------------------------------------
def with_step(run, chosen, **fields):
    """The run with other fields in the last message that `chosen` likes."""
    place = max(place for place, step in enumerate(run.steps) if chosen(step))
    return run._replace(steps=[*run.steps[:place], run.steps[place]._replace(**fields), *run.steps[place + 1:]])


def without_step(run, chosen):
    place = max(place for place, step in enumerate(run.steps) if chosen(step))
    return run._replace(steps=run.steps[:place] + run.steps[place + 1:])


def with_object(run, chosen, change, which=max):
    """The run in which the last (or, with `min`, the first) stored object that `chosen` likes was stored otherwise."""
    place = which(place for place, stored in enumerate(run.changes) if stored.type != "DELETED" and chosen(stored.object))
    stored = run.changes[place]
    return run._replace(changes=[*run.changes[:place], stored._replace(object=change(stored.object)), *run.changes[place + 1:]])


def with_all_objects(run, chosen, change):
    return run._replace(changes=[one._replace(object=change(one.object)) if chosen(one.object) else one for one in run.changes])


def said(reason, **facts):
    return lambda step: step.reason == reason and all(step.facts.get(name) == value for name, value in facts.items())


def stored(kind, name="", ready=None):
    """A predicate on objects; `ready` asks for Pods with that Ready condition."""
    def likes(thing):
        conditions = {one["type"]: one["status"] for one in thing.get("status", {}).get("conditions", ())} if ready else {}
        return thing["kind"] == kind and name in thing["metadata"]["name"] and (ready is None or conditions.get("Ready") == ready)
    return likes


def to(value, *path):
    return lambda thing: replaced(thing, value, *path)


def without(*path):
    return lambda thing: removed(thing, *path)


def is_living(pod):
    return "deletionTimestamp" not in pod["metadata"]


def without_removals(run, what):
    """The run in which objects with such keys were never removed."""
    return run._replace(changes=[one for one in run.changes if one.type != "DELETED" or what not in one.key])


def not_started(pod):
    return replaced(pod, [{**status, "started": False, "ready": True} for status in pod["status"]["containerStatuses"]], "status", "containerStatuses")


def restarted(pod):
    return replaced(pod, [{**status, "restartCount": 9} for status in pod["status"]["containerStatuses"]], "status", "containerStatuses")


def both_init(pod):
    statuses = [{**status, "state": {"running": {}}} for status in pod["status"]["initContainerStatuses"]]
    return replaced(pod, statuses, "status", "initContainerStatuses")


def ready_endpoints(piece):
    return replaced(piece, [{**endpoint, "conditions": {"ready": True, "serving": True, "terminating": False}} for endpoint in piece["endpoints"]], "endpoints")


BREAKS = {
    "only_the_api_server_speaks_to_etcd": lambda run: with_step(run, said("EtcdUpdate"), source="kubelet"),
    "components_meet_in_the_api_only": lambda run: with_step(run, said("CreatePodBinding"), target="kubelet"),
    "every_change_has_a_request_before_it_and_watch_events_after_it": lambda run: without_step(run, said("CreatePod")),
    "identities_last": lambda run: with_object(run, stored("Pod", "web"), to("n9", "spec", "nodeName")),
    "nothing_happens_to_a_pod_without_a_node": lambda run: with_object(run, stored("Pod", "bare"), without("spec", "nodeName")),
    "a_node_works_in_the_right_order": lambda run: without_step(run, said("RunPodSandbox", pod="bare")),
    "an_address_comes_with_the_sandbox": lambda run: without_step(run, said("CNIAdd")),
    "init_containers_go_first_and_one_by_one": lambda run: with_object(run, stored("Pod", "bare"), both_init),
    "ready_is_earned": lambda run: with_object(run, stored("Pod", "web", ready="True"), not_started),
    "an_end_is_an_end": lambda run: with_object(run, stored("Pod", "web"), to("Terminating", "status", "phase")),
    "what_is_being_deleted_stays_so": lambda run: with_object(run, stored("Pod", "web"), without("metadata", "deletionTimestamp")),
    "finalizers_hold_an_object": lambda run: with_object(run, stored("Pod", "web"), to(["example.com/hold"], "metadata", "finalizers")),
    "a_pod_that_has_time_is_given_back_by_its_kubelet": lambda run: with_step(run, said("DeletePod", node="n1"), source="scheduler"),
    "a_name_is_given_away_again_only_when_it_is_free": lambda run: run._replace(
        changes=[*run.changes, next(one for one in run.changes if one.type == "ADDED" and "/services/specs/" in one.key)]),
    "a_replica_set_counts_active_pods_only": lambda run: with_step(run, said("ReconcileReplicaSet"), facts={"have": 7, "wanted": 1, "create": 1, "delete": 0}),
    "replica_sets_have_what_they_want": lambda run: with_object(a_run("everything is there"), stored("ReplicaSet", "web"), to(5, "spec", "replicas")),
    "a_rolling_update_keeps_between_its_fenceposts": lambda run: with_object(run, stored("ReplicaSet", "web-"), to(50, "spec", "replicas"), min),
    "owners_and_dependents_vanish_in_the_order_that_was_asked_for": lambda run: without_removals(run, "/replicasets/default/api"),
    "nothing_outlives_its_owners": lambda run: run._replace(
        changes=[one for one in run.changes if "/pods/default/web" not in one.key or one.type == "ADDED"]),
    "what_is_to_go_has_gone": lambda run: with_object(
        a_run("everything is there"), stored("Pod", "bare"), to("2025-12-31T00:00:00Z", "metadata", "deletionTimestamp")),
    "pods_stay_until_they_are_deleted_and_do_not_come_back": lambda run: with_object(
        run, stored("Pod", "web"), without("metadata", "ownerReferences"), min),
    "restarts_are_counted_and_change_nothing_else": lambda run: with_object(
        run, lambda thing: stored("Pod", "crash")(thing) and is_living(thing), restarted),
    "terminating_endpoints_are_not_ready": lambda run: with_object(
        run, lambda thing: stored("EndpointSlice")(thing) and thing.get("endpoints"), ready_endpoints),
    "services_lead_to_the_pods_that_are_ready": lambda run: with_object(a_run("everything is there"), stored("EndpointSlice"), to([], "endpoints")),
    "a_claim_in_use_stays": lambda run: without_removals(run, "/pods/default/bare"),
    "pods_go_where_they_may_go": lambda run: with_step(run, said("CreatePodBinding"), facts={"node": "n9"}),
    "pods_that_fit_somewhere_are_there": lambda run: with_object(a_run("everything is there"), stored("Pod", "web"), without("spec", "nodeName")),
    "a_stateful_set_goes_one_by_one": lambda run: with_all_objects(a_run("sets"), stored("Pod", "db-0"), without("status")),
    "a_daemon_set_has_one_pod_on_a_node": lambda run: with_all_objects(a_run("sets"), stored("Pod", "agent"), without("spec", "affinity")),
    "a_job_makes_as_many_pods_as_may_run": lambda run: with_all_objects(a_run("sets"), stored("Job", "once"), to(1, "spec", "parallelism")),
    "budgets_count_right": lambda run: with_object(a_run("everything is there"), stored("PodDisruptionBudget"), to(9, "status", "currentHealthy")),
    "events_tell_what_was_done_in_the_order_in_which_it_was_done": lambda run: without_step(run, said("StartContainer", pod="bare")),
    "kubectl_says_deleted_when_the_server_has_answered": lambda run: with_step(run, lambda step: "deleted" in step.facts.get("output", ""), at=1),
    "a_delete_that_waits_ends_when_the_object_is_gone": lambda run: without_removals(run, "/pods/"),
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_rule_notices_what_breaks_it(rule):
    assert list(rule(BREAKS[rule.__name__](a_run())))
