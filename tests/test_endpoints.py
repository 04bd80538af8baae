"""Which addresses stand behind a Service, in EndpointSlices and in the older Endpoints."""
from lifecycle.simulation.control_plane.controllers.endpointslice.placement import placed

from .builders import a_cluster, a_deployment, a_pod, a_service, create, every, get, run, said
from .changes import delete, history, patch, scale

SLICES = "endpointslices.discovery.k8s.io"
TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time"


def served(replicas=3, service=None, **deployment):
    """A cluster with a Service and a finished Deployment behind it."""
    cluster = a_cluster(cpu="64", memory="256Gi")
    assert create(cluster, service or a_service()).ok
    assert create(cluster, a_deployment(replicas=replicas, **deployment)).ok
    run(cluster, 30)
    return cluster


def slices(cluster):
    return [each for each in every(cluster, SLICES, "default") if each["metadata"]["name"] != "kubernetes"]


def conditions(cluster, pod):
    """(ready, serving, terminating) of a Pod's endpoint as it went; None once it is gone."""
    seen = []
    name = next(each["metadata"]["name"] for each in slices(cluster) if each["metadata"]["labels"]["kubernetes.io/service-name"] == "web")
    for each in history(cluster, SLICES, name):
        found = [tuple(endpoint["conditions"].values()) for endpoint in each["endpoints"] or () if endpoint["targetRef"]["name"] == pod]
        seen.append(found[0] if found else None)
    return [now for before, now in zip([None, *seen], seen, strict=False) if now != before]


def test_a_service_without_pods_gets_an_empty_slice_and_empty_endpoints(cluster):
    create(cluster, a_service())
    run(cluster, 1)
    (only,) = slices(cluster)
    assert only["metadata"]["generateName"] == "web-" and only["addressType"] == "IPv4"
    assert only["endpoints"] is None and only["ports"] is None
    assert only["metadata"]["labels"] == {"endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io", "kubernetes.io/service-name": "web"}
    assert only["metadata"]["annotations"] == {TRIGGER: get(cluster, "services", "web")["metadata"]["creationTimestamp"]}
    assert only["metadata"]["ownerReferences"][0]["kind"] == "Service"
    older = get(cluster, "endpoints", "web")
    assert "subsets" not in older and older["metadata"]["labels"] == {"endpoints.kubernetes.io/managed-by": "endpoint-controller"}


def test_a_service_without_selector_gets_neither(cluster):
    service = a_service()
    create(cluster, {**service, "spec": {"ports": [{"port": 80}]}})
    run(cluster, 1)
    assert not slices(cluster) and get(cluster, "endpoints", "web") is None


def test_ready_pods_are_listed_with_address_node_and_reference():
    cluster = served(2)
    (only,) = slices(cluster)
    pods = {pod["metadata"]["name"]: pod for pod in every(cluster, "pods")}
    assert only["ports"] == [{"name": "", "protocol": "TCP", "port": 80}]
    for endpoint in only["endpoints"]:
        pod = pods.pop(endpoint["targetRef"]["name"])
        reference = {"kind": "Pod", "namespace": "default", "name": pod["metadata"]["name"], "uid": pod["metadata"]["uid"]}
        assert endpoint == {"addresses": [pod["status"]["podIP"]], "conditions": {"ready": True, "serving": True, "terminating": False},
                            "targetRef": reference, "nodeName": pod["spec"]["nodeName"]}
    assert not pods
    (subset,) = get(cluster, "endpoints", "web")["subsets"]
    assert subset["ports"] == [{"port": 80, "protocol": "TCP"}]
    assert [each["ip"] for each in subset["addresses"]] == sorted(pod["status"]["podIP"] for pod in every(cluster, "pods"))


def test_a_deleted_pod_is_flagged_first_and_removed_when_it_has_ended():
    cluster = served(1, template={"containers": [{"name": "app", "image": "demo:ok", "lifecycle": {"preStop": {"sleep": {"seconds": 3}}}}]})
    name = every(cluster, "pods")[0]["metadata"]["name"]
    delete(cluster, "pods", name)
    run(cluster, 30)
    assert conditions(cluster, name)[-3:] == [(True, True, False), (False, True, True), None]


def test_unready_pods_are_listed_as_such_unless_the_service_wants_them_all():
    probe = {"readinessProbe": {"exec": {"command": ["false"]}}}
    everything = a_service("all", {"app": "web"}, publishNotReadyAddresses=True)
    cluster = served(1, template={"containers": [{"name": "app", "image": "demo:ok", **probe}]})
    create(cluster, everything)
    run(cluster, 2)
    found = {each["metadata"]["labels"]["kubernetes.io/service-name"]: each["endpoints"][0]["conditions"] for each in slices(cluster)}
    assert found == {"web": {"ready": False, "serving": False, "terminating": False}, "all": {"ready": True, "serving": False, "terminating": False}}
    assert "notReadyAddresses" in get(cluster, "endpoints", "web")["subsets"][0]
    assert "addresses" in get(cluster, "endpoints", "all")["subsets"][0]


