"""Pods whose node depends on their volumes."""
from .builders import a_pod, create, get, kubectl, run, said
from .scheduling import admin, failures, node_of, place, why


def a_claim(name="data", storage_class=None, size="1Gi", mode="ReadWriteOnce"):
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name, "namespace": "default"},
            "spec": {"accessModes": [mode], "resources": {"requests": {"storage": size}}, **({"storageClassName": storage_class} if storage_class else {})}}


def a_class(name, provisioner="kubernetes.io/no-provisioner", mode="WaitForFirstConsumer"):
    return {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": name}, "provisioner": provisioner, "volumeBindingMode": mode}


def a_volume(name, storage_class, node=None, size="2Gi"):
    terms = [{"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": [node]}]}]
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name},
            "spec": {"capacity": {"storage": size}, "accessModes": ["ReadWriteOnce"], "storageClassName": storage_class, "hostPath": {"path": f"/tmp/{name}"},
                     **({"nodeAffinity": {"required": {"nodeSelectorTerms": terms}}} if node else {})}}


def using(claim="data", **spec):
    return {"volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": claim}}], **spec}


def test_a_claim_that_waits_for_its_first_consumer_is_made_where_the_pod_goes(cluster):
    create(cluster, a_claim())
    create(cluster, a_pod("web", **using()))
    run(cluster, 15)
    node = node_of(cluster, "web")
    assert node is not None
    claim = get(cluster, "persistentvolumeclaims", "data")
    assert claim["metadata"]["annotations"]["volume.kubernetes.io/selected-node"] == node
    assert claim["status"]["phase"] == "Bound"
    # It should announce the node, then ask for the volume, and look every second whether it is there
    requests = [step for step in cluster.log.steps if step.source == "scheduler" and step.target == "apiserver" and step.reason != "CreateEvent"]
    assert [step.reason for step in requests] == ["PatchPodStatus", "UpdatePersistentVolumeClaim", "CreatePodBinding"]
    asked, bound = requests[1].at, requests[2].at
    assert (bound - asked) % 1000 <= 10
    assert bound - asked >= 1000


def test_a_waiting_pod_has_its_place_already(cluster):
    create(cluster, a_class("slow", "nobody.example.com/disk"))
    create(cluster, a_claim(storage_class="slow"))
    create(cluster, a_pod("web", **using(container={"resources": {"requests": {"cpu": "1500m"}}})))
    run(cluster, 5)
    node = get(cluster, "pods", "web")["status"]["nominatedNodeName"]
    others = [place(cluster, a_pod(f"p{number}", container={"resources": {"requests": {"cpu": "1500m"}}})) for number in range(2)]
    assert node_of(cluster, "web") is None
    assert node not in others
    # It should give up after ten minutes and try again
    run(cluster, 610)
    assert 'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded' in failures(cluster, "web")


def test_a_hand_made_volume_decides_the_node(cluster):
    create(cluster, a_class("wffc"))
    create(cluster, a_claim(storage_class="wffc"))
    create(cluster, a_pod("web", **using()))
    run(cluster, 1)
    assert why(cluster, "web") == ("0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind. "
                                   "no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.")
    create(cluster, a_volume("small", "wffc", "n1", size="500Mi"))
    create(cluster, a_volume("fits", "wffc", "n3"))
    run(cluster, 20)
    assert node_of(cluster, "web") == "n3"
    assert get(cluster, "persistentvolumeclaims", "data")["spec"]["volumeName"] == "fits"


def test_an_immediate_claim_must_be_bound_first(cluster):
    create(cluster, a_class("now", "nobody.example.com/disk", "Immediate"))
    create(cluster, a_claim(storage_class="now"))
    create(cluster, a_pod("web", **using()))
    run(cluster, 1)
    assert why(cluster, "web") == "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found"
    create(cluster, a_volume("made", "now", "n2"))
    run(cluster, 40)
    assert node_of(cluster, "web") == "n2"


def test_a_claim_that_is_being_deleted_takes_no_new_pods(cluster):
    create(cluster, a_claim())
    place(cluster, a_pod("first", **using()), seconds=15)
    kubectl(cluster, "kubectl delete pvc data --wait=false")
    create(cluster, a_pod("second", **using()))
    run(cluster, 1)
    assert why(cluster, "second") == '0/3 nodes are available: persistentvolumeclaim "data" is being deleted. not found'


def test_a_bound_volume_keeps_its_pods_on_its_node(cluster):
    create(cluster, a_class("wffc"))
    create(cluster, a_volume("local", "wffc", "n2"))
    create(cluster, a_claim(storage_class="wffc"))
    place(cluster, a_pod("first", **using()), seconds=15)
    kubectl(cluster, "kubectl cordon n2")
    create(cluster, a_pod("second", **using()))
    run(cluster, 1)
    assert why(cluster, "second").startswith("0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match PersistentVolume's node affinity. ")


def test_a_claim_for_one_pod_only_is_not_shared(cluster):
    create(cluster, a_claim(mode="ReadWriteOncePod"))
    place(cluster, a_pod("first", **using()), seconds=15)
    create(cluster, a_pod("second", **using()))
    run(cluster, 1)
    assert why(cluster, "second").startswith(
        "0/3 nodes are available: 3 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod. ")
    kubectl(cluster, "kubectl delete pod first --force --grace-period=0")
    run(cluster, 5)
    assert node_of(cluster, "second") is not None


def test_a_driver_attaches_only_so_many_volumes_to_a_node(cluster):
    driver = get(cluster, "storageclasses.storage.k8s.io", "standard", "")["provisioner"]
    for node in ("n1", "n2", "n3"):
        limit = {"spec": {"drivers": [{"name": driver, "nodeID": node, "topologyKeys": None, "allocatable": {"count": 1}}]}}
        assert admin(cluster).patch("csinodes.storage.k8s.io", "", node, limit, patch_type="merge").ok
    for number in range(4):
        create(cluster, a_claim(f"c{number}"))
        create(cluster, a_pod(f"p{number}", **using(f"c{number}")))
        run(cluster, 20)
    assert sorted(node_of(cluster, f"p{number}") for number in range(3)) == ["n1", "n2", "n3"]
    assert why(cluster, "p3").startswith("0/3 nodes are available: 3 node(s) exceed max volume count. ")
    assert len(said(cluster, "CreatePodBinding")) == 3
