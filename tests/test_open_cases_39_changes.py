"""Open cases O39 and O40: what may change in a running Pod, and writes that come too late."""
import re

import pytest

from lifecycle.simulation.objects import condition

from .stories import play

POD = """
apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  nodeSelector: {kubernetes.io/os: linux}
  tolerations: [{key: a, operator: Exists}]
  containers:
  - name: c
    image: demo:ok
    resources: {requests: {cpu: 100m, memory: 32Mi}, limits: {cpu: 200m, memory: 64Mi}}
"""
APPLY = "kubectl apply -f f.yaml"
FORBIDDEN = ('The Pod "web" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,'
             "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
             "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n")
TOLERATION = "tolerations: [{key: a, operator: Exists}]"
TWO_TOLERATIONS = "tolerations: [{key: a, operator: Exists}, {key: z, operator: Exists}]"


def changed(old, new, pod=POD, rest="@20s end"):
    """A Story of a running Pod whose manifest is applied again at 10 s with `new` in the place of `old`."""
    text = pod.replace(old, new, 1)
    assert text != pod
    return play(f"@0s kubectl apply -f web.yaml\n@10s {APPLY}\n{rest}", {"web.yaml": pod, "f.yaml": text})


def unchanged(story):
    """Whether nothing of the Pod but its status was written after 10 s."""
    return story.at(9.9).get("pods", "web")["spec"] == story.end().get("pods", "web")["spec"] and story.end().get("pods", "web")["metadata"]["generation"] == 1


# -- O39 -------------------------------------------------------------------------------------------------------------------
REFUSED = {
    "restartPolicy": ("spec:\n", "spec:\n  restartPolicy: Never\n", '- "RestartPolicy": "Always",\n+ "RestartPolicy": "Never",\n'),
    "env": ("    image: demo:ok\n", '    image: demo:ok\n    env: [{name: A, value: "1"}]\n',
            '-   "Env": null,\n+   "Env": [\n+    {\n+     "Name": "A",\n+     "Value": "1",\n+     "ValueFrom": null\n+    }\n+   ],\n'),
    "command": ("    image: demo:ok\n", '    image: demo:ok\n    command: [sleep, "5"]\n',
                '-   "Command": null,\n+   "Command": [\n+    "sleep",\n+    "5"\n+   ],\n'),
    "nodeSelector": ("{kubernetes.io/os: linux}", "{kubernetes.io/os: linux, x: z}",
                     '-  "kubernetes.io/os": "linux"\n+  "kubernetes.io/os": "linux",\n+  "x": "z"\n'),
    "cpu": ("cpu: 100m", "cpu: 150m", '-     "cpu": "100m",\n+     "cpu": "150m",\n'),
    "grace period": ("spec:\n", "spec:\n  terminationGracePeriodSeconds: 5\n",
                     '- "TerminationGracePeriodSeconds": 30,\n+ "TerminationGracePeriodSeconds": 5,\n'),
}


@pytest.mark.parametrize("field", REFUSED)
def test_o39_most_fields_of_a_live_pod_are_refused_with_a_diff(field):
    old, new, diff = REFUSED[field]
    story = changed(old, new)
    printed = story.printed(APPLY)
    assert printed.startswith(FORBIDDEN + "@@ -")
    assert diff in printed
    assert story.exit(APPLY) == 1
    assert unchanged(story)


@pytest.mark.parametrize(("pod", "old", "new", "message"), [
    (POD, "  containers:\n", "  containers:\n  - {name: d, image: \"demo:ok\"}\n", "spec.containers: Forbidden: pod updates may not add or remove containers"),
    (POD.replace(TOLERATION, TWO_TOLERATIONS), TWO_TOLERATIONS, TOLERATION,
     "spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds"),
    (POD.replace("spec:\n", "spec:\n  activeDeadlineSeconds: 1000\n"), "  activeDeadlineSeconds: 1000\n", "",
     "spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value"),
])
def test_o39_some_refusals_have_their_own_words(pod, old, new, message):
    story = changed(old, new, pod)
    assert story.printed(APPLY) == f'The Pod "web" is invalid: {message}\n'
    assert story.exit(APPLY) == 1
    assert unchanged(story)


