"""Differences lead from one state of an object to another, exactly."""
import orjson
from hypothesis import given
from hypothesis import strategies as st

from lifecycle.differences import difference, patched

SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False, allow_infinity=False, width=16) | st.text("ab", max_size=2)
THINGS = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcde"), inner, max_size=4), max_leaves=20)
POD = {"metadata": {"name": "web", "labels": {"app": "web"}, "resourceVersion": "7"}, "spec": {"containers": [{"name": "app", "image": "nginx"}]},
       "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}, {"type": "Initialized", "status": "True"}]}}


@given(THINGS, THINGS)
def test_a_patched_thing_is_the_other_byte_for_byte(one, other):
    operations = orjson.loads(orjson.dumps(difference(one, other)))
    assert orjson.dumps(patched(one, operations)) == orjson.dumps(other)


@given(THINGS)
def test_nothing_differs_from_itself(thing):
    assert difference(thing, orjson.loads(orjson.dumps(thing))) == []


def test_only_what_changed_is_named():
    conditions = [{"type": "Ready", "status": "False"}, POD["status"]["conditions"][1]]
    other = {**POD, "metadata": {"name": "web", "resourceVersion": "8"}, "status": {**POD["status"], "conditions": conditions, "podIP": None}}
    assert difference(POD, other) == [
        [["metadata", "labels"]], [["metadata", "resourceVersion"], "8"], [["status", "conditions", 0, "status"], "False"], [["status", "podIP"], None]]


def test_what_did_not_change_is_shared_and_the_original_is_left_alone():
    before = orjson.dumps(POD)
    other = patched(POD, [[["status", "phase"], "Failed"]])
    assert other["spec"] is POD["spec"]
    assert other["status"]["phase"] == "Failed"
    assert orjson.dumps(POD) == before
