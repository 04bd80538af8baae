"""Open cases O34, O35 and O38: what YAML makes of values, files with a bad document in them, fields and versions that do not exist."""
import json

import pytest

from lifecycle.simulation.objects import at

from .stories import play

APPLY = "kubectl apply -f f.yaml"
NOT_A_POD = 'Pod in version "v1" cannot be handled as a Pod: '


def applied(text, command=APPLY):
    """A Story of one command on f.yaml."""
    return play(f"@0s {command}\n@5s end", {"f.yaml": text})


def config(name, body='data: {a: "1"}', more=""):
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n{more}{body}\n"


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


def made(story, qualified="configmaps"):
    """The names of what the user made."""
    return [name for name in story.end().names(qualified) if name != "kube-root-ca.crt"]


def wrote(story):
    """The write requests of kubectl."""
    return [step for step in story.cluster.log.steps if step.source == "kubectl" and step.target == "apiserver" and not str(step.request).startswith("GET")]


# -- O34: typing -----------------------------------------------------------------------------------------------------------
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


# -- O35: several documents ------------------------------------------------------------------------------------------------
HINT = "; if you choose to ignore these errors, turn validation off with --validate=false\n"


def between(bad, command=APPLY):
    """A Story about a file of three documents whose second is `bad`."""
    return applied(f"{config('a')}---\n{bad}\n---\n{config('c')}", command)


@pytest.mark.parametrize(("bad", "problem"), [
    ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b", "line 3: did not find expected ',' or '}'"),
    ("apiVersion: v1\nkind: ConfigMap\n metadata:\n  name: b", "line 3: mapping values are not allowed in this context"),
])
def test_o35_nothing_is_read_behind_a_syntax_error(bad, problem):
    story = between(bad)
    assert story.printed(APPLY) == f"configmap/a created\nerror: error parsing f.yaml: error converting YAML to JSON: yaml: {problem}\n"
    assert story.exit(APPLY) == 1
    assert made(story) == ["a"]


@pytest.mark.parametrize(("bad", "problem"), [
    ("apiVersion: v1\nmetadata: {name: b}", "kind not set"),
    ("kind: ConfigMap\nmetadata: {name: b}", "apiVersion not set"),
    ("hello", "invalid object to validate"),
])
def test_o35_nothing_is_read_behind_a_document_that_is_no_object(bad, problem):
    story = between(bad)
    assert story.printed(APPLY) == f'configmap/a created\nerror: error validating "f.yaml": error validating data: {problem}{HINT}'
    assert story.exit(APPLY) == 1
    assert made(story) == ["a"]


def test_o35_without_validation_the_rest_is_applied():
    unchecked = "kubectl apply -f f.yaml --validate=false"
    story = between("apiVersion: v1\nmetadata: {name: b}", unchecked)
    assert story.printed(unchecked) == ("configmap/a created\nconfigmap/c created\n"
                                        'error: unable to decode "f.yaml": Object \'Kind\' is missing in \'{"apiVersion":"v1","metadata":{"name":"b"}}\'\n')
    assert story.exit(unchecked) == 1


REFUSED = {
    "an unknown kind": ("apiVersion: example.com/v1\nkind: Bogus\nmetadata: {name: b}",
                        'error: resource mapping not found for name: "b" namespace: "" from "f.yaml": no matches for kind "Bogus" in version "example.com/v1"\n'
                        "ensure CRDs are installed first\n"),
    "validation": ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Bad_b}",
                   'The ConfigMap "Bad_b" is invalid: metadata.name: Invalid value: "Bad_b": a lowercase RFC 1123 subdomain must consist of lower case '
                   "alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation "
                   "is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')\n"),
    "decoding": ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {a: 5}",
                 'Error from server (BadRequest): error when creating "f.yaml": ConfigMap in version "v1" cannot be handled as a ConfigMap: '
                 "json: cannot unmarshal number into Go struct field ConfigMap.data of type string\n"),
    "admission": ("apiVersion: v1\nkind: Pod\nmetadata: {name: b}\nspec: {serviceAccountName: nope, containers: [{name: c, image: \"demo:ok\"}]}",
                  'Error from server (Forbidden): error when creating "f.yaml": pods "b" is forbidden: error looking up service account default/nope: '
                  'serviceaccount "nope" not found\n'),
    "a namespace that is not there": ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: x}",
                                      'Error from server (NotFound): error when creating "f.yaml": namespaces "x" not found\n'),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_o35_what_is_refused_does_not_stop_the_rest(reason):
    bad, message = REFUSED[reason]
    story = between(bad)
    assert story.printed(APPLY) == "configmap/a created\nconfigmap/c created\n" + message
    assert story.exit(APPLY) == 1
    assert made(story) == ["a", "c"]


