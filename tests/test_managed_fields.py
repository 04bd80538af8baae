"""Who owns which field: managedFields. Entries are those of a real v1.36 API server."""
import json
from pathlib import Path

import pytest

from lifecycle.simulation.control_plane.apiserver.decode import decode
from lifecycle.simulation.control_plane.apiserver.field_sets import from_fields_v1, path_text, to_fields_v1
from lifecycle.simulation.control_plane.apiserver.managed_fields import decoded, encoded
from lifecycle.simulation.control_plane.etcd import Manager

from .builders import a_deployment, a_pod
from .test_server_side_apply import Story, a_config, fields_of, managed_fields, writer


@pytest.mark.parametrize("kind", ["deployment", "pod"])
def test_the_entries_of_a_real_server_are_reckoned_from_the_revisions(kind):
    case = json.loads((Path(__file__).parent / "golden/managed_fields.json").read_text())[kind]
    assert managed_fields([(thing, manager and Manager(*manager)) for thing, manager in case["revisions"]]) == case["managedFields"]


def test_a_creator_owns_what_it_sent_and_what_was_defaulted():
    web = {**a_deployment(labels={"app": "web"})}
    web["spec"] |= {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%"}}, "progressDeadlineSeconds": 600}
    web["spec"]["template"]["spec"]["containers"][0] |= {"ports": [{"containerPort": 80, "protocol": "TCP"}], "resources": {}}
    [entry] = managed_fields([(decode(web, ("apps", "v1", "Deployment"))[0], writer("kubectl-client-side-apply", version="apps/v1"))])
    assert entry == {
        "manager": "kubectl-client-side-apply", "operation": "Update", "apiVersion": "apps/v1", "time": "2026-01-01T00:00:01Z", "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {
            "f:progressDeadlineSeconds": {}, "f:replicas": {}, "f:selector": {},
            "f:strategy": {"f:rollingUpdate": {".": {}, "f:maxSurge": {}}, "f:type": {}},
            "f:template": {
                "f:metadata": {"f:labels": {".": {}, "f:app": {}}},
                "f:spec": {"f:containers": {'k:{"name":"app"}': {
                    ".": {}, "f:image": {}, "f:name": {}, "f:resources": {},
                    "f:ports": {".": {}, 'k:{"containerPort":80,"protocol":"TCP"}': {".": {}, "f:containerPort": {}, "f:protocol": {}}}}}}}}}}


def test_what_the_server_puts_into_a_new_pod_belongs_to_nobody():
    mount = {"name": "kube-api-access-x", "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount", "readOnly": True}
    pod = a_pod(container={"volumeMounts": [mount]}, volumes=[{"name": "kube-api-access-x", "projected": {}}], serviceAccountName="default", priority=0,
                tolerations=[{"key": "x"}], hostname="h")
    [entry] = managed_fields([({**pod, "status": {"phase": "Pending"}}, writer())])
    assert entry["fieldsV1"] == {"f:spec": {"f:containers": {'k:{"name":"app"}': {".": {}, "f:image": {}, "f:name": {}}}, "f:hostname": {}}}


def test_the_writer_of_a_status_owns_it_by_condition():
    pod = a_pod()
    ready = {**pod, "status": {"conditions": [{"type": "Ready", "status": "True", "lastProbeTime": None}], "phase": "Running"}}
    entries = managed_fields([({**pod, "status": {}}, writer()), (ready, writer("kubelet", "2026-01-01T00:00:05Z", "status"))])
    assert entries[1]["subresource"] == "status"
    assert entries[1]["fieldsV1"] == {"f:status": {
        "f:conditions": {".": {}, 'k:{"type":"Ready"}': {".": {}, "f:lastProbeTime": {}, "f:status": {}, "f:type": {}}}, "f:phase": {}}}


def test_an_update_takes_what_it_changes_from_its_owner_and_what_it_removes_from_everybody():
    story = Story((a_config({"a": "1", "b": "1", "c": "1"}), writer("one")), (a_config({"a": "2", "b": "1"}), writer("two", "2026-01-01T00:00:03Z")))
    assert fields_of(story.entries) == {"one": {"f:data": {".": {}, "f:b": {}}}, "two": {"f:data": {"f:a": {}}}}


def test_a_manager_who_comes_again_has_one_entry_with_the_new_time():
    story = Story((a_config({"a": "1"}), writer("one", "t1")), (a_config({"a": "1", "b": "1"}), writer("one", "t2")))
    [entry] = story.entries
    assert entry["time"] == "t2" and entry["fieldsV1"] == {"f:data": {".": {}, "f:a": {}, "f:b": {}}}


def test_appliers_come_first_then_the_older_entries():
    story = Story((a_config({"a": "1"}), writer("b", "2026-01-01T00:00:03Z")), (a_config({"a": "1", "c": "1"}), writer("a", "2026-01-01T00:00:02Z")))
    story.apply({"d": "1"}, "z", time="2026-01-01T00:00:09Z")
    assert [entry["manager"] for entry in story.entries] == ["z", "a", "b"]


def test_deletion_marks_and_bindings_are_nobodys_work():
    pod = a_pod()
    bound = {**pod, "spec": {**pod["spec"], "nodeName": "n1"}}
    deleting = {**bound, "metadata": {**bound["metadata"], "deletionTimestamp": "2026-01-01T00:00:30Z"}}
    before = managed_fields([(pod, writer())])
    assert managed_fields([(pod, writer()), (bound, writer("kube-scheduler", subresource="binding")), (deleting, None)]) == before


def test_a_history_can_start_from_entries_that_were_reckoned_before():
    first, second = (a_config({"a": "1"}), writer("one")), (a_config({"a": "2", "b": "1"}), writer("two", "2026-01-01T00:00:03Z"))
    start = (first[0], managed_fields([first]))
    assert managed_fields([second], start=start) == managed_fields([first, second])
    assert encoded(decoded(start[1])) == start[1]


def test_field_sets_are_written_and_read_back():
    fields = {"f:a": {".": {}, "f:b": {}}, "f:c": {'k:{"name":"x"}': {"f:d": {}}}, "f:e": {'v:"y"': {}}}
    assert to_fields_v1(from_fields_v1(fields)) == fields
    assert sorted(map(path_text, from_fields_v1(fields))) == [".a", ".a.b", '.c[name="x"].d', '.e[="y"]']
