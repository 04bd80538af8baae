"""Every kind without a description of its own, custom resources too: field by field."""
import re

from ..go_values import go_text

HIDDEN = {".metadata.managedFields", ".metadata.name", ".metadata.namespace", ".metadata.labels", ".metadata.annotations"}
ACRONYMS = ("API", "URL", "UID", "GUID")
PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+|-+")


def anything(page, thing):
    page.metadata(thing)
    _content(page, thing, 0, "")
    page.events(thing)


def _content(page, content, level, path):
    for field in sorted(content):
        value, here = content[field], f"{path}.{field}"
        if here in HIDDEN:
            continue
        if isinstance(value, dict):
            page.line(f"{label(field)}:", level)
            _content(page, value, level + 1, here)
        elif isinstance(value, list):
            page.line(f"{label(field)}:", level)
            for element in value:
                if isinstance(element, dict):
                    _content(page, element, level + 1, here)
                else:
                    page.line(go_text(element), level + 1)
        else:
            page.field(label(field), go_text(value), level)


def label(field):
    """"creationTimestamp" -> "Creation Timestamp", "apiVersion" -> "API Version"; names with other characters stay as they are."""
    if not all(letter.isalpha() or letter == "-" for letter in field):
        return field
    words = [part.upper() if part.upper() in ACRONYMS else part.capitalize() if part.islower() else part for part in PARTS.findall(field)]
    return " ".join(_merged(words))


def _merged(words):
    """Capitals belong to the word that follows them, as in "IPAddress"."""
    merged = []
    for word in words:
        if merged and len(merged[-1]) >= 2 and merged[-1].isupper() and merged[-1] not in ACRONYMS and word[:1].isupper():
            merged[-1] += word
        else:
            merged.append(word)
    return merged


