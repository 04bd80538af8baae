"""Faults from the live page and from the panel of instructors: the same words as in scripts."""
import pytest
from django.urls import reverse

from lifecycle import clusters, looking_back, sessions
from lifecycle.faults import fault_view
from lifecycle.models import Node, Pod
from lifecycle.simulation.faults import FAULTS
from lifecycle.simulation.faults.fault import match

from .cast import an_account
from .test_admin import act, told
from .test_admin import panel as panel  # noqa: PLC0414 - a fixture

pytestmark = pytest.mark.django_db


@pytest.fixture
def web():
    """A learner's cluster with a Deployment of two Pods that run."""
    row = clusters.create("web", 2, owner=an_account("ben"), seed=1)
    clusters.command(row.pk, "kubectl create deployment web --image=nginx --replicas=2")
    go_on(row)
    return row


def go_on(cluster, seconds=20):
    with clusters.act(cluster.pk) as opened:
        opened.simulation.run_until(opened.simulation.clock.now + seconds * 1000)


def shown(cluster, **chosen):
    return fault_view(cluster.pk, looking_back.snapshot(cluster.pk).objects, **chosen)


def buttons(view):
    return {words: row for rows in (view["broken"], *(group.rows for group in view["groups"])) for row in rows for words, _label in row.buttons}


def is_known(words):
    return words.startswith("kubectl ") or any(match(fault, words.split()) is not None for fault in FAULTS)


def a_pod_of(cluster):
    pod = Pod.objects.filter(cluster=cluster, namespace="default")[0]
    return pod, pod.manifest["spec"]["containers"][0]["name"]


def test_every_button_says_words_that_the_simulation_knows(web):
    pod, _container = a_pod_of(web)
    view = shown(web, node="n2", pod=pod.name)
    assert [words for words in buttons(view) if not is_known(words)] == []
    said = {fault.words for fault in FAULTS if any(match(fault, words.split()) is not None for words in buttons(view))}
    assert {"node NODE partition", "node NODE pid-pressure on", "container CONTAINER crash", "csi attach stuck", "etcd down", "clock DURATION"} <= said


@pytest.mark.parametrize("words, mend, name, state", [
    ("node n1 partition", "node n1 heal", "n1", "cut off"),
    ("node n1 cni exhausted", "node n1 cni mend", "n1", "no network for new Pods"),
    ("node n1 clock 5m", "node n1 clock mend", "n1", "wrong clock"),
    ("node n1 pid-pressure on", "node n1 pid-pressure off", "n1", "process ids taken"),
    ("node n1 down", "node n1 up", "n1", "down"),
    ("component scheduler slow", "component scheduler mend", "Scheduler", "slow"),
    ("component deployment stop", "component deployment start", "deployment", "stopped"),
    ("image nginx:1.27 denied", "image docker.io/library/nginx:1.27 mend", "docker.io/library/nginx:1.27", "access denied"),
    ("registry quay.io unreachable", "registry quay.io mend", "quay.io", "unreachable"),
    ("csi attach stuck", "csi attach mend", "Attaching volumes", "stuck"),
    ("etcd read-only", "etcd mend", "etcd", "full: read only"),
])
def test_what_is_broken_is_shown_with_a_button_that_mends_it(web, words, mend, name, state):
    assert shown(web)["broken"] == []
    clusters.fault(web.pk, words)
    [row] = shown(web)["broken"]
    assert (row.name, row.state, row.buttons[0][0]) == (name, state, mend)
    clusters.fault(web.pk, mend)
    assert shown(web)["broken"] == []


def test_a_container_that_hangs_is_shown_until_it_goes_on(web):
    pod, container = a_pod_of(web)
    words = f"container default/{pod.name}/{container}"
    clusters.fault(web.pk, f"{words} hang")
    view = shown(web, pod=pod.name)
    assert [(row.name, row.state) for row in view["broken"]] == [(f"default/{pod.name}/{container}", "hangs")]
    assert f"{words} resume" in buttons(view) and f"{words} hang" not in buttons(view)


