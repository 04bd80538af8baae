"""Selectors as the plugins that look at other Pods use them."""
from lifecycle.simulation.selectors import LabelSelector, compiled

EVERYTHING = LabelSelector(())
NOTHING = LabelSelector([("", "In", ())])


def selector_of(term):
    """The function that a term's labelSelector stands for; without one nothing is selected."""
    selector = term.get("labelSelector")
    return NOTHING if selector is None else compiled(selector)


_values = {}                    # id(selector) -> (selector, its value)


def value_of(selector):
    """What tells one selector from another, wherever it was written."""
    known = _values.get(id(selector))
    if known is None:
        if len(_values) > 4096:
            _values.clear()
        known = _values[id(selector)] = (selector, tuple((key, operator, tuple(sorted(values))) for key, operator, values in selector.requirements))
    return known[1]
