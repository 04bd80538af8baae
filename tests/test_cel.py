"""The Common Expression Language, as far as rules for Kubernetes objects need it."""
import pytest

from lifecycle.simulation.cel import CelError, compiled

SPEC = {"replicas": 9, "containers": [{"image": "a:1"}, {"image": "b:latest"}], "nothing": None}
THING = {"object": {"metadata": {"name": "web-1", "labels": {"app": "web"}}, "spec": SPEC}}


@pytest.mark.parametrize(("expression", "value"), [
    ("object.spec.replicas <= 5", False),
    ("object.spec.replicas == 9 && object.metadata.name.startsWith('web')", True),
    ("object.spec.containers.all(c, !c.image.endsWith(':latest'))", False),
    ("object.spec.containers.exists(c, c.image == 'a:1')", True),
    ("object.spec.containers.filter(c, c.image.contains('b')).size()", 1),
    ("object.spec.containers.map(c, c.image)", ["a:1", "b:latest"]),
    ("has(object.metadata.labels) && 'app' in object.metadata.labels", True),
    ("has(object.metadata.annotations)", False),
    ("has(object.spec.nothing)", False),
    ("object.metadata.labels['app']", "web"),
    ("size(object.spec.containers) > 1 ? 'many' : 'one'", "many"),
    ("object.metadata.name.matches('^[a-z]+-[0-9]$')", True),
    ("1 + 2 * 3 - 4 / 2", 5),
    ("-7 / 2", -3),
    ("7 % 4 == 3", True),
    ("2 in [1, 2, 3]", True),
    ("{'a': 1}['a']", 1),
    ("'x' + string(3)", "x3"),
    ("object.nope == 1 || true", True),
    ("false && object.nope", False),
    ("r'\\d' == '\\\\d'", True),
])
def test_expressions_have_values(expression, value):
    assert compiled(expression)(THING) == value


@pytest.mark.parametrize(("expression", "message"), [
    ("object.nope.x", "no such key: nope"),
    ("unknown == 1", "undeclared reference to 'unknown' (in container '')"),
    ("object.spec.containers[5]", "index out of bounds: 5"),
    ("1 < 'a'", "no such overload"),
    ("object.spec.nothing.exists(x, x == 1)", "no such overload"),
    ("1 / 0", "division by zero"),
])
def test_some_have_none(expression, message):
    with pytest.raises(CelError) as error:
        compiled(expression)(THING)
    assert str(error.value) == message


@pytest.mark.parametrize("expression", ["1 +", "(1", "a b", "#"])
def test_some_are_no_expressions(expression):
    with pytest.raises(CelError):
        compiled(expression)