@pytest.fixture(scope="module")
def new_image():
    return changed("demo:ok", "demo:ok2")


def test_o39_another_image_restarts_the_container_in_place(new_image):
    assert new_image.printed(APPLY) == "pod/web configured\n"
    before, after = new_image.at(9.9).get("pods", "web"), new_image.end().get("pods", "web")
    [status] = after["status"]["containerStatuses"]
    assert (status["restartCount"], "running" in status["state"]) == (1, True)
    assert 'image "demo:ok2"' in new_image.events("web", "Pulled")[-1].message
    assert status["lastState"]["terminated"]["exitCode"] == 0
    assert after["metadata"]["generation"] == before["metadata"]["generation"] + 1
    for field in (("metadata", "uid"), ("status", "podIP"), ("spec", "nodeName")):
        assert before[field[0]][field[1]] == after[field[0]][field[1]]


def test_o39_the_restart_for_another_image_comes_at_once_and_says_why(new_image):
    [killing] = new_image.events("web", "Killing")
    assert (killing.type, killing.message) == ("Normal", "Container c definition changed, will be restarted")
    assert killing.at == pytest.approx(10.1, abs=0.2)
    # The new container starts in the same sync: no back-off, no wait for a listing.
    starts = new_image.times("StartContainer", pod="web")
    assert len(starts) == 2
    assert starts[1] - killing.at < 1


@pytest.mark.parametrize(("old", "new"), [
    ("  name: web\n", "  name: web\n  labels: {a: b}\n"), ("  name: web\n", "  name: web\n  annotations: {c: d}\n"), (TOLERATION, TWO_TOLERATIONS),
    ("spec:\n", "spec:\n  activeDeadlineSeconds: 1000\n")])
def test_o39_labels_annotations_a_further_toleration_and_a_deadline_are_accepted_without_a_restart(old, new):
    story = changed(old, new)
    assert story.printed(APPLY) == "pod/web configured\n"
    assert story.end().get("pods", "web")["status"]["containerStatuses"][0]["restartCount"] == 0
    assert story.events("web", "Killing") == []


def test_o39_cpu_can_be_resized_in_place():
    resize = """kubectl patch pod web --subresource resize -p '{"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"150m"}}}]}}'"""
    story = play(f"@0s kubectl apply -f web.yaml\n@10s {resize}\n@20s end", {"web.yaml": POD})
    assert story.printed(resize) == "pod/web patched\n"
    told = '{"containers":[{"name":"c","resources":{"limits":{"cpu":"200m","memory":"64Mi"},"requests":{"cpu":"150m","memory":"32Mi"}}}],"generation":2}'
    assert [event.message for event in story.events("web", "ResizeStarted")] == ["Pod resize started: " + told]
    assert [event.message for event in story.events("web", "ResizeCompleted")] == ["Pod resize completed: " + told]
    [status] = story.end().get("pods", "web")["status"]["containerStatuses"]
    assert status["restartCount"] == 0
    assert status["resources"]["requests"]["cpu"] == status["allocatedResources"]["cpu"] == "150m"
    assert condition(story.end().get("pods", "web"), "PodResizeInProgress") is None


