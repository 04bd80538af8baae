"""What a name, a label, a port name may look like (apimachinery/pkg/util/validation, apimachinery/pkg/api/validate/content).

Each function takes a text and answers with a list of what is wrong with it, in Kubernetes' words; empty if nothing is.
"""

import ipaddress
import re
from functools import lru_cache

from .errors import between, invalid

LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
SUBDOMAIN = rf"{LABEL}(\.{LABEL})*"
UNDERSCORED_LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
UNDERSCORED_SUBDOMAIN = rf"{UNDERSCORED_LABEL}(\.{UNDERSCORED_LABEL})*"
WILDCARD = rf"\*\.{SUBDOMAIN}"
QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
LABEL_VALUE = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?"
CONFIG_KEY = "[-._a-zA-Z0-9]+"
HEADER = "[-A-Za-z0-9]+"
PERCENT = "[0-9]+%"

ENDS = "and must start and end with an alphanumeric character"


def _regex_message(text, pattern, *examples):
    shown = "".join(f"'{example}', {'' if example == examples[-1] else ' or '}" for example in examples)
    return f"{text} (e.g. {shown}regex used for validation is '{pattern}')"


LABEL_TEXT = _regex_message(f"a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', {ENDS}", LABEL, "my-name", "123-abc")
SUBDOMAIN_TEXT = _regex_message(
    f"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', {ENDS}", SUBDOMAIN, "example.com"
)
UNDERSCORED_TEXT = _regex_message(
    f"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', {ENDS}", UNDERSCORED_SUBDOMAIN, "example.com"
)
WILDCARD_TEXT = _regex_message(
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, "
    "'-' or '.' and end with an alphanumeric character",
    WILDCARD,
    "*.example.com",
)
QUALIFIED_TEXT = _regex_message(f"must consist of alphanumeric characters, '-', '_' or '.', {ENDS}", QUALIFIED, "MyName", "my.name", "123-abc")
LABEL_VALUE_TEXT = _regex_message(
    f"a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', {ENDS}", LABEL_VALUE, "MyValue", "my_value", "12345"
)
CONFIG_KEY_TEXT = _regex_message("a valid config key must consist of alphanumeric characters, '-', '_' or '.'", CONFIG_KEY, "key.name", "KEY_NAME", "key-name")
HEADER_TEXT = _regex_message("a valid HTTP header must consist of alphanumeric characters or '-'", HEADER, "X-Header-Name")
PERCENT_TEXT = _regex_message("a valid percent string must be a numeric string followed by an ending '%'", PERCENT, "1%", "93%")
ENV_NAME_TEXT = "a valid environment variable name must consist only of printable ASCII characters other than '='"
IP_TEXT = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
CIDR_TEXT = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"

_label, _subdomain, _wildcard = (re.compile(pattern, re.ASCII) for pattern in (LABEL, SUBDOMAIN, WILDCARD))
_underscored, _qualified, _label_value = (re.compile(pattern, re.ASCII) for pattern in (UNDERSCORED_SUBDOMAIN, QUALIFIED, LABEL_VALUE))


def _too_long(text, limit, unit="characters"):
    return [f"must be no more than {limit} {unit}"] if len(text.encode()) > limit else []


@lru_cache(maxsize=4096)
def dns_label(text):
    wrong = _too_long(text, 63)
    if not _label.fullmatch(text):
        wrong.append("must not contain dots" if _subdomain.fullmatch(text) else LABEL_TEXT)
    return wrong


@lru_cache(maxsize=4096)
def dns_subdomain(text):
    return _too_long(text, 253) + ([] if _subdomain.fullmatch(text) else [SUBDOMAIN_TEXT])


def underscored_subdomain(text):
    return _too_long(text, 253) + ([] if _underscored.fullmatch(text) else [UNDERSCORED_TEXT])


def wildcard_subdomain(text):
    return _too_long(text, 253) + ([] if _wildcard.fullmatch(text) else [WILDCARD_TEXT])


@lru_cache(maxsize=4096)
def qualified_name(text):
    """A label's key, a finalizer, a resource: a name with an optional DNS subdomain and a slash before it."""
    prefix, slash, name = text.rpartition("/")
    if "/" in prefix:
        return [f"a valid label key {QUALIFIED_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"]
    wrong = []
    if slash:
        wrong = [f"prefix part {message}" for message in dns_subdomain(prefix)] if prefix else ["prefix part must be non-empty"]
    if not name:
        wrong.append("name part must be non-empty")
    wrong += [f"name part {message}" for message in _too_long(name, 63, "bytes")]
    return wrong + ([] if _qualified.fullmatch(name) else [f"name part {QUALIFIED_TEXT}"])


@lru_cache(maxsize=4096)
def label_value(text):
    return _too_long(text, 63, "bytes") + ([] if _label_value.fullmatch(text) else [LABEL_VALUE_TEXT])


def config_key(text):
    wrong = _too_long(text, 253)
    if not re.fullmatch(CONFIG_KEY, text):
        wrong.append(CONFIG_KEY_TEXT)
    if text == ".":
        return [*wrong, "must not be '.'"]
    if text == "..":
        return [*wrong, "must not be '..'"]
    return [*wrong, "must not start with '..'"] if text.startswith("..") else wrong


def env_name(text):
    if not text:
        return ["environment variable name must be non-empty"]
    return [] if all(" " <= character <= "~" and character != "=" for character in text) else [ENV_NAME_TEXT]


def port_name(text):
    wrong = _too_long(text, 15)
    if not re.fullmatch("[-a-z0-9]+", text):
        wrong.append("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
    if not re.search("[a-z]", text):
        wrong.append("must contain at least one letter (a-z)")
    if "--" in text:
        wrong.append("must not contain consecutive hyphens")
    if text.startswith("-") or text.endswith("-"):
        wrong.append("must not begin or end with a hyphen")
    return wrong


def port_number(number):
    return [] if 1 <= number <= 65535 else [between(1, 65535)]


def header_name(text):
    return [] if re.fullmatch(HEADER, text) else [HEADER_TEXT]


def percent(text):
    return [] if re.fullmatch(PERCENT, text) else [PERCENT_TEXT]


def ip_address(field, text):
    """An Invalid error unless `text` is an address."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        yield invalid(field, text, IP_TEXT)


def cidr(field, text):
    """An Invalid error unless `text` is a network."""
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        yield invalid(field, text, CIDR_TEXT)


def generated(check):
    """`check` for a generateName: the part before what will be appended may end in a dash."""
    return lambda text: check(text[:-2] + "a" if len(text) > 1 and text.endswith("-") else text)
