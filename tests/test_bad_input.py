"""Bad input gets the error that Kubernetes gives, and changes nothing: neither the store nor anything that waits to be done."""
import json

import pytest

from .builders import a_cluster, a_deployment, a_pod, a_service, kubectl

READING = ("apply", "create", "replace", "delete")          # the commands that read manifests


def typed(text, command="apply", options="", cluster=None):
    """(what was printed, exit code, by how many revisions the store moved, what waits) of a command on f.yaml, typed into a fresh cluster."""
    cluster = cluster or a_cluster()
    before = cluster.etcd.revision
    record = kubectl(cluster, f"kubectl {command} -f f.yaml {options}", {"f.yaml": text})
    return record["output"], record["exit"], cluster.etcd.revision - before, cluster.queue.due()


def refused(message):
    return message + "\n", 1, 0, None


def config(name, body='data: {a: "1"}'):
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\n{body}\n"


# -- text that is no YAML --------------------------------------------------------------------------------------------------
LETTERS = "abcdefghi"
BOMB = config("bomb", "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n" for old, new in zip(LETTERS, LETTERS[1:])))
CONVERTING = "error: error parsing f.yaml: error converting YAML to JSON: "
BROKEN = {
    "a tab": ("apiVersion: v1\nkind: ConfigMap\nmetadata:\n\tname: c\n", "yaml: line 4: found character that cannot start any token"),
    "indentation": ("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n   replicas: 3\n  selector: {}\n",
                    "yaml: line 6: did not find expected key"),
    "a map that does not end": ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c\n", "yaml: line 3: did not find expected ',' or '}'"),
    "a colon too many": ("apiVersion: v1\nkind: ConfigMap\n metadata:\n  name: c\n", "yaml: line 3: mapping values are not allowed in this context"),
    "an unknown alias": (config("c", "data: {a: *nobody}"), "yaml: unknown anchor 'nobody' referenced"),
    "a template": ("apiVersion: v1\nkind: ConfigMap\nmetadata: {{ .Values.meta }}\n",
                   'yaml: invalid map key: map[interface {}]interface {}{".Values.meta":interface {}(nil)}'),
    "an anchor in itself": (config("c", "data: &a {a: *a}"), "yaml: an anchor's value contains itself"),
    "an alias bomb": (BOMB, "yaml: document contains excessive aliasing"),
    "depth": (config("c", "data: " + "[" * 150 + "]" * 150), "yaml: exceeded max depth of 100"),
    "great depth": (config("c", "data: " + "[" * 5000 + "]" * 5000), "yaml: line 4: exceeded max depth of 100"),
    "control characters": ("apiVersion: v1\nkind: Config\x00Map\n", "yaml: control characters are not allowed"),
    "not a number": (config("c", "data: {a: .nan}"), "json: unsupported value: NaN"),
}


@pytest.mark.parametrize("command", READING)
@pytest.mark.parametrize("what", BROKEN)
def test_text_that_is_no_yaml(what, command):
    text, problem = BROKEN[what]
    assert typed(text, command) == refused(CONVERTING + problem)


@pytest.mark.parametrize("command", READING)
def test_a_manifest_that_is_too_large_or_has_too_many_documents(command):
    assert typed(config("c", f"data: {{a: {'x' * (1 << 20)}}}"), command) == refused("error: error parsing f.yaml: the manifest is larger than 1024 KiB")


def test_documents_beyond_the_limit_are_not_read():
    printed, exit, moved, _ = typed("---\n".join(config(f"c{number}") for number in range(70)))
    assert printed.endswith("configmap/c63 created\nerror: error parsing f.yaml: the manifest has more than 64 documents\n")
    assert (exit, moved) == (1, 64)


def test_deep_json_is_refused_too():
    assert typed('{"a":' * 5000 + "1" + "}" * 5000) == refused("error: error parsing f.yaml: exceeded max depth")


@pytest.mark.parametrize("command", READING)
@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n---\n"])
def test_a_file_without_objects(text, command):
    nothing = {"delete": ("No resources found\n", 0, 0, None), "replace": ("", 0, 0, None)}
    assert typed(text, command) == nothing.get(command, refused(f"error: no objects passed to {command}"))


# -- YAML that is no object ------------------------------------------------------------------------------------------------
VALIDATING = 'error: error validating "f.yaml": error validating data: '
HINT = "; if you choose to ignore these errors, turn validation off with --validate=false"
UNMAPPED = ('error: resource mapping not found for name: "{}" namespace: "" from "f.yaml": no matches for kind "{}" in version "{}"\n'
            "ensure CRDs are installed first")


