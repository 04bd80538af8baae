"""Volumes that are not attached or not mounted, and etcd that is full or gone."""
import pytest

from .stories import play

CLAIM_AND_POD = """
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Pod
metadata: {name: db}
spec:
  containers: [{name: app, image: nginx, volumeMounts: [{name: data, mountPath: /data}]}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
"""
TIMED_OUT = "rpc error: code = DeadlineExceeded desc = context deadline exceeded"


def a_story(script):
    return play(script, {"db.yaml": CLAIM_AND_POD})


def volume(story):
    [found] = story.end().names("persistentvolumes")
    return found


def phase(story, name="db"):
    return story.end().get("pods", name)["status"]["phase"]


# -- CSI -----------------------------------------------------------------------------------------------------------------------
def test_a_slow_attachment_is_given_up_and_asked_for_again_until_it_is_there():
    story = a_story("@0s csi attach slow 40\n@0s kubectl apply -f db.yaml\n@80s end")
    calls = story.times("ControllerPublishVolume")
    assert [later - calls[0] for later in calls] == pytest.approx([0, 16, 33])          # 15 s and a pause of 1 s, 15 s and one of 2 s
    [attachment] = story.end().list("volumeattachments.storage.k8s.io")
    assert attachment["status"] == {"attached": True}
    assert story.times("NodeStageVolume")[0] - calls[0] == pytest.approx(40, abs=0.1)
    assert f'AttachVolume.Attach failed for volume "{volume(story)}" : {TIMED_OUT}' in [event.message for event in story.events("db", "FailedAttachVolume")]
    assert phase(story) == "Running"


def test_a_stuck_attachment_is_tried_ever_more_rarely_and_comes_when_a_try_succeeds():
    story = a_story("@0s csi attach stuck\n@0s kubectl apply -f db.yaml\n@120s csi attach mend\n@200s end")
    calls = story.times("ControllerPublishVolume")
    assert [later - earlier for earlier, later in zip(calls, calls[1:])] == pytest.approx([16, 17, 19, 23, 31])
    [attachment] = story.at(119).list("volumeattachments.storage.k8s.io")
    assert (attachment["status"]["attached"], attachment["status"]["attachError"]["message"]) == (False, TIMED_OUT)
    assert story.at(119).get("pods", "db")["status"]["phase"] == "Pending"
    assert phase(story) == "Running"


def test_an_attacher_that_is_stopped_is_missed_after_two_minutes():
    story = a_story("@0s component external-attacher stop\n@0s kubectl apply -f db.yaml\n@200s component external-attacher start\n@260s end")
    [told] = story.events("db", "FailedAttachVolume")
    why = "timed out waiting for external-attacher of csi.lifecycle.example CSI driver to attach volume vol-"
    assert told.message.startswith(f'AttachVolume.Attach failed for volume "{volume(story)}" : {why}')
    assert 120 < told.at < 123
    assert phase(story) == "Running"


def test_a_mount_that_fails_is_tried_again_twice_as_late_each_time():
    story = a_story("@0s csi mount fail\n@0s kubectl apply -f db.yaml\n@20s csi mount mend\n@60s end")
    tries = [*story.times("MountCallFailed", call="NodeStageVolume"), *story.times("NodeStageVolume")]
    assert [later - earlier for earlier, later in zip(tries, tries[1:])] == pytest.approx([0.5, 1, 2, 4, 8, 16])
    [told] = story.events("db", "FailedMount")
    assert told.message == f'MountVolume.MountDevice failed for volume "{volume(story)}" : rpc error: code = Internal desc = mount failed: exit status 32'
    assert told.count == 6
    assert story.times("RunPodSandbox")[0] > tries[-1]
    assert phase(story) == "Running"


# -- etcd ----------------------------------------------------------------------------------------------------------------------
FULL = "etcdserver: mvcc: database space exceeded"


def test_a_full_etcd_is_read_from_and_not_written_to():
    story = play("""
        @0s kubectl run web --image=nginx
        @20s etcd read-only
        @21s kubectl get pods
        @22s kubectl run other --image=nginx
        @23s kubectl delete pod web --wait=false
        @30s end""")
    assert "web    1/1     Running" in story.printed("kubectl get pods")
    for command in ("kubectl run other --image=nginx", "kubectl delete pod web --wait=false"):
        assert (story.printed(command), story.exit(command)) == (f"Error from server: {FULL}\n", 1)
    assert {step.facts["message"] for step in story.messages("EtcdRefused")} == {FULL}


