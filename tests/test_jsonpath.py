"""`-o` formats: JSONPath, custom columns, YAML, JSON, names, templates."""
import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from lifecycle.simulation.jsonpath import find
from lifecycle.simulation.kubectl.printing.errors import OutputError
from lifecycle.simulation.kubectl.printing.formats import as_list, make_printer
from lifecycle.simulation.kubectl.printing.yaml_text import sorted_keys, to_yaml


def a_pod(name, ready, **labels):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": labels, "managedFields": [{"manager": "x"}]},
            "spec": {"containers": [{"name": "app", "image": f"{name}:1"}, {"name": "log", "image": "log:2"}], "replicas": 2},
            "status": {"conditions": [{"type": "Ready", "status": ready}, {"type": "PodScheduled", "status": "True"}]}}


PODS = as_list([a_pod("a", "True", app="web", **{"example.com/tier": "front"}), a_pod("b", "False", app="db")])


def printed(output, thing=PODS, **options):
    return make_printer(output, **options).print(thing)


@pytest.mark.parametrize(("template", "text"), [
    ("{.items[*].metadata.name}", "a b"),
    ("{.items[*]['metadata.name', 'kind']}", "a b Pod Pod"),
    ("{.items[0].metadata.labels.example\\.com/tier}", "front"),
    ("{.items[0].metadata.labels['example\\.com/tier']}", "front"),
    ("{range .items[*]}{.metadata.name}{'\\t'}{.status.conditions[?(@.type==\"Ready\")].status}{\"\\n\"}{end}", "a\tTrue\nb\tFalse\n"),
    ("{range .items[*]}{.metadata.name}:{range .spec.containers[*]} {.name}{end};{end}", "a: app log;b: app log;"),
    ("{.items[-1:].metadata.name}", "b"),
    ("{.items[0:2:2].metadata.name}", "a"),
    ("{.items[0,1].metadata.name}", "a b"),
    ("{.items[?(@.metadata.labels.app!='web')].metadata.name}", "b"),
    ("{.items[?(@.spec.replicas>=2)].metadata.name}", "a b"),
    ("{.items[?(@.metadata.labels.example\\.com/tier)].metadata.name}", "a"),
    ("{.items[0].spec.containers..image}", "a:1 log:2"),
    ("{$.items[0].metadata.name} is {.items[0].spec.replicas}", "a is 2"),
    ("{.items[0].metadata.labels}", '{"app":"web","example.com/tier":"front"}'),
    ("{.items[0].status.conditions[*].type}{.nothing.here}", "Ready PodScheduled"),
    ("no braces", "no braces"),
    ("{range .items[?(@.kind==\"Node\")]}never{end}after", "after"),
])
def test_jsonpath_finds(template, text):
    assert printed(f"jsonpath={template}") == text


@pytest.mark.parametrize(("template", "message"), [
    ("{.spec.replicas", "error parsing jsonpath {.spec.replicas, unclosed action"),
    ("{.items[}", "error parsing jsonpath {.items[}, unterminated array"),
    ("{.items[a]}", "error parsing jsonpath {.items[a]}, invalid array index a"),
    ("{.items[?(@.kind=='Pod'}", "error parsing jsonpath {.items[?(@.kind=='Pod'}, unterminated filter"),
    ("{.a....b}", "error parsing jsonpath {.a....b}, invalid multiple recursive descent"),
    ("{#}", "error parsing jsonpath {#}, unrecognized character in action: U+0023 '#'"),
])
def test_jsonpath_refuses_what_it_cannot_read(template, message):
    with pytest.raises(OutputError) as error:
        make_printer(f"jsonpath={template}")
    assert str(error.value) == message


def test_jsonpath_shows_the_object_when_the_template_does_not_fit():
    with pytest.raises(OutputError) as error:
        printed("jsonpath={.list[2]}", {"list": [1, "x"]})
    assert str(error.value) == (
        'error executing jsonpath "{.list[2]}": Error executing template: array index out of bounds: index 2, length 2. '
        'Printing more information for debugging the template:\n\ttemplate was:\n\t\t{.list[2]}\n\tobject given to jsonpath engine was:\n\t\t'
        'map[string]interface {}{"list":[]interface {}{1, "x"}}\n\n')
    with pytest.raises(OutputError, match="nope is not found"):
        printed("jsonpath={.nope}", {"a": 1}, allow_missing=False)


def test_paths_may_lack_braces_and_dot():
    assert find(PODS, "items[1].metadata.name") == find(PODS, "{.items[1].metadata.name}") == ["b"]


def test_custom_columns():
    text = printed("custom-columns=N:.metadata.name,LABELS:.metadata.labels,I:.spec.containers[*].image,X:.x")
    assert text.split("\n") == ["N     LABELS                                I           X",
                                "a     map[app:web example.com/tier:front]   a:1,log:2   <none>",
                                "b     map[app:db]                           b:1,log:2   <none>", ""]
    assert printed("custom-columns=N:metadata.name", headers=False) == "a\nb\n"


@pytest.mark.parametrize(("columns", "message"), [
    ("", "custom-columns format specified but no custom columns given"), ("N", "unexpected custom-columns spec: N, expected <header>:<json-path-expr>")])
def test_custom_columns_need_a_header_and_a_path(columns, message):
    with pytest.raises(OutputError) as error:
        make_printer(f"custom-columns={columns}")
    assert str(error.value) == message


def test_names_formats_and_managed_fields():
    assert printed("name") == "pod/a\npod/b\n"
    assert printed("name", {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}) == "deployment.apps/web\n"
    assert "managedFields" not in printed("yaml") + printed("json")
    assert "managedFields" in printed("yaml", show_managed_fields=True)
    with pytest.raises(OutputError, match='^unable to match a printer suitable for the output format "bogus", allowed formats are: custom-columns,'):
        make_printer("bogus")


