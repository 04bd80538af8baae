"""A component has one colour, everywhere."""
import re
from pathlib import Path

import pytest
from django.conf import settings

from lifecycle.simulation.messages import ACTORS

STYLES = Path(settings.BASE_DIR) / "static" / "css"


def of_the_pages():
    """{name: (light, dark)} in the style sheet that every page has."""
    light, dark = re.search(r"^:root \{(.*?)^\}\n:root\[data-theme=\"dark\"\] \{(.*?)^\}", (STYLES / "base.css").read_text(), re.M | re.S).groups()
    light, dark = (dict(re.findall(r"--([a-z-]+): (#[0-9a-f]+)", part)) for part in (light, dark))
    return {name: (light[name], dark[name]) for name in light}


def of_the_panel():
    """{name: (light, dark)} in the style sheet of the admin."""
    found = re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\)", (STYLES / "admin.css").read_text())
    return {name: (light, dark) for name, light, dark in found}


@pytest.mark.parametrize("name", [*ACTORS, "good", "warn", "bad", "accent"])
def test_pages_and_panel_agree(name):
    assert of_the_panel()[name] == of_the_pages()[name]
