"""What `kubectl get` prints, against recordings of a real cluster (golden/tables) and the tables that its API server sent."""
import json
from pathlib import Path

import pytest

from lifecycle.simulation.clock import Clock
from lifecycle.simulation.control_plane.apiserver.tables import table
from lifecycle.simulation.durations import human_duration
from lifecycle.simulation.kubectl.printing.tables import Options, Printer, nothing_found, print_tables
from lifecycle.simulation.resources import resource

GOLDEN = Path(__file__).parent / "golden"
RECORDED = sorted(path.stem for path in (GOLDEN / "tables").glob("*.json"))
SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000
DURATIONS = [(0, "0s"), (-900, "0s"), (-2 * SECOND, "<invalid>"), (119 * SECOND, "119s"), (130 * SECOND, "2m10s"), (10 * MINUTE + 5 * SECOND, "10m"),
             (179 * MINUTE, "179m"), (200 * MINUTE, "3h20m"), (8 * HOUR + MINUTE, "8h"), (47 * HOUR, "47h"), (52 * HOUR, "2d4h"), (8 * DAY + HOUR, "8d"),
             (800 * DAY, "2y70d"), (3000 * DAY, "8y")]


def golden(name):
    return json.loads((GOLDEN / f"{name}.json").read_text())


def clock_at(text):
    return Clock(now=Clock(epoch=0).parse(text), epoch=0)


def row(qualified, thing, at="2026-11-30T07:07:06.2Z"):
    """The cells of one object."""
    return table(qualified, [thing], clock_at(at))["rows"][0]["cells"]


@pytest.mark.parametrize("name", RECORDED)
def test_tables_print_as_recorded(name):
    case = golden(f"tables/{name}")
    clock = Clock(now=case["now"], epoch=0)
    results = [(resource(qualified), table(qualified, objects, clock)) for qualified, objects in case["objects"].items()]
    assert print_tables(results, Options(wide=case["wide"], show_labels=case["labels"])) == (GOLDEN / f"tables/{name}.txt").read_text()


def test_every_resource_has_the_columns_of_the_real_server():
    found = {}
    for qualified in golden("columns"):
        columns = table(qualified, [], Clock())["columnDefinitions"]
        found[qualified] = " ".join([column["name"].replace(" ", "_") + ("+" if column["priority"] else "") for column in columns])
    assert found == golden("columns")


# The cells below are the ones that the recorded server sent for the objects of golden/describe.
@pytest.mark.parametrize(("name", "cells"), [
    ("service", ["web", "ClusterIP", "10.96.104.199", "<none>", "80/TCP", "5s", "app=web"]),
    ("externalname", ["en", "ExternalName", "<none>", "example.com", "<none>", "<unknown>", "app=en"]),
    ("loadbalancer", ["lb", "LoadBalancer", "10.96.67.64", "<pending>", "80:31593/TCP", "<unknown>", "app=lb"]),
    ("job", ["j", "Running", "0/1", "6s", "5s", "j", "demo:ok", "batch.kubernetes.io/controller-uid=f61569ef-47b9-4f8d-b594-34aa73703373"]),
    ("cronjob", ["cj", "*/5 * * * *", "<none>", "False", 0, "<none>", "5s", "cj", "demo:ok", "<none>"]),
    ("statefulset", ["st", "1/1", "6s", "c", "demo:ok"]),
    ("daemonset", ["ds", 3, 3, 3, 3, 3, "<none>", "5s", "c", "demo:ok", "a=ds"]),
    ("persistentvolumeclaim", ["pvc", "Pending", "", "", "", "", "<unset>", "5s", "Filesystem"]),
    ("persistentvolume", ["pvh", "3Gi", "RWO", "Retain", "Available", "", "manual", "<unset>", "", "<unknown>", "Filesystem"]),
    ("ingress", ["ing", "<none>", "a.example.com", "", "80", "5s"]),
    ("horizontalpodautoscaler", ["web", "Deployment/web", "cpu: <unknown>/50%", "1", 5, 0, "5s"]),
    ("resourcequota", ["q", "pods: 8/20", "", "5s"]),
    ("poddisruptionbudget", ["pdb", "1", "N/A", 2, "5s"]),
    ("configmap", ["cm", 1, "5s"]),
    ("secret", ["s", "Opaque", 1, "5s"]),
    ("serviceaccount", ["bob", "5s"]),
    ("networkpolicy", ["np", "<none>", "5s"]),
    ("role", ["ro", "2026-11-30T07:07:01Z"]),
    ("endpointslice", ["web-mk7zk", "IPv4", "80", "10.244.0.153,10.244.2.144,10.244.1.141", "<unknown>"]),
])
def test_cells_are_those_of_the_real_server(name, cells):
    case = golden(f"describe/{name}")
    assert row(case["resource"], case["object"]) == cells


def test_a_node_says_whether_it_is_ready_and_cordoned():
    node = golden("describe/node")["object"]
    cells = row("nodes", node, "2026-11-30T07:06:56Z")
    assert cells == ["node-1", "Ready", "<none>", "42m", "v1.36.2", "10.0.0.11", "<none>", "Debian GNU/Linux 12 (bookworm)", "6.18.0 (amd64)", "containerd://2.1.0"]
    lost = {"type": "Ready", "status": "Unknown"}
    cordoned = {**node, "spec": {"unschedulable": True}, "status": {**node["status"], "conditions": [lost]}}
    labelled = {**cordoned, "metadata": {**node["metadata"], "labels": {"node-role.kubernetes.io/worker": "", "kubernetes.io/role": "edge"}}}
    assert row("nodes", labelled)[1:3] == ["NotReady,SchedulingDisabled", "edge,worker"]


