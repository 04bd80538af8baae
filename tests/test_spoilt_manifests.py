"""Manifests of every kind in which one thing was replaced by anything: accepted or refused with a reason, and the cluster lives on."""
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifecycle.simulation.manifests import read_manifests

from .builders import a_cluster, kubectl

SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-3, 90), st.floats(allow_nan=False, allow_infinity=False, width=16),
                    st.sampled_from(["", "x", "-1", "1Gi", "Always", "Bad_Name", "a.b", "50%", "😀", "{}"]))
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=2)
                      | st.dictionaries(st.sampled_from(["name", "image", "", "port"]), inner, max_size=2), max_leaves=4)
EVERYTHING = Path(__file__).with_name("golden").joinpath("kinds.yaml").read_text()
KINDS = [document for _, document in read_manifests(EVERYTHING)]


def places(thing, path=()):
    """The paths of everything in a manifest."""
    inside = thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else ()
    for key, value in inside:
        yield (*path, key)
        yield from places(value, (*path, key))


def put(thing, path, value):
    first, *rest = path
    changed = dict(thing) if isinstance(thing, dict) else list(thing)
    changed[first] = put(thing[first], rest, value) if rest else value
    return changed


@st.composite
def spoilt(draw):
    """A good manifest in which one thing was replaced by anything."""
    good = draw(st.sampled_from(KINDS))
    return put(good, draw(st.sampled_from(list(places(good)))), draw(VALUES))


def of_every_kind():
    """A cluster that has one object of every kind."""
    cluster = a_cluster()
    record = kubectl(cluster, "kubectl apply -f kinds.yaml", {"kinds.yaml": EVERYTHING}, 60)
    assert record["exit"] == 0, record["output"]
    return cluster


@pytest.fixture(scope="module")
def one_cluster():
    return of_every_kind()


@pytest.fixture(scope="module")
def living_cluster():
    return of_every_kind()


@settings(max_examples=400)
@given(manifest=spoilt(), name=st.sampled_from(["", "new"]), command=st.sampled_from(["apply", "create", "replace", "apply --server-side --force-conflicts"]),
       how=st.sampled_from(["strict", "warn", "ignore"]))
def test_a_manifest_with_anything_in_it_is_accepted_or_refused_with_a_reason(one_cluster, manifest, name, command, how):
    if name and isinstance(manifest.get("metadata"), dict):
        manifest = put(manifest, ("metadata", "name"), name)
    record = kubectl(one_cluster, f"kubectl {command} -f f.yaml --dry-run=server --validate={how}", {"f.yaml": json.dumps(manifest)})
    assert record["exit"] in (0, 1)
    assert record["output"].strip()


@settings(max_examples=100)
@given(manifest=spoilt(), command=st.sampled_from(["apply", "replace", "apply --server-side --force-conflicts"]))
def test_the_cluster_lives_with_whatever_it_has_accepted(living_cluster, manifest, command):
    record = kubectl(living_cluster, f"kubectl {command} -f f.yaml --validate=ignore", {"f.yaml": json.dumps(manifest)}, 20)
    assert record["exit"] in (0, 1)
