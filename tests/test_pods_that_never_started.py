"""What is told of a Pod whose image never came, when it is deleted."""
from .builders import a_cluster, a_pod, create, run
from .changes import delete, history


def waiting(cluster):
    """The reasons for which the container waited, one after the other."""
    reasons = []
    for pod in history(cluster, "pods", "web"):
        for status in pod["status"].get("containerStatuses", ()):
            reason = status["state"].get("waiting", {}).get("reason")
            if reason and reasons[-1:] != [reason]:
                reasons.append(reason)
    return reasons


def test_nobody_waits_for_an_image_any_more_once_the_pod_is_deleted():
    cluster = a_cluster()
    create(cluster, a_pod(image="demo:missing"))
    run(cluster, 60)
    assert waiting(cluster)[-1] in ("ErrImagePull", "ImagePullBackOff")
    delete(cluster, "pods", "web")
    run(cluster, 10)
    assert waiting(cluster)[-1] == "ContainerCreating"
