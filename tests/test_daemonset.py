"""DaemonSets: a Pod on every node that is fit for it."""
from functools import cache

from lifecycle.simulation.objects import controller_of, is_ready

from .stories import play


def daemon_set(image="demo:v1", spec="", pod=""):
    return f"""
apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: agent}}
spec:
  {spec}
  selector: {{matchLabels: {{app: agent}}}}
  template:
    metadata: {{labels: {{app: agent}}}}
    spec:
      {pod}
      containers: [{{name: app, image: "{image}"}}]
"""


def told(script, nodes=3, **kwargs):
    return play(f"@0s kubectl apply -f agent.yaml\n{script}", {"agent.yaml": daemon_set(**kwargs)}, nodes=nodes)


def placed(moment):
    return sorted(pod["spec"].get("nodeName", "") for pod in moment.list("pods", "agent-"))


def images(moment):
    return sorted(pod["spec"]["containers"][0]["image"] for pod in moment.list("pods", "agent-"))


@cache
def updated():
    return told("@20s kubectl set image ds/agent app=demo:v2\n@20s kubectl rollout status ds/agent\n@60s kubectl rollout undo ds/agent\n@100s end")


def test_every_node_gets_a_pod_and_a_new_one_too():
    story = told("@20s end").join("n4").go_on("@40s end")
    assert (placed(story.at(19)), placed(story.end())) == (["n1", "n2", "n3"], ["n1", "n2", "n3", "n4"])


def test_a_revision_and_its_pods_are_named_as_a_real_cluster_names_them():
    # The same template in a recording of v1.36.2 was called agent-7669988ff8.
    story = updated()
    assert "agent-7669988ff8" in story.end().names("controllerrevisions.apps")
    labels = story.at(19).list("pods")[0]["metadata"]["labels"]
    assert labels == {"app": "agent", "controller-revision-hash": "7669988ff8", "pod-template-generation": "1"}


def test_the_template_generation_counts_up_with_the_template_only():
    story = told("@20s kubectl set image ds/agent app=demo:v2\n@50s kubectl annotate ds agent a=b\n@60s end")
    assert story.end().get("daemonsets.apps", "agent")["metadata"]["annotations"]["deprecated.daemonset.template.generation"] == "2"


def test_an_update_replaces_one_pod_after_the_other():
    story = updated()
    assert images(story.at(59)) == ["demo:v2"] * 3
    assert min(sum(is_ready(pod) for pod in pods) for at, pods in story.history("pods", "agent-", since=20) if at < 60) == 2
    assert 'daemon set "agent" successfully rolled out' in story.printed("kubectl rollout status ds/agent")


def test_going_back_gives_the_old_revision_a_new_number():
    revisions = {each["metadata"]["name"]: each["revision"] for each in updated().end().list("controllerrevisions.apps")}
    assert images(updated().end()) == ["demo:v1"] * 3
    assert revisions["agent-7669988ff8"] == 3 and len(revisions) == 2


def test_a_surge_brings_the_new_pod_before_the_old_one_goes():
    story = told("@20s kubectl set image ds/agent app=demo:v2\n@80s end", spec="updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}")
    ready = [sum(is_ready(pod) and "deletionTimestamp" not in pod["metadata"] for pod in pods) for at, pods in story.history("pods", "agent-", since=20)]
    assert min(ready) == 3 and max(ready) == 4
    assert images(story.end()) == ["demo:v2"] * 3


def test_more_nodes_may_be_without_at_once_if_it_says_so():
    story = told("@20s kubectl set image ds/agent app=demo:v2\n@80s end", nodes=4, spec="updateStrategy: {rollingUpdate: {maxUnavailable: 50%}}")
    assert min(sum(is_ready(pod) for pod in pods) for _, pods in story.history("pods", "agent-", since=20)) == 2
    assert images(story.end()) == ["demo:v2"] * 4


def test_on_delete_updates_a_pod_only_when_someone_deletes_it():
    story = told("@20s kubectl set image ds/agent app=demo:v2\n@40s kubectl delete pod -l app=agent --field-selector spec.nodeName=n2\n@60s end",
                 spec="updateStrategy: {type: OnDelete}")
    assert images(story.at(39)) == ["demo:v1"] * 3
    assert images(story.end()) == ["demo:v1", "demo:v1", "demo:v2"]


def test_labels_of_nodes_decide_where_pods_are():
    story = told("@10s kubectl label node n2 disk=ssd\n@30s kubectl label node n2 disk-\n@50s end", pod="nodeSelector: {disk: ssd}")
    assert [placed(story.at(at)) for at in (9, 29, 50)] == [[], ["n2"], []]


def test_affinity_of_the_template_chooses_nodes_and_is_then_replaced_by_the_name_of_the_node():
    affinity = """affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
        {matchExpressions: [{key: kubernetes.io/hostname, operator: NotIn, values: [n1]}]}]}}}"""
    story = told("@20s end", pod=affinity)
    assert placed(story.end()) == ["n2", "n3"]


def test_a_pod_that_does_not_fit_stays_pending_on_its_node_only():
    story = told("@20s end", pod='initContainers: [{name: i, image: "demo:ok", resources: {requests: {cpu: "64"}}}]')
    pods = story.end().list("pods", "agent-")
    assert len(pods) == 3 and {pod["status"]["phase"] for pod in pods} == {"Pending"}
    assert story.end().get("daemonsets.apps", "agent")["status"]["numberUnavailable"] == 3


def test_a_failed_daemon_pod_is_deleted_and_made_anew():
    story = told("@10s end", nodes=1)
    name, = story.end().names("pods", "agent-")
    story.go_on(f"""@10s kubectl patch pod {name} --subresource=status --type=merge -p '{{"status": {{"phase": "Failed"}}}}'\n@40s end""")
    event, = story.events("agent", "FailedDaemonPod")
    assert (event.type, event.message) == ("Warning", f"Found failed daemon pod default/{name} on node n1, will try to kill it")
    assert name not in story.end().names("pods") and placed(story.end()) == ["n1"]


def test_it_adopts_pods_that_its_selector_matches_and_lets_go_of_those_that_it_no_longer_does():
    story = told("@10s end")
    name = story.end().names("pods", "agent-")[0]
    story.go_on(f"@10s kubectl label pod {name} app=other --overwrite\n@30s end")
    assert controller_of(story.end().get("pods", name)) is None
    assert len(story.end().names("pods", "agent-")) == 4


def test_a_settled_daemon_set_leaves_nothing_to_do():
    assert not [key for component, key in updated().cluster.queue.waiting if component == "daemonset"]
