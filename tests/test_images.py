"""Image names, and what comes of a pull."""
import pytest

from lifecycle.simulation.node import images

from .builders import a_pod, create, every, get, run, said


@pytest.mark.parametrize(("name", "reference"), [
    ("nginx", "docker.io/library/nginx:latest"),
    ("bitnami/redis:7", "docker.io/bitnami/redis:7"),
    ("localhost:5000/app", "localhost:5000/app:latest"),
    ("registry.k8s.io/pause:3.10", "registry.k8s.io/pause:3.10"),
    ("nginx@sha256:" + "a" * 64, "docker.io/library/nginx@sha256:" + "a" * 64),
])
def test_short_names_are_completed(name, reference):
    assert images.canonical(name) == reference


@pytest.mark.parametrize("name", ["UPPER", "nginx:", "a//b", ":tag", "nginx:a b", "-x"])
def test_some_names_are_none(name):
    with pytest.raises(images.InvalidReference):
        images.canonical(name)


def waiting(cluster, name):
    return get(cluster, "pods", name)["status"]["containerStatuses"][0]["state"]["waiting"]


def test_an_image_that_is_not_there_is_asked_for_again_after_ever_longer_waits(cluster):
    create(cluster, a_pod("web", image="demo:missing", nodeName="n1"))
    run(cluster, 200)
    pulls = [step.at for step in said(cluster, "PullImage")]
    for wait, backoff in zip((later - earlier for earlier, later in zip(pulls, pulls[1:])), (10_000, 20_000, 40_000, 80_000)):
        # The next sync after the back-off, and those come every ten to fifteen seconds.
        assert backoff <= wait <= backoff + 16_000
    assert waiting(cluster, "web")["reason"] in ("ErrImagePull", "ImagePullBackOff")
    assert get(cluster, "pods", "web")["status"]["phase"] == "Pending"


def test_a_good_image_name_lets_the_pod_run_after_all(cluster):
    create(cluster, a_pod("web", image="demo:missing", nodeName="n1"))
    run(cluster, 20)
    cluster.api.http("PATCH", "/api/v1/namespaces/default/pods/web", {}, {"spec": {"containers": [{"name": "app", "image": "demo:ok"}]}},
                     "application/strategic-merge-patch+json")
    run(cluster, 5)
    status = get(cluster, "pods", "web")["status"]
    assert status["phase"] == "Running"
    assert status["containerStatuses"][0]["restartCount"] == 0


@pytest.mark.parametrize(("image", "policy", "reason", "text"), [
    ("Bad_Image", "IfNotPresent", "InvalidImageName", "repository name (library/Bad_Image) must be lowercase"),
    ("redis:7", "Never", "ErrImageNeverPull", 'Container image "redis:7" is not present with pull policy of Never'),
])
def test_some_images_are_not_even_asked_for(cluster, image, policy, reason, text):
    create(cluster, a_pod("web", image=image, nodeName="n1", container={"imagePullPolicy": policy}))
    run(cluster, 5)
    assert waiting(cluster, "web")["reason"] == reason
    assert text in waiting(cluster, "web")["message"]
    assert not said(cluster, "PullImage")


def test_pulls_of_one_node_wait_for_each_other_and_layers_are_pulled_once(cluster):
    for name in ("a", "b"):
        create(cluster, a_pod(name, image="nginx:1.27", nodeName="n1"))
    create(cluster, a_pod("c", image="nginx:1.27", nodeName="n2"))
    run(cluster, 20)
    pulled = {step.facts["pod"]: step for step in said(cluster, "ImagePulled")}
    assert pulled["b"].at - pulled["a"].at == images.RESOLVE
    assert pulled["c"].facts["ms"] == pulled["a"].facts["ms"] > 2_000
    told = [event["message"] for event in every(cluster, "events") if event["reason"] == "Pulled" and event["involvedObject"]["name"] == "b"]
    assert told[0].startswith('Successfully pulled image "nginx:1.27" in 34ms (2.9')


def test_images_do_what_their_names_promise(cluster):
    create(cluster, a_pod("once", image="hello-world", nodeName="n1", restartPolicy="Never"))
    create(cluster, a_pod("box", image="busybox", nodeName="n1", restartPolicy="Never"))
    create(cluster, a_pod("db", image="postgres:16", nodeName="n1", restartPolicy="Never"))
    run(cluster, 30)
    kubelet = cluster.components["kubelet"]
    assert "Hello from Docker!" in kubelet.logs("default", "once", "app", {})[0]
    # A shell without a terminal ends at once; a database without a password refuses to start.
    assert [get(cluster, "pods", name)["status"]["phase"] for name in ("once", "box", "db")] == ["Succeeded", "Succeeded", "Failed"]
    assert "POSTGRES_PASSWORD" in kubelet.logs("default", "db", "app", {})[0]
