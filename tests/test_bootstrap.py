"""A new cluster: what is there, and that it is quiet."""
from .builders import a_cluster, every, get


def test_a_new_cluster_is_silent_and_has_nothing_to_do(cluster):
    assert cluster.log.steps == [] and len(cluster.queue) == 0 and cluster.clock.now == 0


def test_every_namespace_has_its_account_and_its_certificate(cluster):
    names = [namespace["metadata"]["name"] for namespace in every(cluster, "namespaces")]

    assert names == ["default", "kube-node-lease", "kube-public", "kube-system"]
    for name in names:
        assert get(cluster, "serviceaccounts", "default", name) and get(cluster, "configmaps", "kube-root-ca.crt", name)["data"]["ca.crt"]


def test_nodes_are_ready_and_open_for_pods():
    cluster = a_cluster(nodes=5, cpu="8", memory="16Gi")
    nodes = every(cluster, "nodes")

    assert [node["metadata"]["name"] for node in nodes] == ["n1", "n2", "n3", "n4", "n5"]
    for node in nodes:
        assert node["status"]["allocatable"]["cpu"] == "8" and "taints" not in node["spec"]
        assert {one["type"]: one["status"] for one in node["status"]["conditions"]}["Ready"] == "True"
    assert len(every(cluster, "leases.coordination.k8s.io", "kube-node-lease")) == 5


def test_the_api_server_is_a_service_too(cluster):
    service = get(cluster, "services", "kubernetes")

    assert service["spec"]["clusterIP"] == "10.96.0.1"
    assert get(cluster, "endpointslices.discovery.k8s.io", "kubernetes")["endpoints"][0]["conditions"] == {"ready": True}


def test_two_clusters_from_one_seed_are_the_same():
    first, second = a_cluster(seed=7), a_cluster(seed=7)

    assert [change[:5] for change in first.etcd.history] == [change[:5] for change in second.etcd.history]
    assert a_cluster(seed=8).etcd.history[0].object != first.etcd.history[0].object
