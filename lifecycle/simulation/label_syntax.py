"""What a label's key and value may look like (apimachinery/pkg/api/validate/content, pkg/util/validation)."""
import re
from functools import lru_cache

_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE = f"({_NAME})?"
_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_NAME_PROBLEM = ("name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
                 f"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_NAME}')")
_VALUE_PROBLEM = ("a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
                  f"character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '{_VALUE}')")
_PREFIX_PROBLEM = ("prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an "
                   f"alphanumeric character (e.g. 'example.com', regex used for validation is '{_SUBDOMAIN}')")
_SHAPE_PROBLEM = ("a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
                  f"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_NAME}') "
                  "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')")


@lru_cache(maxsize=2048)
def qualified_name_problems(key):
    """What is wrong with a label or annotation key, a resource or a condition name; an empty tuple if nothing is."""
    *prefixes, name = key.split("/")
    if len(prefixes) > 1:
        return (_SHAPE_PROBLEM,)
    problems = _prefix_problems(prefixes[0]) if prefixes else []
    if not name:
        problems.append("name part must be non-empty")
    elif len(name) > 63:
        problems.append("name part must be no more than 63 bytes")
    if not re.fullmatch(_NAME, name):
        problems.append(_NAME_PROBLEM)
    return tuple(problems)


def _prefix_problems(prefix):
    if not prefix:
        return ["prefix part must be non-empty"]
    problems = ["prefix part must be no more than 253 bytes"] if len(prefix) > 253 else []
    return problems if re.fullmatch(_SUBDOMAIN, prefix) else [*problems, _PREFIX_PROBLEM]


@lru_cache(maxsize=8192)
def label_value_problems(value):
    """What is wrong with a label's value; an empty tuple if nothing is."""
    problems = ("must be no more than 63 bytes",) if len(value) > 63 else ()
    return problems if re.fullmatch(_VALUE, value) else (*problems, _VALUE_PROBLEM)