def test_o35_documents_are_applied_in_their_order_so_a_second_apply_finds_the_namespace():
    text = config("a") + "---\n" + config("b", more="  namespace: x\n") + "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: x}\n"
    story = play(f"@0s {APPLY}\n@5s {APPLY}\n@9s end", {"f.yaml": text})
    assert story.printed(APPLY) == ("configmap/a created\nnamespace/x created\n"
                                    'Error from server (NotFound): error when creating "f.yaml": namespaces "x" not found\n')
    assert story.printed(APPLY, 2) == "configmap/a unchanged\nconfigmap/b created\nnamespace/x unchanged\n"
    assert (story.exit(APPLY), story.exit(APPLY, 2)) == (1, 0)


def test_o35_several_errors_come_without_the_word_error():
    create = "kubectl create -f f.yaml"
    text = config("a") + "---\napiVersion: example.com/v1\nkind: Bogus\nmetadata: {name: b}\n---\n" + config("c")
    story = play(f"@0s {APPLY}\n@5s {create}\n@9s end", {"f.yaml": text})
    assert story.printed(create) == ('Error from server (AlreadyExists): error when creating "f.yaml": configmaps "a" already exists\n'
                                     'Error from server (AlreadyExists): error when creating "f.yaml": configmaps "c" already exists\n'
                                     'resource mapping not found for name: "b" namespace: "" from "f.yaml": '
                                     'no matches for kind "Bogus" in version "example.com/v1"\n'
                                     "ensure CRDs are installed first\n")


def test_o35_empty_documents_and_comments_are_skipped():
    story = between("# nothing\n---\n---")
    assert story.printed(APPLY) == "configmap/a created\nconfigmap/c created\n"
    assert story.exit(APPLY) == 0


# -- O38: unknown fields and versions --------------------------------------------------------------------------------------
DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: c
        image: demo:ok
        imagePullPolcy: Always
"""
UNKNOWN = 'unknown field "spec.template.spec.containers[0].imagePullPolcy"'
REMOVED = ('error: resource mapping not found for name: "web" namespace: "" from "f.yaml": no matches for kind "Deployment" in version "extensions/v1beta1"\n'
           "ensure CRDs are installed first\n")


@pytest.mark.parametrize("command", [APPLY, "kubectl create -f f.yaml", "kubectl apply -f f.yaml --validate=strict"])
def test_o38_an_unknown_field_is_refused(command):
    story = applied(DEPLOYMENT, command)
    assert story.printed(command) == ('Error from server (BadRequest): error when creating "f.yaml": Deployment in version "v1" cannot be handled as '
                                      f"a Deployment: strict decoding error: {UNKNOWN}\n")
    assert story.exit(command) == 1
    assert made(story, "deployments.apps") == []


@pytest.mark.parametrize(("how", "warning"), [("warn", f"Warning: {UNKNOWN}\n"), ("false", ""), ("ignore", "")])
def test_o38_an_unknown_field_is_dropped_with_or_without_a_warning(how, warning):
    command = f"kubectl apply -f f.yaml --validate={how}"
    story = applied(DEPLOYMENT, command)
    assert story.printed(command) == "deployment.apps/web created\n" + warning
    assert story.exit(command) == 0
    [container] = story.end().get("deployments.apps", "web")["spec"]["template"]["spec"]["containers"]
    assert container["imagePullPolicy"] == "IfNotPresent"
    assert "imagePullPolcy" not in container


def test_o38_a_request_that_does_not_ask_for_validation_gets_one_warning_a_field():
    story = play("@0s end")
    body = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "raw"}, "spec": {
        "replicas": 0, "bogus": 1, "selector": {"matchLabels": {"a": "b"}},
        "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "x", "imagePullPolcy": "Always"}]}}}}
    answer = story.cluster.api.http("POST", "/apis/apps/v1/namespaces/default/deployments", {}, body)
    assert answer.code == 201
    assert list(answer.warnings) == ['unknown field "spec.bogus"', UNKNOWN]


@pytest.mark.parametrize("command", [APPLY, "kubectl create -f f.yaml", "kubectl delete -f f.yaml"])
def test_o38_a_removed_version_is_unknown_and_nothing_is_written(command):
    story = applied(DEPLOYMENT.replace("apps/v1", "extensions/v1beta1"), command)
    assert story.printed(command) == REMOVED
    assert story.exit(command) == 1
    assert wrote(story) == []


def test_o38_behind_the_version_the_missing_selector_shows_up():
    story = applied(DEPLOYMENT.replace("        imagePullPolcy: Always\n", "").replace("  selector: {matchLabels: {app: web}}\n", ""))
    assert story.printed(APPLY) == ('The Deployment "web" is invalid: \n* spec.selector: Required value\n'
                                    '* spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`\n')
