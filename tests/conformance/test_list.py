"""docs/conformance.md names tests that there are."""
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ROW = re.compile(r"^\| ([AL]) \| (.+?) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`([\w./]+)::(test_\w+)`")


def requirements():
    """[(verdict, requirement, [(file, test)])]"""
    text = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
    return [(verdict, name, TEST.findall(tests)) for verdict, name, tests in ROW.findall(text)]


@cache
def named_in(file):
    path = ROOT / file if "/" in file else ROOT / "tests" / "conformance" / file
    return set(re.findall(r"^(?:async )?def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))


def test_every_requirement_names_a_test_that_there_is():
    assert len(requirements()) == 217
    for _, name, tests in requirements():
        assert tests, name
        for file, test in tests:
            assert test in named_in(file), f"{name}: {file} has no {test}"


def test_every_conformance_test_of_ours_is_named():
    named = {test for _, _, tests in requirements() for _, test in tests}
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        if path.name != Path(__file__).name:
            assert not named_in(path.name) - named - ALSO, path.name


ALSO = {"test_nobody_waits_when_all_this_is_over", "test_a_cluster_that_was_scaled_back_counts_right"}
