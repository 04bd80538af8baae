"""kubectl delete, scale, label, taint, cordon and drain."""
from lifecycle.simulation.state import loaded, saved

from .builders import every, get, kubectl, run, said

FORCED = ("Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. "
          "The resource may continue to run on the cluster indefinitely.\n")
SLOW = """
apiVersion: v1
kind: Pod
metadata: {name: slow}
spec: {containers: [{name: app, image: busybox, command: [sh, -c, "sleep 1000"]}]}
"""


def deployed(cluster, replicas=2):
    kubectl(cluster, f"kubectl create deployment web --image=nginx --replicas={replicas}", seconds=20)


def test_the_deletion_is_said_at_once_and_the_prompt_comes_when_the_pod_is_gone(cluster):
    kubectl(cluster, "kubectl apply -f slow.yaml", {"slow.yaml": SLOW}, seconds=20)
    told = kubectl(cluster, "kubectl delete pod slow", seconds=60)
    said_at, *_, prompt_at = [step.at for step in said(cluster, "PrintOutput") if step.facts["id"] == "2"]
    assert told["stdout"] == 'pod "slow" deleted from default namespace\n'
    assert said_at - told["started"] < 200
    assert prompt_at == told["ended"]
    assert 30_000 < told["ended"] - told["started"] < 32_000
    assert get(cluster, "pods", "slow") is None


def test_the_wait_can_be_left_out_or_limited(cluster):
    kubectl(cluster, "kubectl apply -f slow.yaml", {"slow.yaml": SLOW}, seconds=20)
    assert kubectl(cluster, "kubectl delete pod slow --wait=false")["exit"] == 0
    told = kubectl(cluster, "kubectl delete pod slow --timeout=2s", seconds=5)
    assert (told["stderr"], told["exit"]) == ("error: timed out waiting for the condition on pods/slow\n", 1)


def test_options_become_the_body_of_the_request(cluster):
    deployed(cluster)
    assert kubectl(cluster, "kubectl delete pods --all --force", seconds=5)["stderr"] == FORCED
    assert "force deleted from default namespace" in cluster.console.command("2")["stdout"]
    kubectl(cluster, "kubectl delete deploy web --cascade=orphan", seconds=5)
    assert get(cluster, "deployments.apps", "web") is None
    assert len(every(cluster, "replicasets.apps")) == 1


def test_everything_selected_is_deleted_one_by_one(cluster):
    for name, tier in (("a", "x"), ("b", "x"), ("c", "y")):
        kubectl(cluster, f"kubectl create configmap {name}")
        kubectl(cluster, f"kubectl label configmap {name} tier={tier}")
    assert kubectl(cluster, "kubectl delete configmap -l tier=x")["stdout"] == (
        'configmap "a" deleted from default namespace\nconfigmap "b" deleted from default namespace\n')
    assert kubectl(cluster, "kubectl delete configmap -l tier=x")["stdout"] == "No resources found\n"
    assert kubectl(cluster, "kubectl delete configmap c -o name")["stdout"] == "configmap/c\n"


def test_a_missing_object_is_an_error_unless_it_is_meant_to_be_missing(cluster):
    told = kubectl(cluster, "kubectl delete deploy nope")
    assert (told["stderr"], told["exit"]) == ('Error from server (NotFound): deployments.apps "nope" not found\n', 1)
    assert kubectl(cluster, "kubectl delete deploy nope --ignore-not-found")["exit"] == 0


def test_a_manifest_without_a_name_never_deletes_everything(cluster):
    kubectl(cluster, "kubectl create configmap settings")
    told = kubectl(cluster, "kubectl delete -f file.yaml", {"file.yaml": "apiVersion: v1\nkind: ConfigMap\n"})
    assert told["stderr"] == 'error: error when deleting "file.yaml": resource name may not be empty\n'
    assert get(cluster, "configmaps", "settings") is not None


def test_scaling_can_be_made_to_depend_on_what_is_there(cluster):
    deployed(cluster)
    assert kubectl(cluster, "kubectl scale deploy/web --replicas=3 --current-replicas=5")["stderr"] == "error: Expected replicas to be 5, was 2\n"
    assert kubectl(cluster, "kubectl scale deploy/web --replicas=3 --current-replicas=2")["stdout"] == "deployment.apps/web scaled\n"
    assert get(cluster, "deployments.apps", "web")["spec"]["replicas"] == 3


def test_labels_are_set_kept_and_removed(cluster):
    kubectl(cluster, "kubectl create configmap settings")
    lines = [("kubectl label cm settings a=b", "configmap/settings labeled\n"), ("kubectl label cm settings a=b", "configmap/settings not labeled\n"),
             ("kubectl label cm settings c=d a-", "configmap/settings modified\n"), ("kubectl label cm settings c-", "configmap/settings unlabeled\n"),
             ("kubectl label cm settings zz-", 'label "zz" not found.\nconfigmap/settings not labeled\n'), ("kubectl annotate cm settings a=b",
                                                                                                            "configmap/settings annotated\n")]
    for line, told in lines:
        assert kubectl(cluster, line)["stdout"] == told
    kubectl(cluster, "kubectl label cm settings e=f")
    assert kubectl(cluster, "kubectl label cm settings e=g")["stderr"] == "error: 'e' already has a value (f), and --overwrite is false\n"


