"""Open cases O35 and O38: files with a bad document in them, fields and versions that do not exist."""
import pytest

from .applying import APPLY, applied, config, made, wrote
from .stories import play

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
