"""Rules for namespaces, nodes and what is kept for others: ConfigMaps, Secrets, priorities, leases (pkg/apis/core/validation and others)."""

import base64
import ipaddress
import json

from ....objects import at, is_deleting
from . import amounts, metadata, names
from .errors import duplicate, each_message, forbidden, invalid, not_negative, one_of, required, too_long, unchanged
from .scheduling import taints

MOST_DATA = 1024 * 1024  # bytes
HIGHEST_PRIORITY = 1_000_000_000
SYSTEM_PRIORITIES = {"system-node-critical": 2_000_001_000, "system-cluster-critical": 2_000_000_000}
IMMUTABLE_DATA = "field is immutable when `immutable` is set"
NO_NEW_CIDR = 'node updates may not change podCIDR except from "" to valid'
NO_NEW_PROVIDER = 'node updates may not change providerID except from "" to valid'
SERVICE_ACCOUNT = "kubernetes.io/service-account.name"
GO_NAMES = {list: "array", str: "string", int: "number", float: "number", bool: "bool"}
NEEDED_KEYS = {
    "kubernetes.io/dockercfg": (".dockercfg",),
    "kubernetes.io/dockerconfigjson": (".dockerconfigjson",),
    "kubernetes.io/ssh-auth": ("ssh-privatekey",),
    "kubernetes.io/tls": ("tls.crt", "tls.key"),
}


def named(namespaced, check=names.dns_subdomain):
    """The rule for a kind of which only the metadata is checked."""
    return lambda found: metadata.object_meta(found["metadata"], namespaced, check)


def namespace(found):
    yield from metadata.object_meta(found["metadata"], False, names.dns_label)
    for name in at(found, "spec", "finalizers", default=()):
        yield from metadata.finalizers([name], "spec.finalizers")


def namespace_update(new, old):
    yield from namespace(new)
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])


def namespace_status_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    deleting, phase = is_deleting(new), at(new, "status", "phase", default="")
    expected = "Terminating" if deleting else "Active"
    if phase != expected:
        yield invalid("status.Phase", phase, f"may only be '{expected}' if `deletionTimestamp` is {'not ' if deleting else ''}empty")


def node(found):
    yield from metadata.object_meta(found["metadata"], False, names.dns_subdomain)
    spec = found.get("spec") or {}
    yield from taints(spec.get("taints"), "metadata.taints")
    yield from _node_amounts(found)
    networks = spec.get("podCIDRs") or []
    for index, network in enumerate(networks):
        yield from names.cidr(f"spec.podCIDRs[{index}]", network)
    if len(networks) > 1 and len({ipaddress.ip_network(network, strict=False).version for network in networks}) < len(networks):
        yield invalid("spec.podCIDRs", networks, "may specify no more than one CIDR for each IP family")


def _node_amounts(found):
    for key in ("capacity", "allocatable"):
        for name, text in at(found, "status", key, default={}).items():
            yield from amounts.amount(name, text, f"status.{key}.{name}")


def node_update(new, old):
    yield from node(new)
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    seen = []
    for index, address in enumerate(at(new, "status", "addresses", default=())):
        if address in seen:
            yield duplicate(f"status.addresses[{index}]", {"Type": address.get("type") or "", "Address": address.get("address") or ""})
        seen.append(address)
    before, after = old.get("spec") or {}, new.get("spec") or {}
    if before.get("podCIDRs") and before["podCIDRs"] != after.get("podCIDRs"):
        yield forbidden("spec.podCIDRs", NO_NEW_CIDR)
    if before.get("providerID") and before["providerID"] != after.get("providerID"):
        yield forbidden("spec.providerID", NO_NEW_PROVIDER)


def config_map(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    data, binary = found.get("data") or {}, found.get("binaryData") or {}
    for key in data:
        yield from each_message(f"data[{key}]", key, names.config_key(key))
        if key in binary:
            yield invalid(f"data[{key}]", key, "duplicate of key present in binaryData")
    for key in binary:
        yield from each_message(f"binaryData[{key}]", key, names.config_key(key))
    if sum(len(text.encode()) for text in data.values()) + _decoded_size(binary) > MOST_DATA:
        yield too_long("[]", MOST_DATA)


def _decoded_size(data):
    return sum(len(text) * 3 // 4 - text.count("=") for text in data.values())


def _immutable(new, old, *keys):
    if not old.get("immutable"):
        return
    if not new.get("immutable"):
        yield forbidden("immutable", IMMUTABLE_DATA)
    for key in keys:
        if (new.get(key) or {}) != (old.get(key) or {}):
            yield forbidden(key, IMMUTABLE_DATA)


def config_map_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from _immutable(new, old, "data", "binaryData")
    yield from config_map(new)


def secret(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    data, kind = found.get("data") or {}, found.get("type")
    for key in data:
        yield from each_message(f"data[{key}]", key, names.config_key(key))
    if _decoded_size(data) > MOST_DATA:
        yield too_long("data", MOST_DATA)
    if kind == "kubernetes.io/service-account-token" and not at(found, "metadata", "annotations", SERVICE_ACCOUNT):
        yield required(f"metadata.annotations[{SERVICE_ACCOUNT}]")
    if kind == "kubernetes.io/basic-auth" and "username" not in data and "password" not in data:
        yield required("data[username]")
        yield required("data[password]")
    for key in NEEDED_KEYS.get(kind, ()):
        if key not in data:
            yield required(f"data[{key}]")
        elif key.startswith(".docker"):
            yield from each_message(f"data[{key}]", "<secret contents redacted>", _not_a_json_object(data[key]))


def _not_a_json_object(encoded):
    """What Go's encoding/json has against a text, in base64, as an object."""
    text = base64.b64decode(encoded).decode(errors="replace")
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        rest = text[error.pos : error.pos + 1]
        return [f"invalid character '{rest}' looking for beginning of value" if rest else "unexpected end of JSON input"]
    kind = GO_NAMES.get(type(found))
    return [f"json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}"] if kind else []


def secret_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from unchanged("type", new.get("type"), old.get("type"))
    yield from _immutable(new, old, "data")
    yield from secret(new)


def priority_class(found):
    yield from metadata.object_meta(found["metadata"], False, names.dns_subdomain)
    name, value = found["metadata"].get("name") or "", found.get("value", 0)
    if name.startswith("system-"):
        if SYSTEM_PRIORITIES.get(name) != value:
            why = f"error: {name} is not a known system priority class"
            if name in SYSTEM_PRIORITIES:
                why = f"error: value of {name} PriorityClass must be {SYSTEM_PRIORITIES[name]}"
            yield forbidden("metadata.name", f"priority class names with 'system-' prefix are reserved for system use only. {why}")
    elif value > HIGHEST_PRIORITY:
        yield forbidden("value", f"maximum allowed value of a user defined priority is {HIGHEST_PRIORITY}")
    if found.get("preemptionPolicy") is not None:
        yield from one_of("preemptionPolicy", found["preemptionPolicy"], ("PreemptLowerPriority", "Never"))


def priority_class_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    if new.get("value", 0) != old.get("value", 0):
        yield forbidden("Value", "may not be changed in an update.")
    yield from unchanged("preemptionPolicy", new.get("preemptionPolicy"), old.get("preemptionPolicy"))


def lease(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    seconds = at(found, "spec", "leaseDurationSeconds")
    if seconds is not None and seconds <= 0:
        yield invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0")
    yield from not_negative("spec.leaseTransitions", at(found, "spec", "leaseTransitions"))
