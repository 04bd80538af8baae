"""The three kinds of patches, as the API server applies them and as clients make them."""
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifecycle.simulation.apimachinery import json_patch, merge_patch, strategic_diff, strategic_merge
from lifecycle.simulation.apimachinery.patch_errors import PatchError
from lifecycle.simulation.apimachinery.schema import schema_for
from lifecycle.simulation.control_plane.apiserver.decode import converted
from lifecycle.simulation.control_plane.apiserver.patched import decode_patched

from .builders import a_deployment, a_pod, a_service
from .freezing import freeze

POD, DEPLOYMENT, SERVICE = schema_for("", "v1", "Pod"), schema_for("apps", "v1", "Deployment"), schema_for("", "v1", "Service")
READY, SCHEDULED = {"type": "Ready", "status": "False"}, {"type": "PodScheduled", "status": "True"}


def patched_pod(patch, **spec):
    return strategic_merge.apply(freeze(a_pod(**spec)), patch, POD)


# Strategic merge patches


def test_containers_are_merged_by_name():
    pod = patched_pod({"spec": {"containers": [{"name": "side", "image": "b"}, {"name": "app", "image": "demo:v2"}]}}, container={"args": ["x"]})
    # New ones come where the patch has them, known ones keep what the patch does not mention
    assert pod["spec"]["containers"] == [{"name": "side", "image": "b"}, {"name": "app", "image": "demo:v2", "args": ["x"]}]


def test_conditions_are_merged_by_type_in_the_order_that_is_asked_for():
    pod = freeze({**a_pod(), "status": {"phase": "Pending", "conditions": [SCHEDULED]}})
    patch = {"status": {"$setElementOrder/conditions": [{"type": "Ready"}, {"type": "PodScheduled"}], "conditions": [READY]}}
    after = strategic_merge.apply(pod, patch, POD)
    assert after["status"] == {"phase": "Pending", "conditions": [READY, SCHEDULED]}
    # It should share what it did not touch
    assert after["spec"] is pod["spec"] and after["status"]["conditions"][1] is pod["status"]["conditions"][0]


def test_a_patch_that_changes_nothing_gives_the_same_object_back():
    pod = freeze({**a_pod(labels={"a": "b"}), "status": {"conditions": [READY]}})
    patch = {"metadata": {"labels": {"a": "b"}, "name": "web", "annotations": None}, "status": {"conditions": [{"type": "Ready", "status": "False"}]}}
    assert strategic_merge.apply(pod, patch, POD) is pod


