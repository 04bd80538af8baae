"""What becomes of a bound claim when something happens to its volume."""
import pytest

from .builders import a_cluster, create, every, get, run
from .changes import delete, patch


def a_volume(name="pv", size="5Gi"):
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name},
            "spec": {"capacity": {"storage": size}, "accessModes": ["ReadWriteOnce"], "storageClassName": "manual", "persistentVolumeReclaimPolicy": "Retain",
                     "hostPath": {"path": "/data"}}}


def a_claim(name="data"):
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name, "namespace": "default"},
            "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "manual", "resources": {"requests": {"storage": "4Gi"}}}}


@pytest.fixture
def cluster():
    """A claim that is bound to a volume made by hand."""
    made = a_cluster()
    create(made, a_volume())
    create(made, a_claim())
    run(made, 20)
    assert get(made, "persistentvolumeclaims", "data")["status"]["phase"] == "Bound"
    return made


def phase(cluster, qualified, name, namespace="default"):
    return get(cluster, qualified, name, namespace)["status"]["phase"]


def test_a_volume_that_forgot_its_claim_is_bound_again_when_the_controller_next_looks(cluster):
    patch(cluster, "persistentvolumes", "pv", {"spec": {"claimRef": None}}, namespace="")
    run(cluster, 1)
    assert phase(cluster, "persistentvolumes", "pv", "") == "Available"
    assert phase(cluster, "persistentvolumeclaims", "data") == "Bound"
    run(cluster, 15)
    assert phase(cluster, "persistentvolumes", "pv", "") == "Bound"
    assert get(cluster, "persistentvolumes", "pv", "")["spec"]["claimRef"]["name"] == "data"
    assert cluster.queue.due() is None


def test_a_claim_whose_volume_was_taken_by_another_is_lost(cluster):
    reference = {"kind": "PersistentVolumeClaim", "namespace": "default", "name": "other", "uid": "11111111-1111-1111-1111-111111111111"}
    patch(cluster, "persistentvolumes", "pv", {"spec": {"claimRef": reference}}, namespace="")
    patch(cluster, "persistentvolumeclaims", "data", {"metadata": {"labels": {"look": "again"}}})
    run(cluster, 1)
    assert phase(cluster, "persistentvolumeclaims", "data") == "Lost"
    (event,) = [each for each in every(cluster, "events") if each["type"] == "Warning"]
    assert (event["reason"], event["message"]) == ("ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly")


def test_a_claim_whose_volume_is_gone_is_lost(cluster):
    delete(cluster, "persistentvolumes", "pv", namespace="")
    patch(cluster, "persistentvolumes", "pv", {"metadata": {"finalizers": None}}, namespace="")
    patch(cluster, "persistentvolumeclaims", "data", {"metadata": {"labels": {"look": "again"}}})
    run(cluster, 1)
    assert get(cluster, "persistentvolumes", "pv", "") is None
    assert phase(cluster, "persistentvolumeclaims", "data") == "Lost"
    (event,) = [each for each in every(cluster, "events") if each["reason"] == "ClaimLost"]
    assert event["message"] == "Bound claim has lost its PersistentVolume. Data on the volume is lost!"
