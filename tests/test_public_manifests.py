"""Manifests as people really write them get the verdict of a real API server, word for word (tests/golden/public_manifests.yaml)."""
from functools import cache
from pathlib import Path

import pytest
import yaml

from lifecycle.simulation.resources import by_kind

from .builders import a_cluster

GOLDEN = yaml.safe_load((Path(__file__).parent / "golden" / "public_manifests.yaml").read_text())
ALL = 275


@cache
def cluster():
    return a_cluster(nodes=1)


def verdict(case):
    """(exit code, what is printed, standard output first) for the case's document, tried without keeping it."""
    text = case.get("text") or yaml.safe_dump(case["manifest"])
    command = cluster().kubectl("kubectl create --dry-run=server -o name -f -", {}, text)
    cluster().run_until(cluster().clock.now + 2000)
    record = cluster().console.command(command)
    return record["exit"], record["output"].rstrip("\n")


@pytest.mark.parametrize("case", GOLDEN["refused"], ids=lambda case: case["says"].partition("\n")[0][:60])
def test_a_refused_manifest_is_refused_in_the_same_words(case):
    assert verdict(case) == (1, case["says"])


@pytest.mark.parametrize("case", GOLDEN["warned"], ids=lambda case: case["name"])
def test_an_outdated_manifest_is_accepted_with_a_warning(case):
    assert verdict(case) == (0, f"{case['name']}\n{case['says']}")


@pytest.mark.parametrize("version", GOLDEN["accepted"])
def test_every_accepted_kind_is_known(version):
    assert [kind for kind in GOLDEN["accepted"][version] if (version, kind) not in by_kind()] == []


def test_no_document_is_left_out():
    """Every document of the collection counts once."""
    told = sum(case["count"] for case in GOLDEN["refused"] + GOLDEN["warned"])
    assert told + sum(sum(kinds.values()) for kinds in GOLDEN["accepted"].values()) == ALL


def test_privileged_containers_are_accepted():
    container = {"name": "nginx", "image": "nginx", "securityContext": {"privileged": True}}
    assert verdict({"manifest": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "nginx"}, "spec": {"containers": [container]}}}) == (0, "pod/nginx")