@pytest.mark.parametrize(("text", "problem"), [
    ("apiVersion: v1\nmetadata: {name: c}\n", "kind not set"), ("kind: ConfigMap\nmetadata: {name: c}\n", "apiVersion not set"),
    ("metadata: {name: c}\n", "[apiVersion not set, kind not set]"), ("hello\n", "invalid object to validate"), ("- a\n- b\n", "invalid object to validate"),
    ("5\n", "invalid object to validate")])
def test_a_document_that_does_not_say_what_it_is(text, problem):
    assert typed(text) == refused(VALIDATING + problem + HINT)


@pytest.mark.parametrize(("api_version", "kind"), [
    ("apps/v1", "Deploymint"), ("v1", "Deployment"), ("extensions/v1beta1", "Deployment"), ("apps/v1", "deployment"), ("apps/v1", "Pod"),
    ("example.com/v1", "Bogus")])
@pytest.mark.parametrize("command", READING)
def test_a_kind_that_the_server_does_not_know(api_version, kind, command):
    assert typed(f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: web}}\n", command) == refused(UNMAPPED.format("web", kind, api_version))


# -- objects of the wrong shape --------------------------------------------------------------------------------------------
CREATING = 'Error from server (BadRequest): error when creating "f.yaml": '
POD_CANNOT = CREATING + 'Pod in version "v1" cannot be handled as a Pod: '
DEPLOYMENT_CANNOT = CREATING + 'Deployment in version "v1" cannot be handled as a Deployment: '


def without(thing, *path):
    """The manifest as text, without one field."""
    first, *rest = path
    return {**thing, first: without(thing[first], *rest)} if rest else {key: value for key, value in thing.items() if key != first}


WRONG = {
    "no name": (without(a_pod(), "metadata", "name"), None),
    "replicas is text": (a_deployment(replicas="3"),
                         DEPLOYMENT_CANNOT + "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"),
    "containers is a map": (a_pod(containers={"name": "app"}),
                            POD_CANNOT + "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container"),
    "spec is text": ({**a_pod(), "spec": "all"}, POD_CANNOT + "json: cannot unmarshal string into Go struct field Pod.spec of type v1.PodSpec"),
    "a quantity with a blank": (a_pod(container={"resources": {"requests": {"cpu": "1 core"}}}),
                                POD_CANNOT + "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
    "an unknown field": (a_pod(container={"imagePullPolcy": "Always"}),
                         POD_CANNOT + 'strict decoding error: unknown field "spec.containers[0].imagePullPolcy"'),
    "no containers": (a_pod(containers=[]), 'The Pod "web" is invalid: spec.containers: Required value'),
    "no selector": (without(a_deployment(), "spec", "selector"),
                    'The Deployment "web" is invalid: \n* spec.selector: Required value\n'
                    '* spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'),
    "negative replicas": (a_deployment(replicas=-1), 'The Deployment "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0'),
    "no ports": (without(a_service(), "spec", "ports"), 'The Service "web" is invalid: spec.ports: Required value'),
    "port 0": ({**a_service(), "spec": {"ports": [{"port": 0, "targetPort": 80}]}},
               'The Service "web" is invalid: spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive'),
    "no such namespace": ({**a_pod(), "metadata": {"name": "web", "namespace": "nowhere"}},
                          'Error from server (NotFound): error when creating "f.yaml": namespaces "nowhere" not found'),
    "no such service account": (a_pod(serviceAccountName="nope"), 'Error from server (Forbidden): error when creating "f.yaml": pods "web" is forbidden: '
                                'error looking up service account default/nope: serviceaccount "nope" not found'),
}


@pytest.mark.parametrize("what", WRONG)
def test_objects_that_make_no_sense(what):
    manifest, message = WRONG[what]
    printed, exit, moved, waits = typed(json.dumps(manifest))
    assert (exit, moved, waits) == (1, 0, None)
    assert message is None or printed == message + "\n"


def test_an_object_that_is_larger_than_its_annotation_may_be():
    message = 'The ConfigMap "c" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes'
    assert typed(config("c", f"data: {{a: {'x' * 300_000}}}")) == refused(message)


def test_the_same_object_can_be_created_without_the_annotation():
    printed, exit, moved, _ = typed(config("c", f"data: {{a: {'x' * 300_000}}}"), "create")
    assert (printed, exit, moved) == ("configmap/c created\n", 0, 1)


def test_a_config_map_may_hold_a_mebibyte():
    cluster = a_cluster()
    before = cluster.etcd.revision
    record = kubectl(cluster, "kubectl create configmap c --from-file=big.txt", {"big.txt": "x" * ((1 << 20) + 1)})
    assert record["output"] == 'error: failed to create configmap: ConfigMap "c" is invalid: []: Too long: may not be more than 1048576 bytes\n'
    assert (record["exit"], cluster.etcd.revision) == (1, before)


# -- keys that are there twice ---------------------------------------------------------------------------------------------
def test_kubectl_takes_the_last_of_two_keys_silently():
    printed, exit, moved, _ = typed(config("c", 'data:\n  a: "1"\n  a: "2"'))
    assert (printed, exit, moved) == ("configmap/c created\n", 0, 1)


TWICE = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": "1", "a": "2"}}'


def test_the_server_refuses_them_if_asked_to_be_strict():
    cluster = a_cluster()
    before = cluster.etcd.revision
    record = kubectl(cluster, 'kubectl create --raw "/api/v1/namespaces/default/configmaps?fieldValidation=Strict" -f f.json', {"f.json": TWICE})
    assert record["output"] == ('Error from server (BadRequest): ConfigMap in version "v1" cannot be handled as a ConfigMap: '
                                'strict decoding error: duplicate field "data.a"\n')
    assert (record["exit"], cluster.etcd.revision) == (1, before)


BODIES = {
    "no JSON": ("{", "couldn't get version/kind; json parse error: unexpected end of JSON input ({)"),
    "text": ('"notjson"', "couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct "
             '{ APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (226e6f746a736f6e22)'),
    "depth": ("[" * 3000, f"couldn't get version/kind; json parse error: exceeded max depth ({'5b' * 30} ...)"),
    "a kind that is no text": ('{"kind":5}', "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field "
                               '.kind of type string ({"kind":5})'),
}


@pytest.mark.parametrize("what", BODIES)
def test_bodies_that_the_server_cannot_make_out(what):
    cluster = a_cluster()
    body, message = BODIES[what]
    before = cluster.etcd.revision
    record = kubectl(cluster, "kubectl create --raw /api/v1/namespaces/default/configmaps -f f.json", {"f.json": body})
    assert record["output"] == f"Error from server (BadRequest): the object provided is unrecognized (must be of type ConfigMap): {message}\n"
    assert (record["exit"], cluster.etcd.revision) == (1, before)


# -- one bad document among good ones --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("bad", "created"), [
    ("metadata: {name: b", ["a"]), ("apiVersion: v1\nmetadata: {name: b}", ["a"]), ("apiVersion: v1\nkind: Bogus\nmetadata: {name: b}", ["a", "c"]),
    (config("Bad_b"), ["a", "c"]), (config("b", "data: {a: 5}"), ["a", "c"]), (BOMB, ["a"])])