def test_a_kind_without_columns_shows_name_and_creation():
    answer = table("widgets.example.com", [{"metadata": {"name": "w", "creationTimestamp": "2026-11-30T07:07:01Z"}}], Clock())
    assert [column["name"] for column in answer["columnDefinitions"]] == ["Name", "Created At"]
    assert answer["rows"][0]["cells"] == ["w", "2026-11-30T07:07:01Z"]


def test_a_custom_resource_shows_what_its_definition_asks_for():
    columns = [{"name": "Spec", "type": "string", "jsonPath": ".spec.cronSpec"}, {"name": "Replicas", "type": "integer", "jsonPath": ".spec.replicas"},
               {"name": "Wrong", "type": "integer", "jsonPath": ".spec.cronSpec", "priority": 1},
               {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}]
    thing = golden("describe/customresource")["object"]
    answer = table("crontabs.stable.example.com", [thing], clock_at("2026-11-30T07:08:00Z"), printer_columns=columns)
    assert answer["rows"][0]["cells"] == ["a", "* * *", 2, None, "8s"]
    assert [column["priority"] for column in answer["columnDefinitions"]] == [0, 0, 0, 1, 0]
    # It should fall back to the age when the definition names no columns.
    assert table("crontabs.stable.example.com", [thing], clock_at("2026-11-30T07:08:00Z"), printer_columns=[])["rows"][0]["cells"] == ["a", "8s"]


def test_rows_carry_as_much_of_the_object_as_was_asked_for():
    done = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {}, "status": {"phase": "Failed"}}
    rows = {include: table("pods", [done], Clock(), include=include)["rows"][0] for include in ("Metadata", "Object", "None")}
    assert rows["Metadata"]["object"] == {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": {"name": "p"}}
    assert rows["Object"]["object"] == done
    assert rows["None"]["object"] is None
    assert rows["None"]["conditions"][0]["reason"] == "Failed"


@pytest.mark.parametrize(("ms", "text"), DURATIONS)
def test_durations_have_two_units_at_most(ms, text):
    assert human_duration(ms) == text


def a_table(*rows, names=("Name", "Status", "Note")):
    """A Table with a wide column at the end; rows are (namespace, labels, cells)."""
    columns = [{"name": name, "type": "string", "format": "name" if name == "Name" else "", "priority": int(name == "Note")} for name in names]
    return {"columnDefinitions": columns, "rows": [
        {"cells": cells, "object": {"metadata": {"name": cells[0], "namespace": namespace, "labels": labels}}} for namespace, labels, cells in rows]}


def test_flags_add_columns():
    tables = [(resource("pods"), a_table(("a", {"app.kubernetes.io/name": "x"}, ["p", "Up", "wide"]), ("b", {}, ["q", None, "wide"])))]
    options = Options(namespace=True, labels=("app.kubernetes.io/name",), show_labels=True)
    assert print_tables(tables, options).split("\n") == [
        "NAMESPACE   NAME   STATUS   NAME   LABELS",
        "a           p      Up       x      app.kubernetes.io/name=x",
        "b           q                      <none>", ""]
    assert print_tables(tables, Options(wide=True, headers=False)) == "p     Up    wide\nq           wide\n"


def test_several_kinds_are_named_and_kept_apart():
    pods, deployments = a_table(("a", {}, ["p", "Up", ""])), a_table(("a", {}, ["web", "1/1", ""]))
    results = [(resource("pods"), pods), (resource("services"), a_table()), (resource("deployments.apps"), deployments)]
    assert print_tables(results, Options()) == "NAME    STATUS\npod/p   Up\n\nNAME                  STATUS\ndeployment.apps/web   1/1\n"
    # It should share one header between objects of the same kind that were asked for by name.
    assert print_tables([(resource("pods"), pods), (resource("pods"), pods)], Options()) == "NAME   STATUS\np      Up\np      Up\n"


def test_a_cell_ends_at_its_first_line_break_and_cannot_move_the_cursor():
    assert "first..." in print_tables([(resource("events"), a_table(("a", {}, ["e", "first\nsecond", ""])))], Options())
    assert "^[[31m" in print_tables([(resource("events"), a_table(("a", {}, ["e", "\x1b[31m", ""])))], Options())


def test_nothing_found_says_where():
    assert nothing_found([(resource("pods"), None)], Options(), "shop") == "No resources found in shop namespace.\n"
    assert nothing_found([(resource("pods"), None)], Options(namespace=True), "shop") == "No resources found\n"
    assert nothing_found([(resource("nodes"), None)], Options(), "shop") == "No resources found\n"


def test_a_watch_keeps_its_header_and_its_widths():
    printer = Printer(Options(events=True), "pod")
    lines = [printer.print(a_table(("a", {}, ["web-1", status, ""])), event) for status, event in (
        ("Pending", "ADDED"), ("ContainerCreating", "MODIFIED"), ("Running", "DELETED"))]
    assert lines == ["EVENT      NAME    STATUS\nADDED      web-1   Pending\n", "MODIFIED   web-1   ContainerCreating\n", "DELETED    web-1   Running\n"]
    wide = Printer(Options(wide=True))
    texts = [wide.print(a_table(("a", {}, ["web-1", status, "x"]))) for status in ("Pending", "ContainerCreating", "Running")]
    assert texts[1:] == ["web-1   ContainerCreating   x\n", "web-1   Running             x\n"]
