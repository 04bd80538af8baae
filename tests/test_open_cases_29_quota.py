"""O29: a quota lets the Deployment in and keeps its Pods out."""
from functools import cache

import pytest

from lifecycle.simulation.objects import condition

from .stories import play
from .terminations import row

QUOTA = "kubectl create quota rq --hard=requests.cpu=1,pods=2"
APPLY, GET = "kubectl apply -f web.yaml", "kubectl get deployment web"
SMALL = "{requests: {cpu: 100m}}"
BACK_OFF = [0.005 * 2 ** times for times in range(11)]         # seconds before each retry


def deployment(resources="{}"):
    return f"""
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec:
  replicas: 3
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec: {{containers: [{{name: c, image: "demo:ok", resources: {resources}}}]}}
"""


POD = "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: c, image: demo}]}}"


@cache
def without_requests():
    return play(f"""
        @0s {QUOTA}
        @1s {APPLY}
        @10s {GET}
        @10s kubectl create -f pod.yaml
        @14s end
    """, {"web.yaml": deployment(), "pod.yaml": POD})


@cache
def two_of_three():
    return play(f"""
        @0s {QUOTA}
        @1s {APPLY}
        @9s {GET}
        @10s kubectl delete quota rq
        @30s {GET}
        @32s end
    """, {"web.yaml": deployment(SMALL)})


def refusals(story):
    """The events of refused creations, oldest first, with times."""
    return story.events(reason="FailedCreate")


def test_o29_the_deployment_is_accepted_and_gets_no_pods():
    story = without_requests()
    assert story.printed(APPLY) == "deployment.apps/web created\n"
    assert story.exit(APPLY) == 0
    assert story.end().list("pods") == []
    assert row(story, GET)[:4] == ["web", "0/3", "0", "0"]


def test_o29_the_replicaset_says_what_is_missing():
    name, = without_requests().end().names("replicasets.apps", "web-")
    for event in refusals(without_requests())[:9]:
        start, end = f'Error creating: pods "{name}-', '" is forbidden: failed quota: rq: must specify requests.cpu for: c'
        assert (event.type, event.about) == ("Warning", name)
        assert event.message.startswith(start)
        assert event.message.endswith(end)
        assert len(event.message) == len(start) + 5 + len(end)


def test_o29_both_owners_carry_the_condition():
    end = without_requests().end()
    for qualified in ("replicasets.apps", "deployments.apps"):
        failure = condition(end.list(qualified, "web")[0], "ReplicaFailure")
        assert (failure["status"], failure["reason"]) == ("True", "FailedCreate")
        assert failure["message"].endswith("is forbidden: failed quota: rq: must specify requests.cpu for: c")


def test_o29_retries_come_with_a_growing_delay_one_attempt_each():
    story = without_requests()
    tries = [step.at / 1000 for step in story.messages("CreatePod") if step.source == "controller-manager"]
    waits = [later - before for before, later in zip(tries, tries[1:])]
    grown = [wait for wait in waits if wait > 0.3]
    assert grown == [pytest.approx(wait, abs=0.05) for wait in BACK_OFF if wait > 0.3][:len(grown)]
    assert len(grown) >= 4


def test_o29_from_the_tenth_event_on_they_are_combined():
    events = refusals(without_requests())
    assert len(events) == 10
    assert [event.message.startswith("(combined from similar events): Error creating: ") for event in events] == [False] * 9 + [True]
    assert events[9].count >= 2


def test_o29_a_bare_pod_is_refused_to_its_author():
    story = without_requests()
    said = 'Error from server (Forbidden): error when creating "pod.yaml": pods "web" is forbidden: failed quota: rq: must specify requests.cpu for: c\n'
    assert story.printed("kubectl create -f pod.yaml") == said
    assert story.exit("kubectl create -f pod.yaml") == 1


def test_o29_as_many_pods_run_as_the_quota_allows():
    story = two_of_three()
    assert row(story, GET)[:4] == ["web", "2/3", "2", "2"]
    assert [one["status"]["phase"] for one in story.at(9).list("pods")] == ["Running"] * 2
    told = refusals(story)[0].message
    assert told.endswith("is forbidden: exceeded quota: rq, requested: pods=1, used: pods=2, limited: pods=2")


def test_o29_freed_quota_lets_the_next_retry_work():
    story = two_of_three()
    assert row(story, GET, 2)[:4] == ["web", "3/3", "3", "3"]
    third = max(state.at for state in story.states("deployments.apps", "web") if state.object["status"].get("readyReplicas") == 3)
    assert third > 11          # nobody woke the controller


def test_o29_a_pod_that_is_ending_still_counts():
    manifest = POD.replace("image: demo", 'image: "demo:ok", env: [{name: TERM_DELAY, value: "10"}], resources: ' + SMALL)
    other = manifest.replace("name: web", "name: other")
    story = play("""
        @0s kubectl create quota rq --hard=pods=1
        @1s kubectl create -f pod.yaml
        @5s kubectl delete pod web --wait=false
        @10s kubectl create -f other.yaml
        @30s kubectl create -f other.yaml
        @32s end
    """, {"pod.yaml": manifest, "other.yaml": other})
    create = "kubectl create -f other.yaml"
    refused = "exceeded quota: rq, requested: pods=1, used: pods=1, limited: pods=1"
    assert story.printed(create) == f'Error from server (Forbidden): error when creating "other.yaml": pods "other" is forbidden: {refused}\n'
    assert story.printed(create, 2) == "pod/other created\n"


def test_o29_a_refused_first_pod_stops_the_batch():
    story = without_requests()
    first = min(step.at for step in story.messages("CreatePod"))
    assert len([step for step in story.messages("CreatePod") if step.at == first]) == 1
    assert len({event.at for event in refusals(story)}) == len(refusals(story))
