"""Manifest files are read as kubectl reads them. Texts and results are those of a real kubectl 1.36."""
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifecycle.simulation.manifests import ManifestError, documents, read_manifests


def only(text):
    """The single document of a manifest."""
    [(_, document)] = read_manifests(text)
    return document


def refused(text):
    with pytest.raises(ManifestError) as caught:
        read_manifests(text)
    return caught.value


@pytest.mark.parametrize("written, value", [
    ("yes", True), ("on", True), ("y", True), ("True", True), ("no", False), ("off", False), ("n", False), ('"yes"', "yes"), ("'no'", "no"), ("yEs", "yEs"),
    ("1", 1), ("-5", -5), ("1.10", 1.1), ("1.0", 1), ("1e3", 1000), ("0o17", 15), ("017", 15), ("0x1f", 31), ("0b11", 3), ("08", 8), ("1_000", 1000),
    (".5", 0.5),
    ("12:30", "12:30"), ("2026-01-01", "2026-01-01"), ("1.2.3", "1.2.3"), ("~", None), ("null", None), ("", None), ("!!str 12", "12"), ("!!int '3'", 3),
    ("!mine x", "x"), ("!!binary aGk=", "hi"),
])
def test_scalars_have_the_types_of_yaml_1_1(written, value):
    read = only(f"{{a: {written}}}" if written else "a:")
    assert read == {"a": value}
    assert isinstance(read["a"], bool) == isinstance(value, bool)


def test_keys_become_text_and_the_last_of_the_same_name_wins():
    assert only("data: {on: a, y: b, n: c, yes: d, 1: e, 1.5: f}") == {"data": {"true": "d", "false": "c", "1": "e", "1.5": "f"}}
    assert only("data:\n  a: '1'\n  a: '2'\n") == {"data": {"a": "2"}}


def test_keys_come_sorted_as_out_of_json():
    assert list(only("kind: Pod\napiVersion: v1\nmetadata: {z: 1, b: 2}")) == ["apiVersion", "kind", "metadata"]


def test_anchors_are_repeated_and_merged_within_a_document():
    assert only("labels: &l {a: x, b: q}\nannotations:\n  <<: *l\n  b: zz\n") == {"labels": {"a": "x", "b": "q"}, "annotations": {"a": "x", "b": "zz"}}
    assert only("a: &a {x: 1}\nb: {<<: [*a, {x: 2, z: 3}]}") == {"a": {"x": 1}, "b": {"x": 1, "z": 3}}


def test_several_documents_come_with_their_lines_and_empty_ones_are_skipped():
    text = "# first\napiVersion: v1\n---\n# nothing\n---\n---   # comment\n\nkind: Pod\n...\n"
    assert read_manifests(text) == [(2, {"apiVersion": "v1"}), (8, {"kind": "Pod"})]
    assert read_manifests("") == read_manifests("# only a comment\n") == read_manifests("---\n---\n") == []


def test_json_is_read_too_even_several_values():
    assert read_manifests('{"a": 1}\n{"b": [true, null]}') == [(1, {"a": 1}), (2, {"b": [True, None]})]
    assert only("{a: 1, b: [x]}") == {"a": 1, "b": ["x"]}


def test_a_byte_order_mark_and_line_ends_of_windows_do_no_harm():
    assert only("\ufeffa: 1\r\nb:\r\n- c\r\n") == {"a": 1, "b": ["c"]}


@pytest.mark.parametrize("text, line, message", [
    ("apiVersion: v1\nkind: ConfigMap\nmetadata:\n\tname: c5\n", 4, "yaml: line 4: found character that cannot start any token"),
    ("a: 1\n---\nkind: ConfigMap\nmetadata: {name: b\n---\nb: 2\n", 4, "yaml: line 2: did not find expected ',' or '}'"),
    ("a: 1\n---\napiVersion: v1\nkind: ConfigMap\n metadata:\n  name: b\n", 5, "yaml: line 3: mapping values are not allowed in this context"),
    ("a: b\nspec:\n   replicas: 3\n  selector: x\n", 3, "yaml: line 3: did not find expected key"),
    ("s: &s x\n---\nt: *s\n", 3, "yaml: unknown anchor 's' referenced"),
    ("a: {{ config_data }}\n", 1, 'yaml: invalid map key: map[interface {}]interface {}{"config_data":interface {}(nil)}'),
])
def test_broken_yaml_is_refused_in_kubectls_words(text, line, message):
    error = refused(text)
    assert (error.message, error.line) == (f"error converting YAML to JSON: {message}", line)


def test_documents_before_a_broken_one_are_delivered():
    stream = documents("a: 1\n---\nb: {\n")
    assert next(stream) == (1, {"a": 1})
    with pytest.raises(ManifestError):
        next(stream)


def test_what_follows_a_separator_must_be_a_comment():
    assert refused("--- foo\na: 1\n").message == "invalid Yaml document separator: foo"


def test_bombs_are_defused():
    letters = "abcdefghi"
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n" for old, new in zip(letters, letters[1:]))
    assert "excessive aliasing" in refused(bomb).message
    assert "contains itself" in refused("a: &a [*a]").message
    assert "depth" in refused("[" * 5000).message
    assert "depth" in refused("".join(" " * depth + "a:\n" for depth in range(150))).message
    assert "depth" in refused("{" + '"a":{' * 5000).message
    assert "larger than 1024 KiB" in refused("a" * (1 << 20) + "b").message
    assert "more than 64 documents" in refused("---\na: 1\n" * 65).message


def test_numbers_that_json_has_not_are_refused():
    assert refused("a: .nan").message.endswith("json: unsupported value: NaN")
    assert only("a: 123456789012345678901234567890") == {"a": 1.2345678901234568e+29}


@settings(max_examples=200)
@given(st.text(alphabet="ab:-[]{}&*!|>'\"#%,? \n\t0.~<", max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        found = read_manifests(text)
    except ManifestError as error:
        assert error.message and error.line >= 1
    else:
        json.dumps(found, allow_nan=False)


VALUES = st.recursive(st.none() | st.booleans() | st.integers(-10**6, 10**6) | st.text(max_size=8),
                      lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3), max_leaves=10)


@settings(max_examples=100)
@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4))
def test_json_text_is_read_back_as_it_was(document):
    assert only(json.dumps(document)) == document
