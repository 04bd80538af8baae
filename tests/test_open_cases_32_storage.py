"""Open cases O32 and O33: claims that wait for a Pod, and claims that outlive their deletion."""
import pytest

from lifecycle.simulation.storage import BIND_COMPLETED, DRIVER, PROVISIONER_ANNOTATIONS, SELECTED_NODE

from .stories import play

CLASSES = f"""
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {{name: std}}
provisioner: {DRIVER}
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {{name: now}}
provisioner: {DRIVER}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {{name: nobody}}
provisioner: example.com/nobody
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {{name: keep}}
provisioner: {DRIVER}
reclaimPolicy: Retain
"""


def claim(storage_class):
    return f"""
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {{name: data}}
spec:
  storageClassName: {storage_class}
  accessModes: [ReadWriteOnce]
  resources: {{requests: {{storage: 1Gi}}}}
"""


def pod(name, more="", command=""):
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: {name}}}
spec:
  {more}
  volumes: [{{name: d, persistentVolumeClaim: {{claimName: data}}}}]
  containers:
  - name: c
    image: demo:ok
    {command}
    volumeMounts: [{{name: d, mountPath: /d}}]
"""


FILES = {"classes.yaml": CLASSES, "data.yaml": claim("std"), "web.yaml": pod("web"), "bypass.yaml": pod("bypass", "nodeName: n1"),
         "nofit.yaml": pod("nofit", "nodeSelector: {disk: ssd}"), "wait.yaml": pod("wait")}


def first(states, is_so):
    """When an object was so for the first time."""
    return next(state.at for state in states if is_so(state.object))


def counted(story, name, reason):
    """(message, count) of the Events on an object."""
    return [(event.message, event.count) for event in story.events(name, reason)]


@pytest.fixture(scope="module")
def waiting():
    """A claim for a minute, then a Pod that mounts it."""
    return play("""
        @0s kubectl apply -f classes.yaml
        @0s kubectl apply -f data.yaml
        @59s kubectl get pvc data --no-headers
        @60s kubectl apply -f web.yaml
        @61s kubectl get pod web -o wide --no-headers
        @90s end
    """, FILES)


def test_o32_a_claim_without_a_pod_is_pending_and_has_no_volume(waiting):
    assert waiting.printed("kubectl get pvc data --no-headers").split()[:2] == ["data", "Pending"]
    assert waiting.at(60).list("persistentvolumes") == []


def test_o32_the_claim_says_every_15_seconds_that_it_waits_for_a_consumer(waiting):
    events = [state for state in waiting.at(60.05).list("events") if state["reason"] == "WaitForFirstConsumer"]
    assert [(event["type"], event["message"], event["count"]) for event in events] == [
        ("Normal", "waiting for first consumer to be created before binding", 4 + 1)]      # at once, and at 15, 30, 45 and 60 s


def test_o32_the_scheduler_chooses_the_node_and_then_the_volume_is_made(waiting):
    states = waiting.states("persistentvolumeclaims", "data")
    chosen = first(states, lambda data: SELECTED_NODE in data["metadata"].get("annotations", {}))
    asked = first(states, lambda data: PROVISIONER_ANNOTATIONS[1] in data["metadata"].get("annotations", {}))
    bound = first(states, lambda data: data["status"]["phase"] == "Bound")
    [volume] = waiting.end().list("persistentvolumes")
    made = waiting.states("persistentvolumes", "/" + volume["metadata"]["name"])[0].at
    scheduled = first(waiting.states("pods", "web"), lambda web: "nodeName" in web["spec"])
    assert 60 < chosen < asked < made < bound < scheduled
    web = waiting.end().get("pods", "web")
    assert waiting.end().get("persistentvolumeclaims", "data")["metadata"]["annotations"][SELECTED_NODE] == web["spec"]["nodeName"]
    assert web["status"]["phase"] == "Running"


def test_o32_while_the_volume_is_made_the_claim_says_so_and_the_pod_has_a_nominated_node(waiting):
    [(message, _)] = counted(waiting, "data", "ExternalProvisioning")
    assert message.startswith(f"Waiting for a volume to be created either by the external provisioner '{DRIVER}' or manually by the system administrator. ")
    cells = waiting.printed("kubectl get pod web -o wide --no-headers").split()
    assert cells[:3] == ["web", "0/1", "Pending"]
    assert cells[6:8] == ["<none>", waiting.end().get("pods", "web")["spec"]["nodeName"]]


def test_o32_a_pod_that_cannot_be_scheduled_changes_what_the_claim_waits_for_at_the_next_round():
    story = play("""
        @0s kubectl apply -f classes.yaml
        @0s kubectl apply -f data.yaml
        @20s kubectl apply -f nofit.yaml
        @40s end
    """, FILES)
    [event] = story.events("data", "WaitForPodScheduled")
    assert (event.type, event.message) == ("Normal", "waiting for pod nofit to be scheduled")
    assert event.at == pytest.approx(30, abs=0.1)
    assert story.end().get("persistentvolumeclaims", "data")["status"]["phase"] == "Pending"


def test_o32_a_pod_with_a_node_name_bypasses_the_scheduler_and_never_starts():
    story = play("""
        @0s kubectl apply -f classes.yaml
        @0s kubectl apply -f data.yaml
        @5s kubectl apply -f bypass.yaml
        @200s kubectl get pod bypass --no-headers
        @201s end
    """, FILES)
    data = story.end().get("persistentvolumeclaims", "data")
    assert data["status"]["phase"] == "Pending"
    assert SELECTED_NODE not in data["metadata"].get("annotations", {})
    assert {event.reason for event in story.events("data")} == {"WaitForFirstConsumer"}
    assert story.printed("kubectl get pod bypass --no-headers").split()[:3] == ["bypass", "0/1", "ContainerCreating"]
    [event] = story.events("bypass", "FailedMount")
    assert (event.type, event.message) == ("Warning", "Unable to attach or mount volumes: unmounted volumes=[d], unattached volumes=[], "
                                           "failed to process volumes=[d]: error processing PVC default/data: PVC is not bound")
    assert event.count > 2


def test_o32_an_immediate_claim_is_bound_before_any_pod():
    story = play("@0s kubectl apply -f classes.yaml\n@0s kubectl apply -f data.yaml\n@10s end", {**FILES, "data.yaml": claim("now")})
    assert story.end().get("persistentvolumeclaims", "data")["status"]["phase"] == "Bound"


def test_o32_an_unbound_immediate_claim_keeps_its_pod_from_every_node():
    story = play("""
        @0s kubectl apply -f classes.yaml
        @0s kubectl apply -f data.yaml
        @5s kubectl apply -f wait.yaml
        @9s end
    """, {**FILES, "data.yaml": claim("nobody")})
    assert counted(story, "wait", "FailedScheduling") == [("0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found", 1)]


# -- O33 -------------------------------------------------------------------------------------------------------------------
def deleted_in_use(storage_class="now"):
    """A Pod `w` uses the claim and ends at about 20 s; the claim is deleted at 5 s, and the Pod at 40 s."""
    return play("""
        @0s kubectl apply -f classes.yaml
        @0s kubectl apply -f data.yaml
        @0s kubectl apply -f w.yaml
        @5s kubectl delete pvc data --wait=false
        @6s kubectl get pvc data --no-headers
        @10s kubectl apply -f w2.yaml
        @35s kubectl get pod w --no-headers
        @35s kubectl get pvc data --no-headers
        @40s kubectl delete pod w
        @50s end
    """, {"classes.yaml": CLASSES, "data.yaml": claim(storage_class), "w2.yaml": pod("w2"),
                                 "w.yaml": pod("w", "restartPolicy: Never", 'command: [sleep, "17"]')})


@pytest.fixture(scope="module")
def in_use():
    return deleted_in_use()


def test_o33_a_deleted_claim_in_use_is_terminating_and_still_bound(in_use):
    data = in_use.at(6).get("persistentvolumeclaims", "data")
    assert "deletionTimestamp" in data["metadata"]
    assert data["metadata"]["finalizers"] == ["kubernetes.io/pvc-protection"]
    assert data["status"]["phase"] == "Bound"
    assert BIND_COMPLETED in data["metadata"]["annotations"]
    assert in_use.printed("kubectl get pvc data --no-headers").split()[:2] == ["data", "Terminating"]


def test_o33_a_new_pod_cannot_use_it_any_more(in_use):
    assert in_use.at(39).get("pods", "w2")["status"]["phase"] == "Pending"
    assert in_use.events("w2", "FailedScheduling")[0].message == '0/3 nodes are available: persistentvolumeclaim "data" is being deleted. not found'


def test_o33_a_completed_pod_still_protects_it(in_use):
    assert in_use.printed("kubectl get pod w --no-headers").split()[:3] == ["w", "0/1", "Completed"]
    assert in_use.printed("kubectl get pvc data --no-headers", 2).split()[:2] == ["data", "Terminating"]


def test_o33_it_goes_when_the_pod_object_goes_although_another_pod_waits_for_it(in_use):
    gone = in_use.gone("pods", "w")
    assert gone == pytest.approx(40.1, abs=0.3)
    assert in_use.gone("persistentvolumeclaims", "data") == pytest.approx(gone, abs=0.05)


def test_o33_the_waiting_pod_is_told_that_there_is_no_claim(in_use):
    assert in_use.events("w2", "FailedScheduling")[-1].message == '0/3 nodes are available: persistentvolumeclaim "data" not found. not found'
    assert in_use.end().get("pods", "w2")["status"]["phase"] == "Pending"


@pytest.mark.parametrize(("storage_class", "phases"), [("now", []), ("keep", ["Released"])])
def test_o33_the_volume_follows_its_reclaim_policy(storage_class, phases):
    story = deleted_in_use(storage_class)
    assert [volume["status"]["phase"] for volume in story.at(39).list("persistentvolumes")] == ["Bound"]
    assert [volume["status"]["phase"] for volume in story.end().list("persistentvolumes")] == phases
