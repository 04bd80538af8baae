"""Icons: what templates ask for is drawn, and what is drawn is asked for."""
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_icons_are_those_that_templates_use():
    drawn = re.findall(r'<symbol id="([^"]+)"', (ROOT / "static/icons.svg").read_text())
    used = {name for page in (ROOT / "templates").rglob("*.html") for name in re.findall(r'{% icon "([^"]+)"', page.read_text())}
    assert sorted(drawn) == sorted(used)
