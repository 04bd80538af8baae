"""Label, field and node selectors: compiled once, then asked often (apimachinery/pkg/labels, pkg/fields, component-helpers nodeaffinity)."""
import re
from functools import lru_cache

from lifecycle.simulation.label_selector_text import SelectorError, parsed_requirements

__all__ = [
    "FieldSelector", "LabelSelector", "SelectorError", "compiled", "match_node_selector_terms", "matches", "parse_field_selector", "parse_label_selector"]

_MISSING = object()


class LabelSelector:
    """Requirements on labels, all of which must hold: a list of (key, operator, values). Call it with a labels dict (or None)."""

    def __init__(self, requirements):
        self.requirements = [(key, operator, frozenset(values)) for key, operator, values in requirements]
        self._equal = [(key, next(iter(values))) for key, operator, values in self.requirements if operator == "In" and len(values) == 1]
        self._rest = [one for one in self.requirements if not (one[1] == "In" and len(one[2]) == 1)]

    def __call__(self, labels):
        labels = labels or {}
        for key, wanted in self._equal:
            if labels.get(key, _MISSING) != wanted:
                return False
        return all(_holds(labels.get(key), operator, values) for key, operator, values in self._rest)


def _holds(found, operator, values):
    """Whether one requirement holds for a label's value (None: the label is missing)."""
    if operator in ("DoesNotExist", "NotIn"):
        return found is None or (operator == "NotIn" and found not in values)
    if found is None:
        return False
    if operator == "Exists":
        return True
    if operator == "In":
        return found in values
    return _is_beyond(found, operator, values)


def _is_beyond(found, operator, values):
    """Gt and Lt compare whole numbers; what is no number never matches."""
    try:
        number, limit = int(found), int(next(iter(values), ""))
    except ValueError:
        return False
    return number > limit if operator == "Gt" else number < limit


_compiled = {}          # id(selector) -> (selector, LabelSelector); keeps the selector alive, so that its id stays its own


def compiled(selector):
    """The LabelSelector of a `metav1.LabelSelector` dict; remembered for as long as the same dict is asked for."""
    known = _compiled.get(id(selector))
    if known is None:
        if len(_compiled) > 4096:
            _compiled.clear()
        requirements = [(key, "In", [value]) for key, value in (selector.get("matchLabels") or {}).items()]
        requirements += [_requirement(expression) for expression in selector.get("matchExpressions") or ()]
        known = _compiled[id(selector)] = (selector, LabelSelector(requirements))
    return known[1]


def _requirement(expression):
    return expression.get("key", ""), expression.get("operator", ""), expression.get("values") or ()


def matches(selector, labels):
    """Whether a `metav1.LabelSelector` dict selects these labels. No selector (None) selects nothing, an empty one everything."""
    return selector is not None and compiled(selector)(labels)


@lru_cache(maxsize=1024)
def parse_label_selector(text):
    """The LabelSelector of a text such as "app=web,tier in (a, b),!canary". Raises SelectorError with the server's words."""
    return LabelSelector(parsed_requirements(text))


class FieldSelector:
    """`terms` are (field, wanted value, whether they must be equal). Call it with a dict from field to value; a missing field counts as ""."""

    def __init__(self, terms):
        self.terms = terms

    def __call__(self, fields):
        return all((fields.get(field, "") == wanted) is equal for field, wanted, equal in self.terms)


_TERM = re.compile(r"((?:[^\\=!]|\\.|!(?!=))*)(==|!=|=)(.*)", re.DOTALL)


@lru_cache(maxsize=1024)
def parse_field_selector(text):
    """The FieldSelector of a text such as "spec.nodeName=n1,status.phase!=Running". Raises SelectorError."""
    return FieldSelector([_term(part, text) for part in re.findall(r"(?:[^,\\]|\\.|\\$)+", text)])


def _term(part, text):
    found = _TERM.fullmatch(part)
    if not found:
        raise SelectorError(f"invalid selector: '{text}'; can't understand '{part}'")
    field, operator, wanted = found.groups()
    return field, re.sub(r"\\([\\,=])", r"\1", wanted), operator != "!="


_node_terms = {}        # id(terms) -> (terms, [(label selector, field requirements)])


def match_node_selector_terms(terms, node):
    """Whether a Node satisfies one of a NodeSelector's terms; an empty term, like an empty list, selects no node."""
    labels, name = node["metadata"].get("labels"), node["metadata"]["name"]
    return any(selector(labels) and all(_holds(name, operator, values) for operator, values in fields) for selector, fields in _compiled_terms(terms))


def _compiled_terms(terms):
    known = _node_terms.get(id(terms))
    if known is None:
        if len(_node_terms) > 4096:
            _node_terms.clear()
        known = _node_terms[id(terms)] = (terms, [_compiled_term(term) for term in terms or () if term.get("matchExpressions") or term.get("matchFields")])
    return known[1]


def _compiled_term(term):
    """matchFields knows one field, metadata.name; any other never matches, as an In of nothing."""
    fields = [(one["operator"], frozenset(one.get("values") or ())) if one["key"] == "metadata.name" else ("In", ()) for one in term.get("matchFields") or ()]
    return LabelSelector([_requirement(expression) for expression in term.get("matchExpressions") or ()]), fields
