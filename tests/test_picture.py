"""The pictures of a cluster are made of what was stored and said, and of nothing else."""
import pytest
from django.utils.translation import override

from lifecycle.picture import control_plane, progress, store, timeline
from lifecycle.picture.difference import difference
from lifecycle.picture.explanation import explanation, writing_step
from lifecycle.picture.messages import owner_of, rows
from lifecycle.picture.nodes import nodes_view, slug
from lifecycle.picture.pods import pod_view

from .builders import a_cluster, a_deployment, a_pod, create


@pytest.fixture(scope="module")
def rollout():
    """A cluster on which a Deployment of three nginx Pods has become ready."""
    cluster = a_cluster()
    create(cluster, a_deployment("web", 3, "nginx:1.27", template={}))
    cluster.run_until(20_000)
    return cluster


def objects(cluster):
    return dict(cluster.etcd.objects())


def step(cluster, reason, **wanted):
    return next(each for each in cluster.log.steps if each.reason == reason and all(getattr(each, name) == value for name, value in wanted.items()))


# -- messages --------------------------------------------------------------------------------------------------------------
def test_every_message_is_a_row_between_its_two_lanes(rollout):
    made = rows(rollout.log.steps)
    assert [row.seq for row in made] == [step.seq for step in rollout.log.steps]
    binding = next(row for row in made if row.title.startswith("Bind Pod"))
    # It should point from the scheduler (lane 6) to the left, to the API server (lane 3).
    assert (binding.direction, binding.first, binding.last, binding.span, binding.style, binding.seeds) == ("left", 3, 7, 3, "request", ["C11"])


def test_watch_events_answers_and_inner_work_are_drawn_differently(rollout):
    styles = {row.reason: row.style for row in rows(rollout.log.steps)}
    assert {styles["WatchAdded"], styles["FilterNodes"], styles["EtcdCreate"]} == {"watch", "work", "request"}


def test_a_long_silence_is_a_gap_that_says_how_long(rollout):
    pulled = next(row for row in rows(rollout.log.steps) if row.reason == "ImagePulled")
    assert pulled.gap == "2.9 s"
    with override("zh-hans"):
        assert next(row for row in rows(rollout.log.steps) if row.reason == "ImagePulled").title.startswith("镜像 nginx:1.27")


def test_the_first_row_of_a_window_knows_the_silence_before_it(rollout):
    steps = rollout.log.steps[:1]
    assert rows(steps, steps[0].at - 75_000)[0].gap == "1 min 15 s"
    assert rows(steps)[0].gap == ""


def test_pods_of_one_template_share_an_owner():
    assert owner_of("web-7d876db474-br5bq") == owner_of("web-7d876db474-fmc62") == "web-7d876db474"
    assert owner_of("db-0") == "db"
    assert owner_of("hello") == "hello"


# -- explanations ----------------------------------------------------------------------------------------------------------
def test_a_request_finds_what_it_stored_and_its_answer(rollout):
    request = step(rollout, "CreatePodBinding")
    following = [each for each in rollout.log.steps if each.seq > request.seq][:8]
    writing = writing_step(request, following)
    assert (writing.target, writing.facts["for"]) == ("etcd", "CreatePodBinding")
    pod = rollout.etcd.get(writing.object)
    unbound = {**pod, "spec": {name: value for name, value in pod["spec"].items() if name != "nodeName"}}
    found = explanation(request, following, (writing, unbound, pod))
    assert [line.text.strip() for line in found["difference"] if line.sign == "+"] == [f"nodeName: {pod['spec']['nodeName']}"]
    assert (found["answer"].code, found["changed"]) == (201, "+1")


def test_a_refused_request_shows_the_refusal(cluster):
    cluster.kubectl("kubectl get pod nobody")
    cluster.run_until(1000)
    answer = explanation(step(cluster, "GetPod"))["answer"]
    assert (answer.code, answer.failed, answer.words) == (404, True, 'Not Found: pods "nobody" not found')


