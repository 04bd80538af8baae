"""Request bodies become objects as a real API server stores them, and mistakes are told in its words."""
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifecycle.simulation.apimachinery.schema import schema_for
from lifecycle.simulation.control_plane.apiserver.decode import DecodeError, decode

POD, CONFIG_MAP, SECRET, SERVICE = (("", "v1", kind) for kind in ("Pod", "ConfigMap", "Secret", "Service"))
DEPLOYMENT = ("apps", "v1", "Deployment")


def a_container(**fields):
    return {"spec": {"containers": [{"name": "c", **fields}]}}


def stored(body, gvk=POD):
    return decode(body, gvk)[0]


@pytest.mark.parametrize("gvk, body, problem", [
    (POD, a_container(env=[{"name": "A", "value": True}]), "json: cannot unmarshal bool into Go struct field EnvVar.spec.containers.env.value of type string"),
    (POD, a_container(env=[{"name": "A", "value": 1.1}]), "json: cannot unmarshal number into Go struct field EnvVar.spec.containers.env.value of type string"),
    (POD, a_container(ports=[{"containerPort": "x"}]),
     "json: cannot unmarshal string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32"),
    (POD, {"spec": {"nodeSelector": {"a": True}}}, "json: cannot unmarshal bool into Go struct field PodSpec.spec.nodeSelector of type string"),
    (POD, {"spec": {"volumes": [{"name": "x", "fc": {"lun": "a"}}]}},
     "json: cannot unmarshal string into Go struct field FCVolumeSource.spec.volumes.VolumeSource.fc.lun of type int32"),
    (POD, {"spec": {"containers": {}}}, "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container"),
    (POD, {"spec": []}, "json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec"),
    (POD, a_container(resources={"limits": {"cpu": "abc"}}), "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
    (POD, {"metadata": {"creationTimestamp": "2020-1-1"}}, 'parsing time "2020-1-1" as "2006-01-02T15:04:05Z07:00": cannot parse "1-1" as "01"'),
    (DEPLOYMENT, {"spec": {"replicas": "3"}}, "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"),
    (DEPLOYMENT, {"spec": {"replicas": 1.5}}, "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32"),
    (DEPLOYMENT, {"spec": {"template": {"spec": a_container(ports=[{"containerPort": "80"}])["spec"]}}},
     "json: cannot unmarshal string into Go struct field ContainerPort.spec.template.spec.containers.ports.containerPort of type int32"),
    (CONFIG_MAP, {"data": {"a": 5}}, "json: cannot unmarshal number into Go struct field ConfigMap.data of type string"),
    (SECRET, {"data": {"a": "abc!"}}, "illegal base64 data at input byte 3"),
    (SERVICE, {"spec": {"ports": [{"targetPort": True}]}}, "json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32"),
])
def test_a_wrong_type_is_refused_in_the_servers_words(gvk, body, problem):
    with pytest.raises(DecodeError) as caught:
        decode(body, gvk, "Ignore")
    assert caught.value.message == f'{gvk[2]} in version "v1" cannot be handled as a {gvk[2]}: {problem}'


def test_the_first_mistake_of_several_is_reported():
    with pytest.raises(DecodeError, match="into Go struct field DeploymentSpec.spec.paused of type bool"):
        decode({"spec": {"paused": "x", "replicas": "y", "unknown": 1}}, DEPLOYMENT)


UNKNOWN = {"spec": {"replica": 3, "template": {"spec": {"containers": [{"name": "c", "imagePullpolicy": "x", "port": 1}]}}}}


def test_unknown_fields_are_refused_all_at_once_when_asked_to_be_strict():
    with pytest.raises(DecodeError) as caught:
        decode(UNKNOWN, DEPLOYMENT)
    assert caught.value.message == ('Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replica", '
                                    'unknown field "spec.template.spec.containers[0].imagePullpolicy", unknown field "spec.template.spec.containers[0].port"')


def test_unknown_fields_are_dropped_with_a_warning_or_in_silence():
    thing, warnings = decode(UNKNOWN, DEPLOYMENT, "Warn")
    # It should keep what is known
    assert thing["spec"]["template"]["spec"]["containers"] == [{"name": "c", "resources": {}}]
    # It should name each field it dropped
    assert warnings[0] == 'unknown field "spec.replica"' and len(warnings) == 3
    assert decode(UNKNOWN, DEPLOYMENT, "Ignore") == (thing, [])


def test_duplicate_fields_count_as_strict_errors():
    with pytest.raises(DecodeError, match='strict decoding error: duplicate field "spec.replicas"'):
        decode({}, DEPLOYMENT, duplicates=["spec.replicas"])


def test_nulls_and_empty_values_vanish_where_go_leaves_them_out():
    body = {"metadata": {"name": "p", "labels": {}, "creationTimestamp": None, "annotations": {"a": None}},
            "spec": {"hostNetwork": False, "terminationGracePeriodSeconds": 0, "automountServiceAccountToken": False,
                     "containers": [{"name": "c", "args": [], "env": [{"name": "A", "value": ""}], "livenessProbe": {"initialDelaySeconds": 0}}]}}
    assert stored(body) == {
        "metadata": {"name": "p"},
        "spec": {"terminationGracePeriodSeconds": 0, "automountServiceAccountToken": False,
                 "containers": [{"name": "c", "env": [{"name": "A"}], "livenessProbe": {}, "resources": {}}]},
        "status": {}}


def test_what_go_always_prints_is_added():
    status = stored({"status": {"conditions": [{"type": "Ready", "status": "False", "message": ""}], "containerStatuses": [{"name": "c"}]}})["status"]
    assert status["conditions"] == [{"type": "Ready", "status": "False", "lastProbeTime": None, "lastTransitionTime": None}]
    assert status["containerStatuses"] == [{"name": "c", "ready": False, "restartCount": 0, "image": "", "imageID": "", "state": {}, "lastState": {}}]
    slice_ = stored({"endpoints": [], "ports": [{"name": ""}], "addressType": "IPv4"}, ("discovery.k8s.io", "v1", "EndpointSlice"))
    assert slice_["endpoints"] is None and slice_["ports"] == [{"name": ""}]


def test_quantities_and_times_are_written_again_in_their_own_way():
    resources = stored(a_container(resources={"requests": {"cpu": 0.1, "memory": 64, "storage": "1024Mi"}}))["spec"]["containers"][0]["resources"]
    assert resources == {"requests": {"cpu": "100m", "memory": "64", "storage": "1Gi"}}
    assert stored({"metadata": {"creationTimestamp": "2020-01-01T00:30:00.9+01:00"}})["metadata"] == {"creationTimestamp": "2019-12-31T23:30:00Z"}


def test_an_object_in_order_is_handed_back_itself_and_shared_parts_are_not_looked_at_again():
    live = stored({"metadata": {"name": "p"}, **a_container(image="x")})
    assert stored(live) is live
    changed = decode({**live, "status": {"phase": "Running", "message": ""}}, POD, base=live)[0]
    assert changed["spec"] is live["spec"] and changed["status"] == {"phase": "Running"}


CRON_TAB = {"type": "object", "properties": {"spec": {"type": "object", "properties": {
    "cronSpec": {"type": "string"}, "replicas": {"type": "integer"}, "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}}}


def test_custom_resources_follow_their_own_schema():
    gvk = ("stable.example.com", "v1", "CronTab")
    body = {"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": {"name": "c"}, "spec": {"cronSpec": "* *", "any": {"x": 1}}}
    assert decode(body, gvk, open_api=CRON_TAB) == (body, [])
    with pytest.raises(DecodeError, match='CronTab in version "v1" cannot be handled as a CronTab: strict decoding error: unknown field "spec.bogus"'):
        decode({"spec": {"bogus": 1}}, gvk, open_api=CRON_TAB)


def test_the_schema_knows_how_lists_are_merged():
    containers = schema_for(*POD).fields["spec"].fields["containers"]
    assert (containers.merge_key, containers.list_keys, containers.strategies, containers.go) == ("name", ("name",), {"merge"}, "[]v1.Container")
    assert schema_for("apps", "v1", "Nonsense") is None


JUNK = st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
                        st.sampled_from(["metadata", "spec", "containers", "name", "labels", "ports", "env", "resources", "limits", "status", "volumes", "x"]),
                        inner, max_size=4), max_leaves=15)


@settings(max_examples=200)
@given(st.fixed_dictionaries({"metadata": JUNK, "spec": JUNK | st.fixed_dictionaries({"containers": st.lists(JUNK, max_size=2)})}))
def test_any_body_is_decoded_once_and_for_all_or_refused(body):
    try:
        thing, _ = decode(body, POD, "Warn")
    except DecodeError as error:
        assert error.message.startswith('Pod in version "v1" cannot be handled as a Pod: ')
    else:
        assert decode(thing, POD) == (thing, [])