def test_null_deletes_and_directives_delete_and_replace():
    pod = {"labels": {"a": "b", "c": "d"}, "tolerations": [{"key": "x"}], "container": {"env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]}}
    assert "labels" not in patched_pod({"metadata": {"labels": None}}, **pod)["metadata"]
    assert patched_pod({"metadata": {"labels": {"$patch": "replace", "e": "f"}}}, **pod)["metadata"]["labels"] == {"e": "f"}
    environment = [{"$patch": "delete", "name": "A"}]
    assert patched_pod({"spec": {"containers": [{"name": "app", "env": environment}]}}, **pod)["spec"]["containers"][0]["env"] == [{"name": "B", "value": "2"}]
    environment = [{"$patch": "replace"}, {"name": "C", "value": "3"}]
    assert patched_pod({"spec": {"containers": [{"name": "app", "env": environment}]}}, **pod)["spec"]["containers"][0]["env"] == [{"name": "C", "value": "3"}]
    # Lists without a merge key are replaced
    assert patched_pod({"spec": {"tolerations": [{"key": "y"}]}}, **pod)["spec"]["tolerations"] == [{"key": "y"}]


def test_a_changed_strategy_keeps_only_what_it_names():
    web = {**a_deployment(), "spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}}}
    patch = {"spec": {"strategy": {"$retainKeys": ["type"], "type": "Recreate"}}}
    assert strategic_merge.apply(web, patch, DEPLOYMENT)["spec"]["strategy"] == {"type": "Recreate"}


def test_finalizers_are_added_and_taken_from_a_list_of_plain_values():
    pod = {"metadata": {"name": "p", "finalizers": ["a", "b"]}}
    assert strategic_merge.apply(pod, {"metadata": {"finalizers": ["c", "b"]}}, POD)["metadata"]["finalizers"] == ["c", "a", "b"]
    assert strategic_merge.apply(pod, {"metadata": {"$deleteFromPrimitiveList/finalizers": ["a"]}}, POD)["metadata"]["finalizers"] == ["b"]


def test_two_ports_of_the_same_number_survive_a_patch_of_another_field():
    dns = a_service(port=53)
    dns["spec"]["ports"] = [{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}]
    after = strategic_merge.apply(dns, {"spec": {"ports": [{"port": 53, "nodePort": 30053}]}}, SERVICE)
    assert after["spec"]["ports"] == [{"port": 53, "protocol": "UDP", "nodePort": 30053}, {"port": 53, "protocol": "TCP"}]


@pytest.mark.parametrize("patch, code", [
    ({"spec": {"containers": [{"image": "x"}]}}, 500), ({"spec": {"containers": ["x"]}}, 500), ({"spec": {"containers": [{"name": {}}]}}, 500),
    ({"spec": {"$patch": "explode"}}, 500), ({"spec": {"containers": [[]]}}, 500), ({"spec": {"$setElementOrder/containers": 1}}, 400),
])
def test_a_patch_that_makes_no_sense_is_refused(patch, code):
    with pytest.raises(PatchError) as caught:
        patched_pod(patch)
    assert caught.value.code == code


def test_a_patch_without_its_merge_key_is_refused_in_the_servers_words():
    with pytest.raises(PatchError, match=r"map: map\[image:x\] does not contain declared merge key: name"):
        patched_pod({"spec": {"containers": [{"image": "x"}]}})


NAMES = st.sampled_from(["a", "b", "c", "d"])
CONTAINERS = st.lists(st.fixed_dictionaries({"name": NAMES, "image": NAMES}, optional={"args": st.lists(NAMES, max_size=2)}), max_size=4,
                      unique_by=lambda one: one["name"])
PODS = st.fixed_dictionaries({"metadata": st.fixed_dictionaries({}, optional={
    "labels": st.dictionaries(NAMES, NAMES, max_size=3), "finalizers": st.lists(NAMES, unique=True, max_size=3)})},
    optional={"spec": st.fixed_dictionaries({}, optional={"containers": CONTAINERS, "hostname": NAMES})})


@settings(max_examples=300)
@given(PODS, PODS)
def test_the_difference_of_two_objects_turns_one_into_the_other(old, new):
    after = strategic_merge.apply(freeze(old), strategic_diff.two_way(old, new, POD), POD)
    assert _without_empty(after) == _without_empty(new)
    assert strategic_diff.two_way(new, new, POD) == {}
    assert merge_patch.apply(freeze(old), merge_patch.two_way(old, new)) == new


def _without_empty(value):
    """Patches cannot tell an empty list or map from none."""
    if isinstance(value, dict):
        return {key: inner for key, one in value.items() if (inner := _without_empty(one)) not in ({}, [])}
    return [_without_empty(one) for one in value] if isinstance(value, list) else value


# kubectl apply


def test_apply_sends_changes_and_what_the_file_no_longer_says():
    applied = {"metadata": {"labels": {"a": "1", "b": "2"}}, "spec": {"replicas": 3}}
    file = {"metadata": {"labels": {"a": "1"}}, "spec": {"paused": True}}
    live = {"metadata": {"labels": {"a": "1", "b": "2", "mine": "x"}}, "spec": {"replicas": 5, "revisionHistoryLimit": 10}}
    assert strategic_diff.three_way(applied, file, live, DEPLOYMENT) == {"metadata": {"labels": {"b": None}}, "spec": {"paused": True, "replicas": None}}
    assert merge_patch.three_way(applied, file, live) == {"metadata": {"labels": {"b": None}}, "spec": {"paused": True, "replicas": None}}


def test_apply_of_a_new_image_is_the_patch_that_kubectl_sends():
    old, new = a_deployment(), a_deployment(image="demo:v2")
    live = a_deployment()
    live["spec"]["template"]["spec"]["containers"][0]["imagePullPolicy"] = "IfNotPresent"
    assert strategic_diff.three_way(old, new, live, DEPLOYMENT) == {
        "spec": {"template": {"spec": {"$setElementOrder/containers": [{"name": "app"}], "containers": [{"image": "demo:v2", "name": "app"}]}}}}


def test_apply_removes_a_container_and_adds_another_in_one_patch():
    def pod(*names):
        return {"spec": {"containers": [{"name": name, "image": "x"} for name in names]}}
    patch = strategic_diff.three_way(pod("a", "b"), pod("a", "c"), pod("a", "b"), POD)
    assert patch == {"spec": {"$setElementOrder/containers": [{"name": "a"}, {"name": "c"}],
                              "containers": [{"name": "c", "image": "x"}, {"$patch": "delete", "name": "b"}]}}
    assert strategic_merge.apply(pod("a", "b"), patch, POD) == pod("a", "c")


def test_apply_has_nothing_to_send_when_nothing_changed():
    web = a_deployment()
    assert strategic_diff.three_way(web, web, {**web, "status": {"replicas": 3}}, DEPLOYMENT) == {}
    assert merge_patch.three_way(web, web, {**web, "status": {"replicas": 3}}) == {}


# Merge patches and JSON patches


def test_a_merge_patch_merges_maps_and_replaces_the_rest():
    pod = freeze({"metadata": {"labels": {"a": "1", "b": "2"}, "finalizers": ["x"]}, "spec": {"c": [1, 2]}})
    patch = {"metadata": {"labels": {"a": None, "c": "3"}, "finalizers": []}, "spec": {"c": [3]}, "none": None, "new": {"a": None, "b": 1}}
    assert merge_patch.apply(pod, patch) == {"metadata": {"labels": {"b": "2", "c": "3"}, "finalizers": []}, "spec": {"c": [3]}, "new": {"b": 1}}
    assert merge_patch.apply(pod, {"metadata": {"labels": {"a": "1"}}}) is pod


@pytest.mark.parametrize("operations, result", [
    ([{"op": "add", "path": "/b", "value": 1}], {"a": [1, 2], "b": 1}),
    ([{"op": "add", "path": "/a/-", "value": 3}], {"a": [1, 2, 3]}),
    ([{"op": "add", "path": "/a/0", "value": 0}], {"a": [0, 1, 2]}),
    ([{"op": "remove", "path": "/a/-1"}], {"a": [1]}),
    ([{"op": "replace", "path": "/a/1", "value": {"x": 1}}], {"a": [1, {"x": 1}]}),
    ([{"op": "move", "from": "/a", "path": "/~1~0"}], {"/~": [1, 2]}),
    ([{"op": "copy", "from": "/a/0", "path": "/c"}, {"op": "test", "path": "/c", "value": 1}], {"a": [1, 2], "c": 1}),
    ([{"op": "test", "path": "/missing", "value": None}, {"op": "remove", "path": "/a"}], {}),
])
def test_json_patch_operations(operations, result):
    assert json_patch.apply(freeze({"a": [1, 2]}), operations) == result


@pytest.mark.parametrize("operation", [
    {"op": "remove", "path": "/spec/nothing"}, {"op": "test", "path": "/a", "value": 9}, {"op": "replace", "path": "/x", "value": 1},
    {"op": "add", "path": "/a/7", "value": 1},
    {"op": "add", "path": "/x/y", "value": 1}, {"op": "nonsense", "path": "/a"}, {"op": "add", "path": "/a"}, {"op": "add", "value": 1},
    {"op": "remove", "path": "/a/x"},
    {"op": "remove", "path": ""}, {"op": [], "path": "/a"}, {"op": "move", "path": "/b", "from": "/nope"}, {"op": "add", "path": "/a/0/0", "value": 1},
])
def test_a_json_patch_that_does_not_fit_is_rejected_without_saying_why(operation):
    with pytest.raises(PatchError) as caught:
        json_patch.apply({"a": [1, 2]}, [{"op": "add", "path": "/before", "value": 1}, operation])
    assert (caught.value.code, caught.value.message) == (422, "the server rejected our request due to an error in our request")


def test_a_json_patch_has_to_be_a_list():
    with pytest.raises(PatchError, match="json: cannot unmarshal object into Go value of type jsonpatch.Patch"):
        json_patch.apply({}, {"spec": {}})


# What a patch makes must be an object still


def test_a_patched_object_of_the_wrong_type_is_invalid_and_the_answer_shows_the_patch():
    web = a_deployment()
    patch = {"spec": {"replicas": "x"}}
    with pytest.raises(PatchError) as caught:
        decode_patched(strategic_merge.apply(web, patch, DEPLOYMENT), web, patch, "strategic", ("apps", "v1", "Deployment"))
    assert caught.value.message == ' "" is invalid: patch: Invalid value: "map[spec:map[replicas:x]]": unrecognized type: int32'
    assert caught.value.causes == [
        {"reason": "FieldValueInvalid", "message": 'Invalid value: "map[spec:map[replicas:x]]": unrecognized type: int32', "field": "patch"}]


def test_unknown_fields_of_a_patch_are_dropped_unless_it_is_to_be_strict():
    web, patch = a_deployment(), {"spec": {"replica": 1}}
    new = merge_patch.apply(web, patch)
    thing, warnings = decode_patched(new, web, patch, "merge", ("apps", "v1", "Deployment"))
    assert "replica" not in thing["spec"] and warnings == ['unknown field "spec.replica"']
    with pytest.raises(PatchError, match='strict decoding error: unknown field "spec.replica"'):
        decode_patched(new, web, patch, "merge", ("apps", "v1", "Deployment"), "Strict")


def test_the_patches_of_a_real_kubelet_are_made_and_applied_as_they_were():
    status = POD.fields["status"]
    for case in json.loads((Path(__file__).parent / "golden/status_patches.json").read_text()):
        assert strategic_diff.two_way(case["before"], case["after"], status) == case["patch"]
        patched = strategic_merge.apply(freeze({"status": case["before"]}), {"status": case["patch"]}, POD)
        assert converted(patched["status"], status)[0] == case["after"]


KEYS = st.sampled_from(["metadata", "spec", "containers", "name", "labels", "ports", "finalizers", "status", "conditions", "type", "$patch", "$retainKeys",
                        "$setElementOrder/containers", "$deleteFromPrimitiveList/finalizers", "containerPort", "ownerReferences", "volumes"])
JUNK = st.recursive(st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["app", "delete", "replace"]),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12)


@settings(max_examples=200)
@given(st.fixed_dictionaries({"metadata": st.dictionaries(KEYS, JUNK, max_size=3), "spec": st.dictionaries(KEYS, JUNK, max_size=3)}))
def test_any_patch_is_applied_or_refused(patch):
    pod = freeze({**a_pod(labels={"a": "b"}), "status": {"conditions": [READY]}})
    merge_patch.apply(pod, patch)
    try:
        strategic_merge.apply(pod, patch, POD)
    except PatchError as error:
        assert error.message and error.code in (400, 500)
