"""What `kubectl describe` prints, against recordings of a real cluster (golden/describe), and what it asks for."""
import json
from pathlib import Path

import pytest

from lifecycle.simulation.clock import Clock
from lifecycle.simulation.kubectl.printing.describe import Query, describe
from lifecycle.simulation.kubectl.printing.describe.generic import label
from lifecycle.simulation.kubectl.printing.explain import NoSuchField, explain
from lifecycle.simulation.objects import at
from lifecycle.simulation.resources import by_kind
from lifecycle.simulation.selectors import parse_label_selector

GOLDEN = Path(__file__).parent / "golden" / "describe"
RECORDED = sorted(path.stem for path in GOLDEN.glob("*.json"))


def golden(name):
    return json.loads((GOLDEN / f"{name}.json").read_text())


def lookup_in(things):
    """Answers queries out of a list of objects, as an API server would."""
    def lookup(query):
        found = [thing for thing in things if by_kind()[thing["apiVersion"], thing["kind"]].qualified == query.resource]
        found = [thing for thing in found if query.namespace in ("", thing["metadata"].get("namespace", ""))]
        if query.name:
            return next((thing for thing in found if thing["metadata"]["name"] == query.name), None)
        if query.labels:
            found = [thing for thing in found if parse_label_selector(query.labels)(thing["metadata"].get("labels") or {})]
        return [thing for thing in found if all(holds(term, thing) for term in query.fields.split(",") if term)]
    return lookup


def holds(term, thing):
    path, different, value = term.partition("!=") if "!=" in term else term.partition("=")
    return (at(thing, *path.split("."), default="") == value) == (different == "=")


def queries(qualified, thing, events=True):
    """What a description asks for, in order."""
    asked = []

    def nothing(query):
        asked.append(query)
        return None if query.name else []
    describe(qualified, thing, nothing, Clock(), events)
    return asked


def described(name, **changes):
    """The description of a recorded object, with changes to its spec."""
    case = golden(name)
    thing = {**case["object"], "spec": {**case["object"].get("spec", {}), **changes}}
    return describe(case["resource"], thing, lookup_in(case["related"]), Clock(now=case["now"], epoch=0))


@pytest.mark.parametrize("name", RECORDED)
def test_descriptions_read_as_recorded(name):
    assert described(name) == (GOLDEN / f"{name}.txt").read_text()


def test_a_deployment_asks_for_its_events_and_replica_sets_in_the_order_of_the_real_one():
    thing = golden("deployment")["object"]
    uid = thing["metadata"]["uid"]
    fields = f"involvedObject.name=web,involvedObject.namespace=sa2,involvedObject.kind=Deployment,involvedObject.uid={uid}"
    assert queries("deployments.apps", thing) == [Query("events", "sa2", fields=fields), Query("replicasets.apps", "sa2", labels="app=web")]
    # It should not ask for events that nobody wants to see.
    assert queries("deployments.apps", thing, events=False) == [Query("replicasets.apps", "sa2", labels="app=web")]


def test_a_node_asks_for_its_pods_its_events_twice_and_its_lease():
    asked = queries("nodes", golden("node")["object"])
    assert [(query.resource, query.namespace, query.name) for query in asked] == [
        ("pods", "", ""), ("events", "", ""), ("events", "", ""), ("resourceslices.resource.k8s.io", "", ""),
        ("leases.coordination.k8s.io", "kube-node-lease", "node-1")]
    assert asked[0].fields == "spec.nodeName=node-1,status.phase!=Succeeded,status.phase!=Failed"
    assert asked[2].fields.endswith("involvedObject.uid=node-1")


def test_descriptions_may_leave_the_events_out():
    case = golden("pod")
    text = describe(case["resource"], case["object"], lookup_in(case["related"]), Clock(now=case["now"], epoch=0), events=False)
    assert "Events:" not in text and text.startswith("Name:")


def test_a_pod_that_is_being_deleted_says_since_when():
    case = golden("pod")
    meta = {**case["object"]["metadata"], "deletionTimestamp": "2026-11-30T06:27:00Z", "deletionGracePeriodSeconds": 30}
    clock = Clock(now=Clock(epoch=0).parse("2026-11-30T06:27:12Z"), epoch=0)
    lines = describe("pods", {**case["object"], "metadata": meta}, lookup_in([]), clock).split("\n")
    assert "Status:                    Terminating (lasts 12s)" in lines
    assert "Termination Grace Period:  30s" in lines


def test_containers_tell_where_their_environment_comes_from():
    env = [{"name": "A", "value": "1"}, {"name": "P", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}},
           {"name": "I", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "status.podIP"}}},
           {"name": "M", "valueFrom": {"resourceFieldRef": {"resource": "limits.memory"}}},
           {"name": "C", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "100m"}}},
           {"name": "S", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k", "optional": True}}},
           {"name": "K", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "k"}}}]
    container = {"name": "app", "image": "demo:ok", "env": env, "envFrom": [{"prefix": "X_", "configMapRef": {"name": "all"}}],
                 "resources": {"limits": {"cpu": "250m"}}, "command": ["sh", "-c", "echo a\necho b"],
                 "livenessProbe": {"httpGet": {"path": "/healthz", "port": 8080, "scheme": "HTTP"}, "periodSeconds": 10, "timeoutSeconds": 1,
                                   "successThreshold": 1, "failureThreshold": 3}}
    lines = [" ".join(line.split()) for line in described("pod", containers=[container]).split("\n")]
    for line in ("A: 1", "P: p1 (v1:metadata.name)", "I: (v1:status.podIP)", "M: node allocatable (limits.memory)", "C: 3 (limits.cpu)",
                 "S: <set to the key 'k' in secret 's'> Optional: true", "K: <set to the key 'k' of config map 'c'> Optional: false",
                 "all ConfigMap with prefix 'X_' Optional: false", "echo a", "echo b",
                 "Liveness: http-get http://:8080/healthz delay=0s timeout=1s period=10s #success=1 #failure=3"):
        assert line in lines


