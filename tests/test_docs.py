"""The documents name what is there."""
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


# What conformance.md names, file and test, is looked up by tests/conformance/test_list.py
@pytest.mark.parametrize("document", [path for path in DOCUMENTS if path.name != "conformance.md"], ids=lambda path: path.name)
def test_every_test_file_that_a_document_names_exists(document):
    named = set(re.findall(r"\btest_[a-z0-9_]+\b", document.read_text()))
    assert [name for name in sorted(named) if not (ROOT / "tests" / f"{name}.py").exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_and_link_of_a_document_leads_somewhere(document):
    text = document.read_text()
    links = [document.parent / link for link in re.findall(r"\]\(([^)#:]+)\)", text)]
    paths = [ROOT / path for path in re.findall(r"`((?:lifecycle|docs|templates|tests)/[\w./-]+)`", text)]
    assert [str(path) for path in links + paths if not path.exists()] == []