def test_json_has_sorted_keys_and_escapes_what_html_would_read():
    assert printed("json", {"b": "<a & b>", "a": [], "c": {"z": None, "y": "ü"}}) == (
        '{\n    "a": [],\n    "b": "\\u003ca \\u0026 b\\u003e",\n    "c": {\n        "y": "ü",\n        "z": null\n    }\n}\n')


@pytest.mark.parametrize(("value", "text"), [
    *[(text, f'"{text}"') for text in ("123", "true", "yes", "y", "", "null", "~", "1e3", "0x1f", "1_000", ".5")],
    *[(text, f'"{text}"') for text in ("12:30", "2026-01-01", "2026-11-30T06:24:55Z")],
    *[(text, f"'{text}'") for text in ("-", "- a", "a: b", "a #b", "*/5 * * * *", " a", "[a]", "%", "@x")],
    *[(text, text) for text in ("1.2.3", "a:b", "100m", "it's", "a, b", "ü")],
    ("'x'", "'\'\'x\'\''"), ("a\tb", '"a\\tb"'), ("a\nb", "|-\n  a\n  b"), ("a\nb\n", "|\n  a\n  b"), ("a\n\n", "|+\n  a\n"),
    (" a\nb", "|2-\n   a\n  b"), ("a \nb", '"a \\nb"'), ("\n", "|2+\n"), (1, "1"), (1.5, "1.5"), (True, "true"), (None, "null"), ([], "[]"), ({}, "{}"),
])
def test_yaml_quotes_only_what_would_be_read_as_something_else(value, text):
    assert to_yaml({"k": value}) == f"k: {text}\n"


def test_yaml_does_not_indent_lists_and_folds_long_lines():
    thing = {"spec": {"args": ["-c", "x" * 10], "m": [{"b": 1, "a": [1, [2, 3]]}], "e": []}}
    assert to_yaml(thing) == "spec:\n  args:\n  - -c\n  - xxxxxxxxxx\n  e: []\n  m:\n  - a:\n    - 1\n    - - 2\n      - 3\n    b: 1\n"
    words = " ".join(["word"] * 20)
    assert to_yaml({"message": f"x: {words}"}) == f"message: 'x: {' '.join(['word'] * 14)}\n  {' '.join(['word'] * 6)}'\n"


def test_yaml_orders_keys_with_letters_last_and_numbers_by_value():
    assert sorted_keys({"a10": 1, "a9": 1, "a": 1, "a.b": 1, "ab": 1, "1": 1}) == ["1", "a", "a.b", "a9", "a10", "ab"]


LETTERS = st.characters(blacklist_categories=["Cs", "Cc"]) | st.sampled_from("\n \t:#-'\"")
KEYS = st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=12)
SCALARS = st.none() | st.booleans() | st.integers(-10**12, 10**12) | st.text(LETTERS, max_size=30)
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=12)


@given(JSON)
def test_yaml_reads_back_as_what_it_was(value):
    assert yaml.safe_load(to_yaml({"k": value})) == {"k": value}


@given(JSON)
def test_kyaml_reads_back_as_what_it_was(value):
    assert yaml.safe_load(printed("kyaml", {"k": value})) == {"k": value}


@given(JSON)
def test_json_reads_back_as_what_it_was(value):
    assert json.loads(printed("json", {"k": value})) == {"k": value}


def test_yaml_separates_documents():
    printer = make_printer("yaml")
    assert printer.print({"a": 1}) + printer.print({"a": 2}) == "a: 1\n---\na: 2\n"


def test_kyaml_is_the_flow_style_with_quotes_everywhere():
    thing = {"metadata": {"name": "web", "labels": {"a/b": "1", "no": "x"}}, "spec": {"containers": [{"name": "c", "args": ["a"]}, {"name": "d"}], "count": 3},
             "data": {"f": "one\n  two\n"}}
    assert printed("kyaml", thing) == """---
{
  data: {
    f: "\\
       one\\n\\
      \\  two\\n\\
      ",
  },
  metadata: {
    labels: {
      a/b: "1",
      "no": "x",
    },
    name: "web",
  },
  spec: {
    containers: [{
      args: [
        "a",
      ],
      name: "c",
    }, {
      name: "d",
    }],
    count: 3,
  },
}
"""


@pytest.mark.parametrize(("template", "text"), [
    ("{{range .items}}{{.metadata.name}} {{end}}", "a b "),
    ("{{range $i, $pod := .items}}{{$i}}={{$pod.metadata.name}};{{end}}", "0=a;1=b;"),
    ("{{range .items}}{{if eq .metadata.name \"a\"}}first{{else if eq .metadata.name \"x\"}}never{{else}}other{{end}},{{end}}", "first,other,"),
    ("{{index .items 0 \"metadata\" \"name\"}}", "a"),
    ("{{(index .items 1).metadata.labels}}", "map[app:db]"),
    ("{{len .items}}{{\"\\n\"}}", "2\n"),
    ("{{with .nothing}}x{{else}}none{{end}} {{.nothing.deeper}}", "none <no value>"),
    ("{{printf \"%s-%d\" .kind 3 | printf \"<%s>\"}}", "<List-3>"),
    ("a {{- /* quiet */ -}} b", "ab"),
    ("{{if and .items (not .nothing)}}yes{{end}}", "yes"),
])
def test_go_templates_run(template, text):
    assert printed(f"go-template={template}") == text


@pytest.mark.parametrize("template", ["{{range .items}}", "{{nope 1}}", "{{.items", "{{end}}", "{{.kind.x}}"])
def test_go_templates_that_are_wrong_are_refused(template):
    with pytest.raises(OutputError):
        printed(f"go-template={template}")
