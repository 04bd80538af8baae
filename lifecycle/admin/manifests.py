"""Manifests for reading: YAML as kubectl prints it, coloured; hostile text stays text."""
import re

from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

from ..simulation.kubectl.printing.yaml_text import to_yaml
from ..simulation.objects import removed

LINE = re.compile(r"(?P<indent>\s*(?:- )*)(?P<key>[^\s:#'\"|>-][^:]*):(?P<value>(?: .*)?)$")


def pretty(manifest):
    """HTML of a manifest; who manages which field is folded away, as kubectl leaves it out."""
    managed = manifest.get("metadata", {}).get("managedFields")
    text = yaml_html(removed(manifest, "metadata", "managedFields") if managed else manifest)
    return format_html("{}{}", text, folded(managed)) if managed else text


def folded(managed):
    return format_html("<details><summary>{}</summary>{}</details>", "managedFields", yaml_html(managed))


def yaml_html(thing):
    lines = to_yaml(thing).rstrip("\n").split("\n")
    return format_html('<pre class="manifest" tabindex="0">{}</pre>', format_html_join("\n", "{}", ((line_html(line),) for line in lines)))


def line_html(line):
    """A line of YAML: its key and its value marked, if it has them."""
    found = LINE.match(line)
    if not found:
        return format_html("{}", line)
    return format_html("{}<b>{}</b>:<span>{}</span>", mark_safe(found["indent"]), found["key"], found["value"])