def test_a_named_target_port_is_looked_up_in_each_pod(cluster):
    create(cluster, a_service(ports=[{"name": "http", "port": 80, "targetPort": "web"}]))
    for name, port in (("a", 8080), ("b", 9090)):
        create(cluster, a_pod(name, labels={"app": "web"}, container={"ports": [{"name": "web", "containerPort": port}]}))
    create(cluster, a_pod("c", labels={"app": "web"}))
    run(cluster, 20)
    found = {tuple(endpoint["targetRef"]["name"] for endpoint in each["endpoints"]): [port["port"] for port in each["ports"]] for each in slices(cluster)}
    assert found == {("a",): [8080], ("b",): [9090], ("c",): []}
    assert [[port["port"] for port in subset.get("ports", ())] for subset in get(cluster, "endpoints", "web")["subsets"]] == [[], [8080], [9090]]


def test_the_labels_of_the_service_are_passed_on_and_a_headless_one_is_marked(cluster):
    service = a_service(clusterIP="None")
    create(cluster, {**service, "metadata": {**service["metadata"], "labels": {"team": "a"}}})
    run(cluster, 1)
    assert {"team": "a", "service.kubernetes.io/headless": ""}.items() <= slices(cluster)[0]["metadata"]["labels"].items()
    patch(cluster, "services", "web", {"metadata": {"labels": {"team": "b"}}})
    run(cluster, 1)
    assert slices(cluster)[0]["metadata"]["labels"]["team"] == "b"
    assert get(cluster, "endpoints", "web")["metadata"]["labels"]["team"] == "b"


def test_a_slice_holds_a_hundred_endpoints():
    cluster = served(120)
    assert sorted(len(each["endpoints"]) for each in slices(cluster)) == [20, 100]
    scale(cluster, 3)
    run(cluster, 60)
    assert sum(len(each["endpoints"]) for each in slices(cluster)) == 3
    assert len(get(cluster, "endpoints", "web")["subsets"][0]["addresses"]) == 3


def test_a_slice_that_somebody_removed_comes_back():
    cluster = served(2)
    delete(cluster, SLICES, slices(cluster)[0]["metadata"]["name"])
    run(cluster, 1)
    assert len(slices(cluster)[0]["endpoints"]) == 2


def test_when_the_last_pod_goes_the_slice_stays_and_is_empty():
    cluster = served(1)
    name = slices(cluster)[0]["metadata"]["name"]
    scale(cluster, 0)
    run(cluster, 60)
    (left,) = slices(cluster)
    assert (left["metadata"]["name"], left["endpoints"], left["ports"]) == (name, None, None)


def test_without_the_service_both_go():
    cluster = served(1)
    delete(cluster, "services", "web")
    run(cluster, 2)
    assert not slices(cluster) and get(cluster, "endpoints", "web") is None
    assert [step.facts["controller"] for step in said(cluster, "DeleteEndpointSlice")] == ["garbage-collector"]


def test_the_trigger_time_is_that_of_the_readiness_that_changed():
    cluster = served(1)
    pod = every(cluster, "pods")[0]
    ready = next(each for each in pod["status"]["conditions"] if each["type"] == "Ready")
    assert slices(cluster)[0]["metadata"]["annotations"][TRIGGER] == ready["lastTransitionTime"]
    delete(cluster, "pods", pod["metadata"]["name"])
    run(cluster, 0.1)
    assert TRIGGER not in slices(cluster)[0]["metadata"].get("annotations", {})


class TestPlacement:
    """Which slices are written."""

    ports = [{"name": "", "protocol": "TCP", "port": 80}]

    def endpoints(self, first, number):
        return [{"addresses": [f"10.0.0.{name}"], "targetRef": {"name": f"p{name}"}} for name in range(first, first + number)]

    def place(self, sizes, add=0, remove=()):
        existing, first = {}, 0
        for number, size in enumerate(sizes):
            existing[f"s{number}"] = {"endpoints": self.endpoints(first, size), "ports": self.ports}
            first += size
        wanted = {endpoint["targetRef"]["name"]: (endpoint, self.ports) for endpoint in self.endpoints(first, add)}
        created, updated, deleted = placed(existing, {**wanted, **dict.fromkeys(remove)})
        return [len(these) for these, _ in created], {name: len(these or ()) for name, (these, _) in updated.items()}, deleted

    def test_new_endpoints_go_where_they_fit_most_closely(self):
        assert self.place([90, 40], add=5) == ([], {"s0": 95}, [])

    def test_what_fits_in_no_slice_gets_its_own(self):
        assert self.place([99, 98], add=5) == ([5], {}, [])

    def test_slices_that_are_written_anyway_are_filled_first(self):
        assert self.place([100, 50], add=3, remove=["p0"]) == ([], {"s0": 100, "s1": 52}, [])

    def test_a_slice_that_gets_empty_is_deleted_unless_it_is_the_last(self):
        assert self.place([1, 50], remove=["p0"]) == ([], {}, ["s0"])
        assert self.place([1], remove=["p0"]) == ([], {"s0": 0}, [])

    def test_many_fill_whole_slices(self):
        assert self.place([], add=250) == ([100, 100, 50], {}, [])