def test_volumes_say_what_they_are():
    claim = "PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)"
    volumes = [{"name": "e", "emptyDir": {"sizeLimit": "1Gi"}}, {"name": "c", "persistentVolumeClaim": {"claimName": "data"}},
               {"name": "x", "csi": {"driver": "d", "volumeAttributes": {"a": "1", "b": "2"}}}, {"name": "u", "unheard": {}}]
    lines = ["  e:", "    Type:       EmptyDir (a temporary directory that shares a pod's lifetime)", "    Medium:     ", "    SizeLimit:  1Gi",
             "  c:", f"    Type:       {claim}", "    ClaimName:  data", "    ReadOnly:   false",
             "  x:", "    Type:              CSI (a Container Storage Interface (CSI) volume source)", "    Driver:            d", "    FSType:            ",
             "    ReadOnly:          false", "    VolumeAttributes:      a=1", "                           b=2", "  u:", "  <unknown>"]
    assert "\n".join(lines) in described("pod", volumes=volumes)


def test_a_node_adds_up_what_its_pods_request():
    case = golden("node")
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "n"}, "spec": {
        "nodeName": "node-1", "overhead": {"cpu": "10m"},
        "initContainers": [{"name": "side", "restartPolicy": "Always", "resources": {"requests": {"cpu": "100m"}}},
                           {"name": "init", "resources": {"requests": {"cpu": "700m", "memory": "1Gi"}}}],
        "containers": [{"name": "a", "resources": {"requests": {"cpu": "250m", "memory": "512Mi"}, "limits": {"memory": "1Gi"}}}]}}
    text = describe("nodes", case["object"], lookup_in([pod]), Clock(now=case["now"], epoch=0))
    assert "p       810m (40%)    0 (0%)      1Gi (25%)        1Gi (25%)      <unknown>" in text
    assert 'Lease:              Failed to get lease: leases.coordination.k8s.io "node-1" not found' in text


def test_an_ingress_says_which_backend_it_cannot_find():
    case = golden("ingress")
    text = describe(case["resource"], case["object"], lookup_in([]), Clock())
    assert 'web:80 (<error: services "web" not found>)' in text


@pytest.mark.parametrize(("field", "text"), [("creationTimestamp", "Creation Timestamp"), ("apiVersion", "API Version"), ("uid", "UID"),
                                             ("clusterIP", "Cluster IP"), ("podIPs", "Pod I Ps"), ("x.y/z", "x.y/z"), ("IPAddress", "IPAddress")])
def test_fields_of_unknown_kinds_get_readable_names(field, text):
    assert label(field) == text


def test_explain_prints_a_field_as_recorded():
    assert explain("apps", "v1", "Deployment", ["spec", "replicas"]) == (
        "GROUP:      apps\nKIND:       Deployment\nVERSION:    v1\n\nFIELD: replicas <integer>\n\n\nDESCRIPTION:\n"
        "    Number of desired pods. This is a pointer to distinguish between explicit\n    zero and not specified. Defaults to 1.\n    \n\n")


def test_explain_reads_the_schema_of_a_custom_resource():
    spec = {"type": "object", "required": ["cronSpec"],
            "properties": {"cronSpec": {"type": "string"}, "image": {"type": "string"}, "replicas": {"type": "integer"}}}
    assert explain("stable.example.com", "v1", "CronTab", ["spec"], schema={"type": "object", "properties": {"spec": spec}}) == (
        "GROUP:      stable.example.com\nKIND:       CronTab\nVERSION:    v1\n\nFIELD: spec <Object>\n\n\nDESCRIPTION:\n    <empty>\nFIELDS:\n"
        "  cronSpec\t<string> -required-\n    <no description>\n\n  image\t<string>\n    <no description>\n\n  replicas\t<integer>\n    <no description>\n\n\n")


def test_explain_lists_everything_below_when_asked_to():
    lines = explain("", "v1", "Pod", ["spec", "containers"], recursive=True).split("\n")
    assert lines[3] == "FIELD: containers <[]Container>"
    assert "  env\t<[]EnvVar>" in lines and "    valueFrom\t<EnvVarSource>" in lines and "      fieldRef\t<ObjectFieldSelector>" in lines
    assert "  enum: Always, IfNotPresent, Never" in lines


def test_explain_says_which_field_does_not_exist():
    with pytest.raises(NoSuchField, match='field "nope" does not exist') as error:
        explain("", "v1", "Pod", ["spec", "nope"])
    assert error.value.printed == "KIND:       Pod\nVERSION:    v1\n\n"
