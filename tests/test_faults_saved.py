"""A cluster in which something is broken can be put down between any two work items, too."""
import pytest

from . import test_saving as saving

STORIES = {
    "nodes": [
        (0, "kubectl create deployment web --image=nginx --replicas=4"), (15, "node n1 partition"), (20, "node n2 cni fail"), (25, "node n3 clock 5m"),
        (26, "kubectl scale deployment web --replicas=6"), (40, "node n2 cni mend"), (90, "node n2 shutdown"), (140, "node n1 heal"), (150, "node n2 up"),
        (160, "node n3 pid-pressure on"), (200, None)],
    "containers and images": [
        (0, "kubectl apply -f loop.yaml"), (0, "image nginx slow 10"), (1, "kubectl run web --image=nginx"),
        (10, "container loop hang"), (40, "container loop resume"),
        (45, "container loop liveness fail"), (70, "container loop liveness mend"), (71, "container web crash"), (80, "registry docker.io unreachable"),
        (81, "container web oom"), (120, None)],
    "storage": [
        (0, "csi attach slow 20"), (0, "kubectl apply -f all.yaml"), (30, "csi mount fail"), (31, "kubectl scale deployment web --replicas=4"),
        (50, "csi mount mend"), (60, "etcd read-only"), (61, "kubectl delete deployment web"), (62, "kubectl run other --image=nginx"), (70, "etcd down"),
        (80, "etcd mend"), (120, None)],
    "components": [
        (0, "component scheduler slow"), (0, "component controller-manager slow 50"), (1, "kubectl create deployment web --image=nginx --replicas=3"),
        (5, "component kubelet slow 10"), (6, "component scheduler watch expire"), (10, "component replicaset watch drop"), (10, "clock 2m"),
        (20, "kubectl delete pods --all --wait=false"), (25, "component scheduler mend"), (60, None)],
}


@pytest.mark.parametrize("every", [7, 100])
@pytest.mark.parametrize("name", STORIES)
def test_saving_and_loading_in_between_changes_nothing(name, every):
    messages, state = saving.play(STORIES[name], 0)
    interrupted, other = saving.play(STORIES[name], every)
    for number, (one, two) in enumerate(zip(messages, interrupted)):
        assert one == two, number
    assert len(messages) == len(interrupted)
    assert state == other