def test_of_fifty_pods_only_the_chosen_one_has_buttons(web):
    clusters.command(web.pk, "kubectl scale deployment web --replicas=50")
    go_on(web)
    view = shown(web)
    assert len(view["pods"]) >= 50
    assert not [words for words in buttons(view) if words.startswith("container ")]
    chosen = shown(web, pod=view["pods"][20])
    assert {words.split()[1].split("/")[1] for words in buttons(chosen) if words.startswith("container ")} <= {view["pods"][20]}


def test_the_choice_stays_after_a_fault(panel, web):
    pod, container = a_pod_of(web)
    answer = panel.post(reverse("fault", args=[web.pk]), {"words": f"container {pod.name} crash", "node": "n2", "pod": pod.name})
    page = answer.content.decode()
    assert f'value="{pod.name}" list="fault-pods"' in page and "<option selected>n2</option>" in page


def test_real_time_goes_on_from_where_the_clock_has_jumped_to(web):
    clusters.set_pace(web.pk, "real", 1)
    clusters.fault(web.pk, "clock 1h")
    web.refresh_from_db()
    assert web.now >= 3_600_000
    assert web.anchor_virtual == web.now


def test_faults_outlive_the_process_that_knew_of_them(web):
    clusters.command(web.pk, "kubectl scale deployment web --replicas=3")
    for words in ("etcd read-only", "node n1 partition"):
        clusters.fault(web.pk, words)
    for _ in range(3):
        sessions.forget(web.pk)
        go_on(web, 10)
    assert running(web) == 2
    for words in ("etcd mend", "node n1 heal"):
        clusters.fault(web.pk, words)
        sessions.forget(web.pk)
        go_on(web, 40)
    assert running(web) == 3
    assert shown(web)["broken"] == []


def running(cluster):
    return Pod.objects.filter(cluster=cluster, namespace="default", phase="Running").count()


# -- the panel of instructors --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name, more, words", [
    ("reboot", {}, "node n1 reboot"), ("shutdown", {}, "node n1 shutdown"), ("partition", {}, "node n1 partition"),
    ("break_node", {"sure": 1, "fault": "disk-pressure on"}, "node n1 disk-pressure on"),
])
def test_instructors_break_nodes(panel, web, name, more, words):
    assert "done (1)" in told(act(panel, name, Node.objects.get(cluster=web, name="n1"), **more))[0]
    assert words in said(web)


@pytest.mark.parametrize("name, more, words", [
    ("slow_component", {"component": "scheduler", "factor": 50}, "component scheduler slow 50"),
    ("mend_component", {"component": "scheduler"}, "component scheduler mend"),
    ("expire_watch", {"component": "deployment"}, "component deployment watch expire"),
    ("break_cluster", {"fault": "etcd read-only"}, "etcd read-only"),
    ("any_fault", {"words": "image nginx:1.27 missing"}, "image nginx:1.27 missing"),
])
def test_instructors_break_clusters(panel, web, name, more, words):
    assert "done (1)" in told(act(panel, name, web, sure=1, **more))[0]
    assert words in said(web)


def test_instructors_crash_pods_and_read_why_one_cannot_crash(panel, web):
    pod, container = a_pod_of(web)
    assert "done (1)" in told(act(panel, "crash", pod))[0]
    assert f"container default/{pod.name}/{container} crash" in said(web)
    assert told(act(panel, "any_fault", web, sure=1, words="container nobody crash"))[0].endswith('there is no Pod "default/nobody" on a node')


def said(cluster):
    """The words of the faults in the cluster's log."""
    return [step.facts["words"] for step in looking_back.messages(cluster.pk, 0, 10 ** 9, 10 ** 6) if step.source == "user" and "words" in step.facts]
