"""Protobuf request bodies, as kubectl v1.37.1 sent them to a server that only listened; the objects are what it printed with --dry-run=client -o json,
or, for commands that cannot be run dry, what their words ask for."""
import base64
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifecycle.kubernetes_api.protobuf import decode
from lifecycle.kubernetes_api.protobuf.messages import message_of, messages
from lifecycle.kubernetes_api.protobuf.special import SPECIAL
from lifecycle.simulation.control_plane.apiserver.decode import converted, type_of
from lifecycle.simulation.resources import registry

BODIES = json.loads(Path(__file__).with_name("golden").joinpath("protobuf_bodies.json").read_text())
NAMESPACE = base64.b64decode(BODIES["kubectl create namespace shop"]["body"])
DEPLOYMENT = base64.b64decode(next(each["body"] for line, each in BODIES.items() if line.startswith("kubectl create deployment web")))


def stored(thing):
    """An object as the API server's decoder understands it, with its complaints."""
    group, _, version = thing["apiVersion"].rpartition("/")
    return converted(thing, type_of((group, version, thing["kind"])))


def field(number, value):
    """A field of a message: a varint, or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(number):
    head = b""
    while number >= 0x80:
        head, number = head + bytes([number & 0x7F | 0x80]), number >> 7
    return head + bytes([number])


def body(version, kind, message):
    return b"k8s\0" + field(1, field(1, version) + field(2, kind)) + field(2, message)


@pytest.mark.parametrize("line", BODIES)
def test_what_kubectl_sends_is_understood_as_what_it_prints(line):
    thing, problems = stored(decode(base64.b64decode(BODIES[line]["body"])))
    assert problems == []
    assert thing == stored(BODIES[line]["object"])[0]


def test_a_pointer_to_nothing_is_left_out_and_one_to_zero_is_kept():
    line = next(line for line in BODIES if "--replicas=0" in line)
    assert decode(base64.b64decode(BODIES[line]["body"]))["spec"]["replicas"] == 0
    assert "progressDeadlineSeconds" not in decode(DEPLOYMENT)["spec"]


def test_structs_inside_structs_stand_in_the_outer_object():
    probe = field(1, field(2, field(1, b"/ready") + field(2, field(1, 1) + field(3, b"http")))) + field(2, 5)
    pod = decode(body(b"v1", b"Pod", field(2, field(2, field(1, b"app") + field(10, probe)))))
    assert pod["spec"]["containers"] == [{"name": "app", "livenessProbe": {"httpGet": {"path": "/ready", "port": "http"}, "initialDelaySeconds": 5}}]


def test_numbers_are_signed_and_lists_of_them_may_be_packed():
    context = field(1, (1 << 64) - 5) + field(4, varint(1000) + varint(2000)) + field(4, 3000)
    pod = decode(body(b"v1", b"Pod", field(2, field(14, field(2, (1 << 64) - 1) + context[len(field(1, (1 << 64) - 5)):]))))
    assert pod["spec"]["securityContext"] == {"runAsUser": -1, "supplementalGroups": [1000, 2000, 3000]}


def test_times_are_rfc_3339_and_an_empty_one_is_none():
    metadata = field(1, b"a") + field(8, b"") + field(9, field(1, 1_767_225_600))
    assert decode(body(b"v1", b"Namespace", field(1, metadata)))["metadata"] == {"name": "a", "deletionTimestamp": "2026-01-01T00:00:00Z"}


def test_the_options_of_a_delete_and_an_eviction_are_known():
    options = field(1, 0) + field(4, b"Orphan")
    assert decode(body(b"apps/v1", b"DeleteOptions", options))["propagationPolicy"] == "Orphan"
    assert decode(body(b"policy/v1", b"Eviction", field(1, field(1, b"web")) + field(2, options)))["deleteOptions"]["gracePeriodSeconds"] == 0


def test_fields_that_nobody_knows_are_skipped():
    message = field(1, field(1, b"a")) + field(15, b"new") + bytes([14 << 3 | 1]) + b"8 bytes!" + bytes([13 << 3 | 5]) + b"four"
    assert decode(body(b"v1", b"Namespace", message)) == {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}}


@pytest.mark.parametrize(("data", "complaint"), [
    (b"", "does not begin"), (b'{"kind": "Pod"}', "does not begin"), (b"k8s\0", 'kind "" of version ""'), (NAMESPACE[:-3], "middle of a field"),
    (body(b"v1", b"Nonsense", b""), 'kind "Nonsense" of version "v1"'), (body(b"example.com/v1", b"Widget", b""), "send it as JSON"),
    (body(b"v1", b"Namespace", field(1, 5)), "number where bytes"), (body(b"v1", b"Namespace", field(1, field(1, b"\xff"))), "not UTF-8"),
    (body(b"v1", b"Namespace", field(1, field(7, b"seven"))), "where a number belongs"), (body(b"v1", b"Namespace", b"\x0b"), "wire type 3"),
    (body(b"v1", b"Namespace", b"\x02\0"), "number 0"), (body(b"v1", b"Namespace", b"\x08" + b"\xff" * 11), "more than ten bytes"),
    (body(b"v1", b"Namespace", field(1, field(8, field(1, (1 << 63) - 1)))), "calendar"), (body(b"v1", b"Namespace", b"") + field(3, b"gzip"), "encoding"),
    (b"k8s\0" + bytes(3 << 20), "are the most")])
def test_what_is_no_object_is_refused_with_a_sentence(data, complaint):
    with pytest.raises(ValueError, match=complaint):
        decode(data)


def test_a_body_that_would_fill_the_memory_is_refused():
    empty_containers, groups = b"\x12\0" * 100_001, field(14, field(4, bytes(100_001)))
    for spec in (empty_containers, groups):
        with pytest.raises(ValueError, match="more than 100000 fields"):
            decode(body(b"v1", b"Pod", field(2, spec)))


def test_no_message_of_the_table_contains_itself_so_that_no_body_is_deeper_than_the_table():
    def walk(name, around):
        assert name not in around
        for field in messages().get(name, {}).values():
            walk(field.type, (*around, name))
    for name in messages():
        walk(name, ())


def test_every_kind_that_is_served_can_come_as_protobuf():
    served = {(row.api_version, row.kind) for row in registry().values()}
    unknown = {kind for version, kind in served if message_of(version, kind) is None}
    assert unknown == {"APIService", "CustomResourceDefinition"}


def test_a_lease_an_event_and_a_volume_are_understood():
    spec = field(1, b"me") + field(2, 15) + field(4, field(1, 1_767_225_600) + field(2, 123_456_000))
    assert decode(body(b"coordination.k8s.io/v1", b"Lease", field(2, spec)))["spec"] == {
        "holderIdentity": "me", "leaseDurationSeconds": 15, "renewTime": "2026-01-01T00:00:00.123456Z"}
    volume = field(1, field(1, b"storage") + field(2, field(1, b"1Gi"))) + field(2, field(3, field(1, b"/data")))
    found = decode(body(b"v1", b"PersistentVolume", field(2, volume)))["spec"]
    assert found == {"capacity": {"storage": "1Gi"}, "hostPath": {"path": "/data"}}
    revision = field(2, field(1, b'{"spec": [1]}')) + field(3, 7)
    assert decode(body(b"apps/v1", b"ControllerRevision", revision)) == {
        "apiVersion": "apps/v1", "kind": "ControllerRevision", "data": {"spec": [1]}, "revision": 7}


def test_the_table_names_only_messages_and_scalars_that_there_are():
    types = {field.type for fields in messages().values() for field in fields.values()}
    assert types <= {*messages(), *SPECIAL, "string", "bytes", "int32", "int64", "bool"}


@given(st.binary(max_size=300))
def test_no_bytes_do_anything_but_decode_or_be_refused(data):
    for whole in (data, b"k8s\0" + data, body(b"v1", b"Pod", data[:2000])):
        try:
            assert isinstance(decode(whole), dict)
        except ValueError as error:
            assert str(error)


@settings(max_examples=300)
@given(st.data())
def test_no_damage_to_a_real_body_does_anything_but_decode_or_be_refused(data):
    damaged = bytearray(DEPLOYMENT)
    for place in data.draw(st.lists(st.integers(0, len(damaged) - 1), min_size=1, max_size=5)):
        damaged[place] = data.draw(st.integers(0, 255))
    try:
        assert isinstance(decode(bytes(damaged[:data.draw(st.integers(0, len(damaged)))])), dict)
    except ValueError as error:
        assert str(error)
