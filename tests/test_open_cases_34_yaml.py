"""Open case O34: what YAML makes of values and keys."""
import json

import pytest

from lifecycle.simulation.objects import at

from .applying import APPLY, applied, config, made, wrote
from .stories import play

NOT_A_POD = 'Pod in version "v1" cannot be handled as a Pod: '


def pod_with_value(value):
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: web}}
spec:
  containers:
  - name: c
    image: demo:ok
    env: [{{name: A, value: {value}}}]
"""


@pytest.mark.parametrize(("value", "kind"), [
    *[(word, "bool") for word in ("yes", "true", "on", "y", "no", "off", "n", "Yes", "OFF")],
    *[(word, "number") for word in ("1", "1.10", "017", "0o17", "1e3")],
])
def test_o34_a_value_that_yaml_does_not_take_for_text_is_refused_by_the_server(value, kind):
    story = applied(pod_with_value(value))
    assert story.printed(APPLY) == (f'Error from server (BadRequest): error when creating "f.yaml": {NOT_A_POD}'
                                    f"json: cannot unmarshal {kind} into Go struct field EnvVar.spec.containers.env.value of type string\n")
    assert story.exit(APPLY) == 1
    assert made(story, "pods") == []


@pytest.mark.parametrize(("value", "stored"), [
    ('"yes"', {"name": "A", "value": "yes"}), ("12:30", {"name": "A", "value": "12:30"}), ("2026-01-01", {"name": "A", "value": "2026-01-01"}),
    ("~", {"name": "A"})])
def test_o34_quoted_words_and_times_are_text_and_a_tilde_leaves_the_value_out(value, stored):
    story = applied(pod_with_value(value))
    assert at(story.end().get("pods", "web"), "spec", "containers")[0]["env"] == [stored]


def test_o34_create_says_the_same_as_apply():
    story = applied(pod_with_value("yes"), "kubectl create -f f.yaml")
    assert story.printed("kubectl create -f f.yaml") == (f'Error from server (BadRequest): error when creating "f.yaml": {NOT_A_POD}'
                                                         "json: cannot unmarshal bool into Go struct field EnvVar.spec.containers.env.value of type string\n")


def test_o34_a_patch_is_refused_in_other_words():
    good = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  nodeSelector: {fast: \"yes\"}\n  containers: [{name: c, image: \"demo:ok\"}]\n"
    story = play("""
        @0s kubectl apply -f good.yaml
        @1s kubectl apply -f f.yaml
        @5s end
    """, {"good.yaml": good, "f.yaml": good.replace('"yes"', "yes")})
    assert "The request is invalid: patch: Invalid value: \"map[" in story.printed(APPLY)
    assert story.printed(APPLY).rstrip().endswith("unrecognized type: string")
    assert story.end().get("pods", "web")["spec"]["nodeSelector"] == {"fast": "yes"}


@pytest.mark.parametrize(("field", "value", "kind"), [("labels", "1.10", "number"), ("labels", "yes", "bool"), ("annotations", "5", "number")])
def test_o34_kubectl_itself_refuses_labels_and_annotations_that_are_no_text(field, value, kind):
    story = applied(config("c", more=f"  {field}: {{ver: {value}}}\n"))
    assert story.printed(APPLY) == (f'error: unable to decode "f.yaml": json: cannot unmarshal {kind} into Go struct field '
                                    f"ObjectMeta.metadata.{field} of type string\n")
    assert story.exit(APPLY) == 1
    assert wrote(story) == []


def test_o34_norway():
    refused, quoted = applied(config("c", "data: {country: no}")), applied(config("c", 'data: {country: "no"}'))
    assert refused.printed(APPLY) == ('Error from server (BadRequest): error when creating "f.yaml": ConfigMap in version "v1" cannot be handled as '
                                      "a ConfigMap: json: cannot unmarshal bool into Go struct field ConfigMap.data of type string\n")
    assert made(refused) == []
    assert quoted.end().get("configmaps", "c")["data"] == {"country": "no"}


def test_o34_keys_become_text_and_the_later_of_two_wins():
    story = applied(config("c", 'data: {on: "1", y: "2", n: "3", yes: "4", off: "5", 1: "6", 1.5: "7"}'))
    assert story.printed(APPLY) == "configmap/c created\n"
    assert story.end().get("configmaps", "c")["data"] == {"1": "6", "1.5": "7", "false": "5", "true": "4"}


def test_o34_label_keys_too():
    story = applied(config("c", more="  labels:\n    on: a\n    y: b\n    n: c\n"))
    assert story.end().get("configmaps", "c")["metadata"]["labels"] == {"true": "b", "false": "c"}


def test_o34_a_key_written_twice_is_accepted_silently_and_the_last_wins():
    story = applied(config("c", 'data:\n  a: "1"\n  a: "2"'))
    assert story.printed(APPLY) == "configmap/c created\n"
    assert story.end().get("configmaps", "c")["data"] == {"a": "2"}


def test_o34_a_time_is_no_number_to_the_base_of_60():
    story = applied(config("c", "data: {port: 12:30}"))
    assert story.end().get("configmaps", "c")["data"] == {"port": "12:30"}


@pytest.mark.parametrize(("text", "line"), [("apiVersion: v1\nkind: ConfigMap\nmetadata:\n\tname: c\n", 4), (config("c", 'data:\n  a: "1"\n\tb: "2"'), 7)])
def test_o34_a_tab_in_the_indent(text, line):
    story = applied(text)
    assert story.printed(APPLY) == (f"error: error parsing f.yaml: error converting YAML to JSON: yaml: line {line}: "
                                    "found character that cannot start any token\n")
    assert story.exit(APPLY) == 1
    assert wrote(story) == []


def test_o34_the_server_never_sees_anchors_aliases_and_merge_keys():
    story = applied(config("c", "data:\n  s: &s hello\n  t: *s", more="  labels: &l {a: x, b: q}\n  annotations:\n    <<: *l\n    b: zz\n"))
    stored = story.end().get("configmaps", "c")
    assert stored["data"] == {"s": "hello", "t": "hello"}
    assert stored["metadata"]["labels"] == {"a": "x", "b": "q"}
    annotations = dict(stored["metadata"]["annotations"])
    sent = json.loads(annotations.pop("kubectl.kubernetes.io/last-applied-configuration"))
    assert annotations == {"a": "x", "b": "zz"}
    assert sent["data"] == {"s": "hello", "t": "hello"}


def test_o34_an_anchor_is_not_known_in_the_next_document():
    story = applied(config("a", "data: {s: &s hello}") + "---\n" + config("b", "data: {s: *s}"))
    assert story.printed(APPLY) == "configmap/a created\nerror: error parsing f.yaml: error converting YAML to JSON: yaml: unknown anchor 's' referenced\n"
    assert made(story) == ["a"]
