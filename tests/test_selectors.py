"""Label, field and node selectors."""
import pytest

from lifecycle.simulation.selectors import SelectorError, match_node_selector_terms, matches, parse_field_selector, parse_label_selector


@pytest.mark.parametrize("selector, selected", [
    ({}, True), (None, False), ({"matchLabels": {"app": "web"}}, True), ({"matchLabels": {"app": "db"}}, False),
    ({"matchLabels": {"app": "web", "x": "y"}}, False),
    ({"matchExpressions": [{"key": "app", "operator": "In", "values": ["web", "db"]}]}, True),
    ({"matchExpressions": [{"key": "none", "operator": "NotIn", "values": ["web"]}]}, True),
    ({"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["web"]}]}, False),
    ({"matchLabels": {"app": "web"}, "matchExpressions": [{"key": "tier", "operator": "Exists"}, {"key": "none", "operator": "DoesNotExist"}]}, True),
])
def test_label_selectors_of_objects(selector, selected):
    assert matches(selector, {"app": "web", "tier": ""}) is selected


@pytest.mark.parametrize("text, selected", [
    ("app=web", True), ("app==web,tier=front", True), ("app!=web", False), ("none!=x", True), ("app in (web, db)", True), ("app notin (db)", True),
    ("app", True), ("!app", False),
    ("n>3", True), ("n<3", False), ("", True), ("empty=", True), ("none=", False), ("in in (in)", False), ("example.com/x", False),
])
def test_label_selectors_as_text(text, selected):
    assert parse_label_selector(text)({"app": "web", "tier": "front", "n": "5", "empty": ""}) is selected


@pytest.mark.parametrize("text, message", [
    ("a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"),
    ("=x", "found '=', expected: !, identifier, or 'end of string'"),
    ("a,", "found '', expected: identifier after ','"),
    ("a=b c", "found 'c', expected: ',' or 'end of string'"),
    ("a in b", "unable to parse requirement: found 'b' expected: '('"),
    ("a in ()", "unable to parse requirement: values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty"),
])
def test_a_broken_label_selector_is_refused_in_the_servers_words(text, message):
    with pytest.raises(SelectorError) as caught:
        parse_label_selector(text)
    assert str(caught.value) == message


def test_field_selectors():
    selector = parse_field_selector("spec.nodeName=n1,status.phase!=Running")
    assert selector.terms == [("spec.nodeName", "n1", True), ("status.phase", "Running", False)]
    assert selector({"spec.nodeName": "n1"}) and not selector({"spec.nodeName": "n1", "status.phase": "Running"})
    with pytest.raises(SelectorError, match="invalid selector: 'a'; can't understand 'a'"):
        parse_field_selector("a")


def test_node_selector_terms_are_alternatives_and_an_empty_one_selects_nothing():
    node = {"metadata": {"name": "n1", "labels": {"disk": "ssd", "cores": "8"}}}

    def selects(*terms):
        return match_node_selector_terms(list(terms), node)
    by_name = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}
    assert selects({"matchExpressions": [{"key": "disk", "operator": "In", "values": ["hdd"]}]}, by_name)
    assert selects({"matchExpressions": [{"key": "cores", "operator": "Gt", "values": ["4"]}, {"key": "gpu", "operator": "DoesNotExist"}]})
    assert not selects({"matchExpressions": [{"key": "disk", "operator": "Gt", "values": ["4"]}]})
    assert not selects({}) and not selects()