def test_a_full_etcd_still_deletes():
    story = play("@0s kubectl create configmap one\n@10s etcd read-only\n@11s kubectl delete configmap one\n@20s end")
    assert story.end().get("configmaps", "one") is None


def test_without_a_quorum_nothing_is_read_either():
    story = play("@0s kubectl run web --image=nginx\n@20s etcd down\n@21s kubectl get pods\n@30s etcd mend\n@31s kubectl get pods\n@40s end")
    assert (story.printed("kubectl get pods"), story.exit("kubectl get pods")) == ("Error from server: etcdserver: request timed out\n", 1)
    assert "Running" in story.printed("kubectl get pods", 2)


@pytest.mark.parametrize("how", ["read-only", "down"])
def test_containers_go_on_without_etcd_and_their_statuses_follow_when_it_is_back(how):
    story = play(f"""
        @0s kubectl run web --image=nginx
        @20s etcd {how}
        @25s container web crash
        @60s etcd mend
        @100s end""")
    assert 25 < story.times("RestartContainer")[0] < 27
    counts = [(state.at, state.object["status"]["containerStatuses"][0]["restartCount"]) for state in story.states("pods", "web")
              if state.object["status"].get("containerStatuses")]
    assert [count for at, count in counts if at < 60] == [0] * len([at for at, _ in counts if at < 60])
    assert counts[-1][1] == 1 and counts[-1][0] < 61
    assert story.events("web", "Started")[0].count == 2


@pytest.mark.parametrize("how", ["read-only", "down"])
def test_a_node_that_switched_off_without_etcd_is_missed_when_it_is_back(how):
    story = play(f"@0s etcd {how}\n@1s node n1 shutdown\n@60s etcd mend\n@200s end")
    node = story.end().get("nodes", "n1")
    ready = next(each["status"] for each in node["status"]["conditions"] if each["type"] == "Ready")
    assert ready == "Unknown" and {taint["key"] for taint in node["spec"]["taints"]} >= {"node.kubernetes.io/unreachable"}


@pytest.mark.parametrize("how", ["read-only", "down"])
def test_controllers_try_again_by_themselves_what_was_refused(how):
    story = play(f"""
        @0s kubectl create deployment web --image=nginx --replicas=2
        @20s kubectl scale deployment web --replicas=3
        @20.08s etcd {how}
        @30s etcd mend
        @60s end""")
    refused = story.times("EtcdRefused", **{"by": "controller-manager", "for": "CreatePod"})
    gaps = [round((later - earlier) * 1000) for earlier, later in zip(refused, refused[1:])]
    assert gaps[:6] == [5, 10, 20, 40, 80, 160]
    assert story.end().get("deployments.apps", "web")["status"]["readyReplicas"] == 3


def test_what_was_carried_out_is_tried_at_once_when_etcd_fails_again():
    story = play("""
        @0s kubectl create deployment web --image=nginx --replicas=2
        @20s kubectl scale deployment web --replicas=3
        @20.08s etcd down
        @30s etcd mend
        @60s kubectl scale deployment web --replicas=4
        @60.08s etcd down
        @70s etcd mend
        @120s end""")
    refused = [at for at in story.times("EtcdRefused", **{"by": "controller-manager", "for": "CreatePod"}) if at > 60]
    assert [round((later - earlier) * 1000) for earlier, later in zip(refused, refused[1:])][:4] == [5, 10, 20, 40]
    assert not story.cluster.etcd.disk("refused")
    assert story.end().get("deployments.apps", "web")["status"]["readyReplicas"] == 4


def test_a_component_that_is_stopped_forgets_what_it_was_refused():
    story = play("""
        @0s kubectl create deployment web --image=nginx --replicas=2
        @20s kubectl scale deployment web --replicas=3
        @20.08s etcd down
        @25s component replicaset stop
        @30s etcd mend
        @40s component replicaset start
        @60s end""")
    assert not [name for name in story.cluster.etcd.disk("refused") if name.startswith("replicaset ")]
    assert story.end().get("deployments.apps", "web")["status"]["readyReplicas"] == 3


def test_a_pod_that_was_told_to_go_goes_when_its_end_can_be_told():
    story = play("""
        @0s kubectl run web --image=nginx
        @20s kubectl delete pod web --wait=false
        @20.1s etcd down
        @40s etcd mend
        @60s end""")
    assert story.times("ProcessExited")[0] < 21
    assert 40 <= story.gone("pods", "web") < 51