def test_taints_are_set_overwritten_and_removed(cluster):
    lines = [("kubectl taint node n1 team=a:NoSchedule", "node/n1 tainted\n"), ("kubectl taint node n1 team=b:NoSchedule --overwrite", "node/n1 modified\n"),
             ("kubectl taint node n1 team-", "node/n1 untainted\n"), ("kubectl taint nodes --all x=y:PreferNoSchedule",
                                                                      "node/n1 tainted\nnode/n2 tainted\nnode/n3 tainted\n")]
    for line, told in lines:
        assert kubectl(cluster, line)["stdout"] == told
    assert get(cluster, "nodes", "n1")["spec"]["taints"] == [{"effect": "PreferNoSchedule", "key": "x", "value": "y"}]
    assert kubectl(cluster, "kubectl taint node n1 x=z:PreferNoSchedule")["stderr"] == (
        "error: node n1 already has x taint(s) with same effect(s) and --overwrite is false\n")


def test_a_drain_evicts_what_has_a_controller_and_minds_the_rest(cluster):
    deployed(cluster, 3)
    kubectl(cluster, "kubectl run bare --image=nginx", seconds=10)
    node = get(cluster, "pods", "bare")["spec"]["nodeName"]
    refused = kubectl(cluster, f"kubectl drain {node}")
    assert refused["stdout"] == f"node/{node} cordoned\n"
    assert refused["stderr"] == (
        f'error: unable to drain node "{node}" due to error: cannot delete Pods that declare no controller (use --force to override): default/bare, '
        f"continuing command...\nThere are pending nodes to be drained:\n {node}\n"
        "cannot delete Pods that declare no controller (use --force to override): default/bare\n")
    told = kubectl(cluster, f"kubectl drain {node} --force", seconds=30)
    assert told["stderr"] == "Warning: deleting Pods that declare no controller: default/bare\n"
    assert told["stdout"].startswith(f"node/{node} already cordoned\nevicting pod default/")
    assert told["stdout"].endswith(f"node/{node} drained\n")
    assert not [pod for pod in every(cluster, "pods") if pod["spec"].get("nodeName") == node]
    assert kubectl(cluster, f"kubectl uncordon {node}")["stdout"] == f"node/{node} uncordoned\n"


def test_a_drain_that_a_budget_forbids_is_tried_every_five_seconds_until_the_time_is_up(cluster):
    deployed(cluster, 1)
    kubectl(cluster, "kubectl create pdb web --selector=app=web --min-available=1", seconds=5)
    pod = every(cluster, "pods", "default")[0]
    name, node = pod["metadata"]["name"], pod["spec"]["nodeName"]
    told = kubectl(cluster, f"kubectl drain {node} --timeout=8s", seconds=15)
    assert told["stdout"] == f"node/{node} cordoned\n" + f"evicting pod default/{name}\n" * 3
    retry = f'error when evicting pods/"{name}" -n "default" (will retry after 5s): Cannot evict pod as it would violate the pod\'s disruption budget.'
    late = f'error when evicting pods/"{name}" -n "default": global timeout reached: 8s'
    assert told["stderr"].splitlines() == [retry, retry, f'There are pending pods in node "{node}" when an error occurred: {late}', f"pod/{name}",
                                           f'error: unable to drain node "{node}" due to error: {late}, continuing command...',
                                           "There are pending nodes to be drained:", f" {node}", late]
    assert told["exit"] == 1


def test_a_drain_that_waits_for_long_keeps_little_and_goes_on_elsewhere(cluster):
    deployed(cluster, 1)
    kubectl(cluster, "kubectl create pdb web --selector=app=web --min-available=1")
    kubectl(cluster, "kubectl run held --image=nginx --overrides='{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}'", seconds=10)
    first, last = get(cluster, "pods", "held")["spec"]["nodeName"], every(cluster, "pods", "default")[-1]["spec"]["nodeName"]
    command = cluster.kubectl(f"kubectl drain {first} {last} --force --timeout=3000s")
    kept = []
    for minutes in (1, 10, 20):
        run(cluster, minutes * 60)
        kept.append(len(cluster.etcd.disk("kubectl answers")))
    assert max(kept) < 10
    other = loaded(saved(cluster))
    for each in (cluster, other):
        kubectl(each, "kubectl patch pod held --type=merge -p '{\"metadata\":{\"finalizers\":null}}'")
        kubectl(each, "kubectl delete pdb web", seconds=60)
    told = cluster.console.command(command)
    assert told == other.console.command(command)
    assert told["exit"] == 0 and told["stdout"].endswith(f"node/{last} drained\n") and f"node/{first} drained\n" in told["stdout"]


def test_a_wait_ends_with_the_condition_or_with_the_time(cluster):
    command = cluster.kubectl("kubectl wait --for=create pod/web --timeout=10s")
    run(cluster, 1)
    kubectl(cluster, "kubectl run web --image=nginx", seconds=3)
    assert cluster.console.command(command)["stdout"] == "pod/web condition met\n"
    assert kubectl(cluster, "kubectl wait --for=condition=Ready pod/web", seconds=30)["stdout"] == "pod/web condition met\n"
    assert kubectl(cluster, "kubectl wait --for=jsonpath='{.status.phase}'=Running pod/web")["exit"] == 0
    late = kubectl(cluster, "kubectl wait --for=condition=Nope pod/web --timeout=2s", seconds=5)
    assert (late["stderr"], late["exit"]) == ("error: timed out waiting for the condition on pods/web\n", 1)
    gone = cluster.kubectl("kubectl wait --for=delete pod/web --timeout=60s")
    kubectl(cluster, "kubectl delete pod web", seconds=10)
    assert cluster.console.command(gone)["stdout"] == "pod/web condition met\n"
