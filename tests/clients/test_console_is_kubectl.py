"""The console prints what the real kubectl prints: the same commands, the same output and the same exit code.

reads.txt are commands at one and the same cluster, which stands still; writes.txt are stories at two clusters that begin alike. differences.py says what does
not count, and why.
"""
from difflib import unified_diff
from pathlib import Path

import pytest
from django.db import connection

from ..processes import free_port, serve
from .differences import AGE, AGED, KNOWN, PADDING, SAME_CLUSTER, TWO_CLUSTERS, UNORDERED, normalised
from .manifests import FILES
from .twins import Place, Printed

HERE = Path(__file__).parent
FURNISHED = ("set image deployment/web web=nginx:1.27", "create serviceaccount robot", "create namespace blue", "label node n1 disk=ssd",
             "taint node n3 key=value:NoSchedule", "cordon n2")


def table(name):
    """{title: commands} of a file: a title after "# ", then a command a line."""
    parts = (HERE / name).read_text().split("# ")[1:]
    return {title: [line for line in lines if line] for title, *lines in (part.splitlines() for part in parts)}


READS, WRITES = table("reads.txt"), table("writes.txt")


@pytest.fixture(scope="module")
def server(django_db_setup, django_db_blocker, tmp_path_factory):
    """The address of a server on this process's database, which may be used as long as the module runs."""
    with django_db_blocker.unblock():
        if connection.vendor != "sqlite":
            pytest.skip("a server beside this process is tested with SQLite")
        place, port = tmp_path_factory.mktemp("serve"), free_port()
        process = serve(port, {"DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}", "STATIC_ROOT": str(place / "static")}, place / "log")
        yield f"http://127.0.0.1:{port}"
        assert process.stop() == 0 and "Traceback" not in (place / "log").read_text()


@pytest.fixture(scope="module")
def furnished(server, tmp_path_factory):
    """A cluster that has something of every kind, and stands still."""
    place = Place(server, tmp_path_factory.mktemp("clusters") / "furnished", {"all.yaml": (HERE / "furniture.yaml").read_text()})
    for line in ("apply -f all.yaml", *FURNISHED):
        assert place.typed(line).exit == 0, line
        place.settle()
    return place


def differences(line, real, typed):
    """What the console prints otherwise, as lines of a diff."""
    if real == typed:
        return []
    lines = [f"kubectl {line}: ends with {real.exit}, the console's with {typed.exit}"]
    for stream, (ours, theirs) in {"out": (real.out, typed.out), "err": (real.err, typed.err)}.items():
        lines += unified_diff(ours.splitlines(), theirs.splitlines(), f"kubectl's {stream}", f"the console's {stream}", "", "", 0, "")
    return lines


def compared(line, printed, rules):
    rules = (*rules, AGE, PADDING) if line.startswith(AGED) else rules
    out = normalised(printed.out, rules)
    return Printed(printed.exit, "".join(sorted(out.splitlines(True))) if line in UNORDERED else out, normalised(printed.err, rules))


@pytest.mark.parametrize("title", READS)
def test_what_is_read(furnished, title):
    found = []
    for line in READS[title]:
        if line in KNOWN:
            continue
        real, typed = (compared(line, each(line), SAME_CLUSTER) for each in (furnished.real, furnished.typed))
        if real != typed:                          # an age may have become another one meanwhile
            real = compared(line, furnished.real(line), SAME_CLUSTER)
        found += differences(line, real, typed)
    assert not found, "\n".join(found)


def changed_otherwise(line, outside, inside):
    """What is stored otherwise after a story has come as far as a line."""
    ours, theirs = ([normalised(text, TWO_CLUSTERS) for text in place.objects()] for place in (outside, inside))
    if sorted(ours) == sorted(theirs):
        return []
    texts = ("".join(sorted(texts)).splitlines() for texts in (ours, theirs))
    return [f"stored after kubectl {line}", *unified_diff(*texts, "kubectl", "the console", "", "", 4, "")]


@pytest.mark.parametrize("title", WRITES)
def test_what_is_written(server, tmp_path, title):
    outside, inside = Place(server, tmp_path / "outside", FILES, "real", 1000), Place(server, tmp_path / "inside", FILES)
    found, before = [], ""
    for line in [*WRITES[title], "delete nothing"]:
        if line.startswith("delete") and not before.startswith("delete"):
            found += changed_otherwise(before, outside, inside)
        before = line
        real, typed = outside.real(line), inside.typed(line)
        outside.settle()
        inside.settle()
        found += differences(line, compared(line, real, TWO_CLUSTERS), compared(line, typed, TWO_CLUSTERS))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("line", KNOWN)
def test_a_known_difference_is_still_one(furnished, line):
    assert compared(line, furnished.real(line), SAME_CLUSTER) != compared(line, furnished.typed(line), SAME_CLUSTER)
