"""A Service with more Pods than fit into one EndpointSlice."""
import pytest

from .builders import a_cluster, a_deployment, a_service, create, every, run, said
from .changes import delete, scale

SLICES = "endpointslices.discovery.k8s.io"


@pytest.fixture
def cluster():
    """A Service with 105 Pods on three nodes."""
    made = a_cluster(cpu="64", memory="256Gi", nodes=3)
    create(made, a_service())
    create(made, a_deployment(replicas=105))
    run(made, 60)
    return made


def slices(cluster):
    return [each for each in every(cluster, SLICES) if each["metadata"]["labels"]["kubernetes.io/service-name"] == "web"]


def sizes(cluster):
    return sorted(len(each.get("endpoints") or ()) for each in slices(cluster))


def test_what_the_controller_deletes_itself_is_no_reason_to_look_again(cluster):
    assert sum(sizes(cluster)) == 105 and max(sizes(cluster)) <= 100
    before = len(cluster.log.steps)
    scale(cluster, 0)
    run(cluster, 60)
    assert sizes(cluster) == [0]
    steps = cluster.log.steps[before:]
    assert [step for step in steps if step.reason == "DeleteEndpointSlice"]
    assert not [step for step in steps if step.reason == "WatchDeleted" and SLICES.partition(".")[0] in str(step.object)]


def test_a_slice_that_somebody_else_deletes_comes_back(cluster):
    for each in slices(cluster):
        delete(cluster, SLICES, each["metadata"]["name"])
    run(cluster, 5)
    assert sum(sizes(cluster)) == 105
    assert said(cluster, "WatchDeleted")
