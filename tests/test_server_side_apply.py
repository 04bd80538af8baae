"""Server-side apply, and what it does about who owns which field. Messages are those of a real v1.36 API server."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifecycle.simulation.apimachinery.patch_errors import PatchError
from lifecycle.simulation.apimachinery.schema import schema_for
from lifecycle.simulation.control_plane.apiserver.decode import decode
from lifecycle.simulation.control_plane.apiserver.field_sets import from_fields_v1
from lifecycle.simulation.control_plane.apiserver.managed_fields import decoded, encoded, shares_after
from lifecycle.simulation.control_plane.apiserver.server_side_apply import LAST_APPLIED, ApplyConflict, apply
from lifecycle.simulation.control_plane.etcd import Manager

from .builders import a_pod

CONFIG_MAP, DEPLOYMENT, POD = schema_for("", "v1", "ConfigMap"), schema_for("apps", "v1", "Deployment"), schema_for("", "v1", "Pod")
ANNOTATED = {"annotations": {LAST_APPLIED: '{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"cm"}}\n'}}


def a_config(data, **metadata):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "cm", **metadata}, "data": data}


def writer(name="kubectl-create", time="2026-01-01T00:00:01Z", subresource="", version="v1"):
    return Manager(name, "Update", subresource, time, version)


def applier(name, fields, time="2026-01-01T00:00:02Z", version="v1"):
    return Manager(name, "Apply", "", time, version, fields)


def fields_of(entries):
    """{manager: its FieldsV1} of a managedFields list."""
    return {entry["manager"]: entry["fieldsV1"] for entry in entries}


def managed_fields(revisions, start=None):
    """The `managedFields` after a chain of (object, Manager); `start` is (object, its managedFields) where it begins."""
    previous, entries = start or (None, [])
    return encoded(shares_after(revisions, None, previous, decoded(entries)))


class Story:
    """A ConfigMap and its revisions."""

    def __init__(self, *revisions):
        self.revisions = list(revisions)

    @property
    def entries(self):
        return managed_fields(self.revisions)

    @property
    def live(self):
        return self.revisions[-1][0] if self.revisions else None

    def apply(self, data, manager, force=False, time="2026-01-01T00:00:02Z"):
        result = apply(self.live, a_config(data), CONFIG_MAP, manager, force, self.entries)
        self.revisions.append((decode(result.object, ("", "v1", "ConfigMap"))[0], applier(manager, result.fields, time)))
        return self.live.get("data")


def test_the_first_apply_creates_and_owns_what_it_says():
    story = Story()
    story.apply({"a": "1"}, "me")
    assert fields_of(story.entries) == {"me": {"f:data": {"f:a": {}}}}


def test_apply_keeps_what_others_have_and_removes_what_it_no_longer_says():
    story = Story((a_config({"theirs": "1"}), writer()))
    assert story.apply({"a": "1", "b": "1"}, "me") == {"theirs": "1", "a": "1", "b": "1"}
    assert story.apply({"b": "1"}, "me") == {"theirs": "1", "b": "1"}


def test_a_field_that_two_appliers_share_stays_until_both_let_go():
    story = Story((a_config({}), writer()))
    story.apply({"a": "1", "x": "1"}, "one")
    # Saying the same is no conflict
    story.apply({"a": "1"}, "two")
    assert story.apply({"x": "1"}, "one") == {"a": "1", "x": "1"}
    assert story.apply({"y": "1"}, "two") == {"x": "1", "y": "1"}


def test_a_conflict_names_the_owner_and_the_field():
    story = Story((a_config({"x": "1"}), writer()))
    story.apply({"a": "5"}, "kubectl")
    with pytest.raises(ApplyConflict) as caught:
        story.apply({"a": "6"}, "other")
    assert caught.value.code == 409
    assert caught.value.message == 'Apply failed with 1 conflict: conflict with "kubectl": .data.a'
    assert caught.value.causes == [{"reason": "FieldManagerConflict", "message": 'conflict with "kubectl"', "field": ".data.a"}]


def test_conflicts_with_updates_say_in_which_version_and_several_are_listed():
    story = Story((a_config({"a": "1", "b": "1"}), writer("kubectl-edit")))
    story.apply({"c": "1"}, "first")
    with pytest.raises(ApplyConflict) as caught:
        story.apply({"a": "2", "b": "2", "c": "2"}, "second")
    assert caught.value.message == (
        'Apply failed with 3 conflicts: conflicts with "first":\n- .data.c\nconflicts with "kubectl-edit" using v1:\n- .data.a\n- .data.b')


def test_force_takes_the_fields_over():
    story = Story((a_config({"a": "1", "b": "1"}), writer("kubectl-edit")))
    assert story.apply({"a": "2"}, "me", force=True) == {"a": "2", "b": "1"}
    assert fields_of(story.entries) == {"me": {"f:data": {"f:a": {}}}, "kubectl-edit": {"f:data": {".": {}, "f:b": {}}}}


def test_kubectl_may_take_over_from_its_own_client_side_apply_and_keeps_the_annotation_true():
    story = Story((a_config({"a": "2"}, **ANNOTATED), writer("kubectl-client-side-apply")))
    assert story.apply({"a": "5"}, "kubectl") == {"a": "5"}
    assert story.live["metadata"]["annotations"][LAST_APPLIED] == '{"apiVersion":"v1","data":{"a":"5"},"kind":"ConfigMap","metadata":{"name":"cm"}}\n'
    # The old manager keeps the annotation, and nobody else may do the same
    assert fields_of(story.entries)["kubectl-client-side-apply"] == {"f:data": {}, "f:metadata": {"f:annotations": {".": {}, f"f:{LAST_APPLIED}": {}}}}
    with pytest.raises(ApplyConflict):
        Story((a_config({"a": "2"}, **ANNOTATED), writer("kubectl-client-side-apply"))).apply({"a": "5"}, "somebody")


def test_applying_the_same_again_gives_the_same_object_and_keeps_the_time():
    story = Story((a_config({"x": "1"}), writer()))
    story.apply({"a": "1"}, "me", time="t1")
    before = story.live
    assert apply(before, a_config({"a": "1"}), CONFIG_MAP, "me", managed=story.entries).object is before
    story.apply({"a": "1"}, "me", time="t2")
    assert story.entries[0]["time"] == "t1"


def test_items_of_lists_are_merged_by_key_and_defaults_of_keys_count():
    def pod(*ports):
        return a_pod(container={"ports": [*ports]})
    live = pod({"containerPort": 80, "protocol": "TCP", "name": "http"}, {"containerPort": 9, "protocol": "UDP"})
    new = apply(live, pod({"containerPort": 80, "name": "web"}), POD, "me", managed=[]).object
    assert new["spec"]["containers"][0]["ports"] == [{"containerPort": 80, "protocol": "TCP", "name": "web"}, {"containerPort": 9, "protocol": "UDP"}]


def test_a_container_that_is_no_longer_applied_goes_with_all_that_was_defaulted_in_it():
    def pod(*names):
        return {**a_pod(), "spec": {"containers": [{"name": name, "image": "x"} for name in names]}}
    result = apply(None, pod("a", "b"), POD, "me")
    live = pod("a", "b")
    live["spec"]["containers"][1]["imagePullPolicy"] = "Always"
    entries = managed_fields([(live, applier("me", result.fields))])
    assert apply(live, pod("a"), POD, "me", managed=entries).object["spec"]["containers"] == [{"name": "a", "image": "x"}]


def test_the_applied_order_rules_among_what_both_have():
    def pod(*names):
        return {**a_pod(), "spec": {"containers": [{"name": name} for name in names]}}
    def names(live, config):
        return [one["name"] for one in apply(pod(*live), pod(*config), POD, "me").object["spec"]["containers"]]
    assert names("abc", "ca") == ["b", "c", "a"]
    assert names("axb", "ba") == ["x", "b", "a"]
    assert names("ab", "nb") == ["a", "n", "b"]


@pytest.mark.parametrize("change, problem", [
    ({"replica": 1}, ".spec.replica: field not declared in schema"),
    ({"replicas": "x"}, ".spec.replicas: expected numeric (int or float), got string"),
    ({"paused": "x"}, ".spec.paused: expected boolean, got &{x}"),
    ({"replica": 1, "selector": []}, "errors:\n  .spec.replica: field not declared in schema\n  .spec.selector: expected map, got &{[]}"),
])
def test_a_configuration_that_does_not_fit_the_schema_is_refused(change, problem):
    config = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "default"}, "spec": change}
    with pytest.raises(PatchError) as caught:
        apply(None, config, DEPLOYMENT, "me")
    assert caught.value.message == f"failed to create typed patch object (default/web; apps/v1, Kind=Deployment): {problem}"


CONFIGS = st.dictionaries(st.sampled_from("abc"), st.sampled_from("12"), min_size=1, max_size=3)


@settings(max_examples=200)
@given(st.lists(st.tuples(st.sampled_from(["one", "two", "three"]), CONFIGS), max_size=6))
def test_whatever_was_forced_last_is_what_the_object_says_and_every_field_has_an_owner(applies):
    story, said = Story(), {}
    for manager, config in applies:
        story.apply(config, manager, force=True)
        # It should say what was applied just now
        assert config.items() <= story.live["data"].items()
        # It should hold nothing that no manager said in its latest configuration
        said[manager] = config
        assert set(story.live["data"]) <= {key for one in said.values() for key in one}
        owned = {path[-1][2:] for entry in story.entries for path in from_fields_v1(entry["fieldsV1"])}
        assert set(story.live["data"]) <= owned