# -- O40 -------------------------------------------------------------------------------------------------------------------
DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: c, image: "demo:ok"}]
"""
GET, SCALE = "kubectl get deployment web -o yaml", "kubectl scale deployment web --replicas=4"
REPLACE, APPLY_COPY = "kubectl replace -f w.yaml", "kubectl apply -f w.yaml"
MODIFIED = ('Operation cannot be fulfilled on deployments.apps "web": the object has been modified; '
            "please apply your changes to the latest version and try again")
CONFLICT = "Error from server (Conflict): "


def stale(edit, then, between=SCALE):
    """A Story in which a copy of a Deployment is taken, the Deployment scaled, and the edited copy sent back at 30 s."""
    story = play(f"@0s kubectl apply -f web.yaml\n@10s {GET}\n@20s {between}\n@29s end", {"web.yaml": DEPLOYMENT})
    story.files["w.yaml"] = edit(story.printed(GET).replace("demo:ok", "demo:ok2"))
    return story.go_on(f"@30s {then}\n@50s end")


def as_it_is(text):
    return text


def without_version(text):
    return re.sub(r"  resourceVersion: .*\n", "", text)


def replicas(story):
    return story.end().get("deployments.apps", "web")["spec"]["replicas"]


def image(story):
    return story.end().get("deployments.apps", "web")["spec"]["template"]["spec"]["containers"][0]["image"]


def test_o40_replacing_with_a_stale_copy_conflicts():
    story = stale(as_it_is, REPLACE)
    assert story.printed(REPLACE) == f'{CONFLICT}error when replacing "w.yaml": {MODIFIED}\n'
    assert story.exit(REPLACE) == 1
    assert (replicas(story), image(story)) == (4, "demo:ok")
    [refused] = story.messages("UpdateDeployment", code=409)
    assert refused.source == "kubectl"


def test_o40_without_the_version_the_copy_overwrites():
    story = stale(without_version, REPLACE)
    assert story.printed(REPLACE) == "deployment.apps/web replaced\n"
    assert (replicas(story), image(story)) == (3, "demo:ok2")


def test_o40_a_status_write_of_a_controller_makes_a_copy_stale_too():
    story = stale(as_it_is, REPLACE, between="kubectl delete pods -l app=web --wait=false")
    assert story.printed(REPLACE) == f'{CONFLICT}error when replacing "w.yaml": {MODIFIED}\n'
    assert image(story) == "demo:ok"


def test_o40_apply_of_a_file_with_a_stale_version_tries_for_four_seconds():
    story = stale(as_it_is, APPLY_COPY)
    printed = story.printed(APPLY_COPY)
    assert printed.startswith(CONFLICT + 'error when applying patch:\n{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"')
    assert printed.endswith('\nto:\nResource: "apps/v1, Resource=deployments", GroupVersionKind: "apps/v1, Kind=Deployment"\n'
                            f'Name: "web", Namespace: "default"\nfor: "w.yaml": error when patching "w.yaml": {MODIFIED}\n')
    assert story.exit(APPLY_COPY) == 1
    assert story.ended(APPLY_COPY) - 30 == pytest.approx(4.5, abs=0.5)
    assert (replicas(story), image(story)) == (4, "demo:ok")


def test_o40_apply_and_patch_without_a_version_do_not_conflict():
    patch = """kubectl patch deployment web -p '{"spec":{"replicas":2}}'"""
    story = play(f"@0s kubectl apply -f web.yaml\n@10s {SCALE}\n@20s kubectl apply -f web.yaml\n@25s {patch}\n@30s end", {"web.yaml": DEPLOYMENT})
    assert story.printed("kubectl apply -f web.yaml", 2) == "deployment.apps/web configured\n"
    assert story.printed(patch) == "deployment.apps/web patched\n"
    assert replicas(story) == 2


def test_o40_a_patch_that_carries_a_stale_version_conflicts():
    patch = """kubectl patch deployment web -p '{"metadata":{"resourceVersion":"1"},"spec":{"replicas":5}}'"""
    story = play(f"@0s kubectl apply -f web.yaml\n@10s {patch}\n@20s end", {"web.yaml": DEPLOYMENT})
    assert story.printed(patch) == f"{CONFLICT}{MODIFIED}\n"
    assert story.exit(patch) == 1
    assert replicas(story) == 3


def test_o40_another_uid_is_another_object():
    wrong = "00000000-0000-0000-0000-000000000000"
    story = stale(lambda text: re.sub(r"  uid: .*", f"  uid: {wrong}", without_version(text)), REPLACE)
    uid = story.end().get("deployments.apps", "web")["metadata"]["uid"]
    assert story.printed(REPLACE) == (
        f'{CONFLICT}error when replacing "w.yaml": Operation cannot be fulfilled on deployments.apps "web": StorageError: invalid object, Code: 4, '
        "Key: /registry/deployments/default/web, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: "
        f"UID in precondition: {wrong}, UID in object meta: {uid}\n")
    assert story.exit(REPLACE) == 1
    assert replicas(story) == 4