def test_a_difference_says_where_its_lines_belong():
    before = {"kind": "Pod", "metadata": {"name": "web", "labels": {"a": "1", "b": "2", "c": "3", "d": "4"}}, "spec": {"x": 1}}
    after = {**before, "metadata": {"name": "web", "labels": {"a": "1", "b": "2", "c": "3", "d": "5"}}}
    lines = [(line.sign, line.text.strip()) for line in difference(before, after)]
    assert ("-", 'd: "4"') in lines and ("+", 'd: "5"') in lines
    # It should name the parents that the change is in, although they are further away than the context.
    assert lines.index((" ", "metadata:")) < lines.index((" ", "labels:")) < lines.index(("-", 'd: "4"'))


def test_a_new_object_is_all_new_and_a_removed_one_all_gone():
    thing = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}
    assert {line.sign for line in difference(None, thing)} == {"+"}
    assert {line.sign for line in difference(thing, None)} == {"-"}


# -- the cluster -----------------------------------------------------------------------------------------------------------
def test_pods_stand_on_their_nodes_with_the_status_that_kubectl_prints(rollout):
    view = nodes_view(objects(rollout))
    assert [node.name for node in view.nodes] == ["n1", "n2", "n3"]
    pods = [pod for node in view.nodes for pod in node.pods]
    assert {(pod.status, pod.ready, pod.tone, pod.sandbox) for pod in pods} == {("Running", "1/1", "good", True)}
    assert all(pod.ip.startswith("10.244.") for pod in pods) and view.homeless == []


def test_a_pod_that_fits_nowhere_is_on_no_node(cluster):
    create(cluster, a_pod("big", container={"resources": {"requests": {"cpu": "16"}}}))
    cluster.run_until(2000)
    assert [(pod.name, pod.status, pod.tone) for pod in nodes_view(objects(cluster)).homeless] == [("big", "Pending", "wait")]


