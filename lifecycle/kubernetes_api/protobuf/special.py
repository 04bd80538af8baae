"""Messages that JSON writes as something else than an object: times, quantities, and what may be of several types (k8s.io/apimachinery)."""
from datetime import UTC, datetime, timedelta

import orjson

from .wire import number, signed, text

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


def _time(found):
    """RFC 3339 in seconds; None for Go's zero time, which is an empty message."""
    return _moment(found, 0).strftime("%Y-%m-%dT%H:%M:%SZ") if found else None


def _micro_time(found):
    return _moment(found, signed(number(found.get(2, 0)), 32) // 1000).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if found else None


def _moment(found, microseconds):
    try:
        moment = BEGINNING + timedelta(seconds=signed(number(found.get(1, 0)), 64), microseconds=microseconds)
    except OverflowError:
        raise ValueError("the protobuf body has a time that no calendar knows") from None
    if moment.year < 1000:
        raise ValueError("the protobuf body has a time that no calendar knows")
    return moment


def _int_or_string(found):
    return text(found.get(3, b"")) if number(found.get(1, 0)) else signed(number(found.get(2, 0)), 32)


def _json(found):
    """RawExtension and FieldsV1 carry JSON as it is."""
    return orjson.loads(found[1]) if isinstance(found.get(1), bytes) and found[1] else {}


# What each makes of {field number: last value}.
SPECIAL = {
    "meta.v1.Time": _time, "meta.v1.MicroTime": _micro_time, "intstr.IntOrString": _int_or_string, "meta.v1.FieldsV1": _json, "runtime.RawExtension": _json,
    "resource.Quantity": lambda found: text(found.get(1, b"0"))}

# A list that has a type of its own is a message on the wire: its only field is the list.
WRAPPED_LISTS = ("authentication.v1.AttestationValue", "authentication.v1.ExtraValue", "authorization.v1.ExtraValue", "certificates.v1.ExtraValue")
