"""Rules for Endpoints and EndpointSlices (pkg/apis/core/validation/validation.go, pkg/apis/discovery/validation/validation.go)."""

import ipaddress

from . import metadata, names
from .errors import between, each_message, invalid, one_of, required, unchanged

FAMILIES = ("IPv4", "IPv6")
PROTOCOLS = ("SCTP", "TCP", "UDP")
ADDRESS_TYPES = ("FQDN", *FAMILIES)


def usable_address(path, text):
    wrong = list(names.ip_address(path, text))
    yield from wrong if wrong else _special_address(path, text)


def _special_address(path, text):
    """Errors for an address that cannot be an endpoint's."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        yield invalid(path, text, "must be a valid IP address")
        return
    if address.is_unspecified:
        yield invalid(path, text, f"may not be unspecified ({text})")
    if address.is_loopback:
        yield invalid(path, text, "may not be in the loopback range (127.0.0.0/8, ::1/128)")
    if address.is_link_local:
        yield invalid(path, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)")


def endpoints(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    for index, subset in enumerate(found.get("subsets") or ()):
        path = f"subsets[{index}]"
        if not subset.get("addresses") and not subset.get("notReadyAddresses"):
            yield required(path, "must specify `addresses` or `notReadyAddresses`")
        for key in ("addresses", "notReadyAddresses"):
            for number, address in enumerate(subset.get(key) or ()):
                yield from usable_address(f"{path}.{key}[{number}].ip", address.get("ip") or "")
        for number, port in enumerate(subset.get("ports") or ()):
            yield from _endpoint_port(port, len(subset["ports"]) > 1, f"{path}.ports[{number}]")


def _endpoint_port(port, needs_name, path):
    if needs_name and not port.get("name"):
        yield required(f"{path}.name")
    elif port.get("name"):
        yield from each_message(f"{path}.name", port["name"], names.dns_label(port["name"]))
    if not 1 <= port.get("port", 0) <= 65535:
        yield invalid(f"{path}.port", port.get("port", 0), between(1, 65535))
    yield from one_of(f"{path}.protocol", port.get("protocol"), PROTOCOLS)


def endpoint_slice(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    kind = found.get("addressType")
    yield from one_of("addressType", kind, ADDRESS_TYPES)
    for index, endpoint in enumerate(found.get("endpoints") or ()):
        if not endpoint.get("addresses"):
            yield required(f"endpoints[{index}].addresses", "must contain at least 1 address")
        for number, address in enumerate(endpoint.get("addresses") or ()):
            if kind in FAMILIES:
                yield from usable_address(f"endpoints[{index}].addresses[{number}]", address)


def endpoint_slice_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from endpoint_slice(new)
    yield from unchanged("addressType", new.get("addressType"), old.get("addressType"))
