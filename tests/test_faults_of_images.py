"""Images that are missing, slow or not for everybody, and registries that nobody reaches."""
from .stories import play

RESOLVING = 'failed to pull and unpack image "docker.io/library/nginx:latest": failed to resolve image: '


def failures(story, pod):
    """The messages of its Failed Events that say why a pull failed."""
    return [event.message.removeprefix('Failed to pull image "nginx": ') for event in story.events(pod, "Failed") if not event.message.startswith("Error:")]


def test_a_missing_image_is_waited_for_and_pulled_when_it_is_there():
    story = play("@0s image nginx missing\n@0s kubectl run web --image=nginx\n@60s image nginx mend\n@200s end")
    assert failures(story, "web") == [f"rpc error: code = NotFound desc = {RESOLVING}docker.io/library/nginx:latest: not found"]
    pulls = story.times("PullImage")
    gaps = [later - earlier for earlier, later in zip(pulls, pulls[1:])]
    assert len(gaps) == 3 and 10 < gaps[0] < 16 and 20 < gaps[1] < 31 and 40 < gaps[2] < 62
    waiting = story.at(59).get("pods", "web")["status"]["containerStatuses"][0]["state"]["waiting"]
    assert waiting["reason"] in ("ErrImagePull", "ImagePullBackOff")
    assert story.end().get("pods", "web")["status"]["phase"] == "Running"


def test_a_node_that_has_the_image_does_not_notice():
    script = "@0s kubectl apply -f a.yaml\n@20s image nginx:1 missing\n@20s kubectl apply -f b.yaml\n@40s end"
    pod = '{{apiVersion: v1, kind: Pod, metadata: {{name: {0}}}, spec: {{nodeName: n1, containers: [{{name: app, image: "nginx:1"}}]}}}}'
    story = play(script, {"a.yaml": pod.format("a"), "b.yaml": pod.format("b")})
    assert story.end().get("pods", "b")["status"]["phase"] == "Running"


def test_a_wrong_pull_secret_is_a_401():
    story = play("@0s image nginx denied\n@0s kubectl run web --image=nginx\n@5s image nginx mend\n@40s end")
    assert failures(story, "web") == [
        f"{RESOLVING}unexpected status from HEAD request to http://127.0.0.1:5999/v2/library/nginx/manifests/latest?ns=docker.io: 401 Unauthorized"]
    assert story.end().get("pods", "web")["status"]["phase"] == "Running"


def test_a_slow_image_takes_its_time_and_others_of_the_node_wait_behind_it():
    pod = "{{apiVersion: v1, kind: Pod, metadata: {{name: {0}}}, spec: {{nodeName: n1, containers: [{{name: app, image: {0}}}]}}}}"
    story = play("@0s image nginx slow 10\n@0s kubectl apply -f a.yaml\n@1s kubectl apply -f b.yaml\n@60s end",
                 {"a.yaml": pod.format("nginx"), "b.yaml": pod.format("busybox")})
    [pulled] = [step for step in story.messages("ImagePulled") if step.facts["image"] == "nginx"]
    assert pulled.facts["ms"] == 29_520
    [behind] = [event.message for event in story.events("busybox", "Pulled") if "Successfully" in event.message][:1]
    assert behind.startswith('Successfully pulled image "busybox" in 120ms (28.') and "including waiting" in behind


def test_an_unreachable_registry_is_waited_for_half_a_minute():
    story = play("@0s registry docker.io unreachable\n@0s kubectl run web --image=nginx\n@20s registry docker.io mend\n@100s end")
    assert failures(story, "web") == [
        f'{RESOLVING}failed to do request: Head "https://registry-1.docker.io/v2/library/nginx/manifests/latest": '
        "dial tcp: lookup registry-1.docker.io: i/o timeout"]
    asked, failed = story.times("PullImage")[0], story.events("web", "Failed")[0].at
    assert 30 <= failed - asked < 30.1
    assert story.end().get("pods", "web")["status"]["phase"] == "Running"


def test_another_registry_is_not_concerned():
    story = play("@0s registry quay.io unreachable\n@0s kubectl run web --image=nginx\n@20s end")
    assert story.end().get("pods", "web")["status"]["phase"] == "Running"