def test_only_the_good_documents_are_created(bad, created):
    printed, exit, moved, _ = typed(f"{config('a')}---\n{bad}\n---\n{config('c')}")
    assert printed.startswith("".join(f"configmap/{name} created\n" for name in created))
    assert printed.count("created") == moved == len(created)
    assert exit == 1


def test_a_list_with_a_bad_item_is_applied_but_for_it():
    items = [json.loads(TWICE), {"apiVersion": "v1", "kind": "Bogus", "metadata": {"name": "b"}}]
    printed, exit, moved, _ = typed(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    assert printed == "configmap/c created\n" + UNMAPPED.format("b", "Bogus", "v1") + "\n"
    assert (exit, moved) == (1, 1)


# -- changes of what is there ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("line", "message"), [
    ("kubectl apply -f bad.yaml", 'The Deployment "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable'),
    ("kubectl replace -f bad.yaml", 'The Deployment "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable'),
    ("kubectl scale deployment web --replicas=-1", "error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0"),
    ("""kubectl patch deployment web -p '{"spec":{"replicas":"many"}}'""", None),
    ("""kubectl patch deployment web -p '{"spec":'""", None),
    ("""kubectl patch deployment web --type=json -p '[{"op":"remove","path":"/spec/nothing"}]'""", None),
    ("kubectl label deployment web bad_key!=x", None),
    ("kubectl annotate deployment web =x", None),
    ("kubectl set image deployment/web nobody=demo:ok2", 'error: unable to find container named "nobody"'),
    ("kubectl edit deployment web", None),
    ("kubectl patch deployment web --type=merge -p '" + '{"a":' * 900 + "1" + "}" * 900 + "'", None),
    ("kubectl frobnicate", None),
    ("kubectl get pods; rm -rf /", None),
])
def test_a_change_that_is_refused_changes_nothing(line, message):
    cluster = a_cluster()
    good = a_deployment(replicas=0)
    other = json.dumps(a_deployment(replicas=0, labels={"app": "other"}))
    kubectl(cluster, "kubectl apply -f good.yaml", {"good.yaml": json.dumps(good)}, 60)
    before = cluster.etcd.revision
    record = kubectl(cluster, line, {"bad.yaml": other}, 10)
    assert record["exit"] == 1
    assert cluster.etcd.revision == before
    assert record["output"] if message is None else record["output"] == message + "\n"
