"""Pod templates have the hashes that a v1.36 cluster gave them."""
from json import loads
from pathlib import Path

import pytest

from lifecycle.simulation.control_plane.controllers.pod_template import pod_template_hash
from lifecycle.simulation.control_plane.controllers.pod_template.quantity import printed_quantity

RECORDED = loads((Path(__file__).parent / "golden" / "pod_template_hashes.json").read_text())


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["hash"])
def test_a_template_has_its_recorded_hash(case):
    assert pod_template_hash(case["template"]) == case["hash"]


def test_equal_templates_have_equal_hashes_whatever_the_order_of_their_fields():
    template = RECORDED[0]["template"]
    assert pod_template_hash(dict(reversed(template.items()))) == RECORDED[0]["hash"]


def test_a_collision_changes_the_hash():
    template = RECORDED[0]["template"]
    assert len({pod_template_hash(template, collisions) for collisions in range(3)}) == 3


@pytest.mark.parametrize(("text", "value", "scale", "form"), [
    ("100m", 100, -3, "DecimalSI"), ("2", 2, 0, "DecimalSI"), ("1G", 1, 9, "DecimalSI"), ("1e3", 1, 3, "DecimalExponent"), ("1Gi", 1 << 30, 0, "BinarySI")])
def test_a_quantity_is_a_number_with_a_scale(text, value, scale, form):
    amount = f"i:(resource.int64Amount){{value:(int64){value} scale:(resource.Scale){scale}}}"
    assert printed_quantity(text) == f"{{{amount} d:(resource.infDecAmount){{Dec:(*inf.Dec)<nil>}} s:(string){text} Format:(resource.Format){form}}}"


def test_a_large_quantity_is_an_arbitrary_number():
    assert "abs:(big.nat)[109951162777600]" in printed_quantity("100Ti")