def test_bars_show_what_was_requested(cluster):
    create(cluster, a_pod("half", container={"resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}))
    cluster.run_until(5000)
    node = next(node for node in nodes_view(objects(cluster)).nodes if node.pods)
    assert (node.cpu.used, node.cpu.total, node.cpu.share, node.memory.used, node.memory.share) == ("1000m", "2000m", 0.5, "1024Mi", 0.25)


def test_a_crowded_node_is_cut_and_counted():
    pods = {f"/registry/pods/default/p{number}": {**a_pod(f"p{number}", nodeName="n1"), "status": {"phase": "Running"}} for number in range(50)}
    node = {"/registry/minions/n1": {"metadata": {"name": "n1"}, "spec": {}, "status": {}}}
    view = nodes_view({**node, **pods})
    assert (len(view.nodes[0].pods), view.nodes[0].more) == (40, 10)


def test_only_the_nodes_asked_for_are_drawn(rollout):
    assert [node.name for node in nodes_view(objects(rollout), {"n2", ""}).nodes] == ["n2"]


def test_a_node_name_becomes_part_of_an_id():
    assert slug("n1.example.com") == "n1_example_com"


def test_containers_say_why_they_wait(cluster):
    create(cluster, a_pod("lost", "nginx:missing"))
    cluster.run_until(10_000)
    key = "/registry/pods/default/lost"
    pod = pod_view(key, cluster.etcd.get(key))
    assert pod.status in ("ErrImagePull", "ImagePullBackOff") and pod.tone == "bad" and pod.containers[0].tone == "bad"


# -- control plane ---------------------------------------------------------------------------------------------------------
def test_boxes_count_what_waits_and_say_what_is_stopped():
    waiting = [["deployment", "default/web", 5, 1], ["deployment", "default/db", 5, 2], ["scheduler", "x", 1, 3]]
    found = {box.actor: box for box in control_plane.boxes(waiting, {"scheduler"})}
    assert (found["controller-manager"].waiting, found["scheduler"].stopped, found["etcd"].waiting) == (2, True, 0)
    assert [part.waiting for part in found["controller-manager"].parts if part.name == "deployment"] == [2]


def test_the_schedulers_table_is_that_of_the_last_pod(rollout):
    last = [each for each in rollout.log.steps if each.reason == "FilterNodes"][-1]
    table = control_plane.placement(rollout.log.steps)
    assert table.pod == last.facts["pod"] and "NodeResourcesFit" in table.plugins
    assert [node for node, *_, chosen in table.nodes if chosen] == [rollout.etcd.get(last.object)["spec"]["nodeName"]]
    assert control_plane.placement([]) is None


def test_the_table_says_why_nodes_are_excluded(cluster):
    create(cluster, a_pod("big", container={"resources": {"requests": {"cpu": "16"}}}))
    cluster.run_until(2000)
    assert {why for _, why, *_ in control_plane.placement(cluster.log.steps).nodes} == {"Insufficient cpu"}


# -- store -----------------------------------------------------------------------------------------------------------------
def test_the_keys_that_changed_last_come_first(rollout):
    revisions = [key.revision for key in store.keys(objects(rollout))]
    assert revisions == sorted(revisions, reverse=True) and revisions[0] == rollout.etcd.revision


def test_events_are_in_the_order_of_time(rollout):
    found = store.events(objects(rollout))
    assert [event.reason for event in found[-3:]] == ["Started"] * 3
    assert any(event.about == "Deployment/web" and event.reason == "ScalingReplicaSet" for event in found)


def test_the_clusters_own_objects_are_left_out(rollout):
    assert [kind for kind, _ in store.grouped(objects(rollout))] == ["Deployment", "ReplicaSet", "Pod", "Node"]
    assert "ClusterRole" in [kind for kind, _ in store.grouped(objects(rollout), everything=True)]


def test_yaml_begins_as_kubectl_writes_it(rollout):
    text = store.manifest_text(rollout.etcd.get("/registry/deployments/default/web"))
    assert text.startswith("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n") and "managedFields" not in text


# -- time ------------------------------------------------------------------------------------------------------------------
def test_the_timeline_shows_each_state_of_each_pod(rollout):
    changes = [(change.key, change.at, change.type, change.object) for change in rollout.etcd.since(0, "/registry/pods/")]
    chart = timeline.chart(changes, rollout.clock.now)
    assert len(chart.lines) == 3
    assert [segment.status for segment in chart.lines[0].segments] == ["Pending", "ContainerCreating", "Running"]
    ends = [segment.x + segment.width for segment in chart.lines[0].segments]
    assert ends == sorted(ends) and max(ends) <= chart.width + 2


def test_a_removed_pods_line_ends():
    pod = {**a_pod(), "metadata": {"name": "web", "namespace": "default", "uid": "u"}, "status": {"phase": "Running"}}
    key = "/registry/pods/default/web"
    chart = timeline.chart([(key, 0, "ADDED", pod), (key, 1000, "DELETED", pod)], 4000)
    assert [segment.words for segment in chart.lines[0].segments] == ["NotReady for 1.0 s"]


def test_pulls_and_rollouts_say_how_far_they_are():
    cluster = a_cluster()
    create(cluster, a_deployment("web", 1, "nginx:1.27"))
    cluster.run_until(1500)
    (pull,) = progress.pulls(cluster.log.steps, cluster.clock.now)
    assert not pull.done and 0.2 < pull.share < 0.9 and pull.words.startswith("pulling for")
    assert progress.rollouts(objects(cluster))[0].words == "0 of 1 updated replicas are available"
    cluster.run_until(20_000)
    (pull,) = progress.pulls(cluster.log.steps, cluster.clock.now)
    assert pull.done and pull.words == "73.0 MB in 3.0 s"
    assert progress.rollouts(objects(cluster))[0].done
