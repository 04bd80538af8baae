"""Looks over a manifest before it is sent: where it cannot be read, and what the API server would say, with the line that is meant."""
import re
from typing import NamedTuple

import yaml
from django.utils.translation import gettext as _

from .simulation.manifests import ManifestError, read_manifests
from .simulation.resources import by_kind

WRONG_TYPE = re.compile(r"Go struct field \w+\.([\w.]+)")
UNKNOWN_FIELD = re.compile(r'(?:unknown|duplicate) field "([^"]+)"')
STEP = re.compile(r"([^.\[\]]+)|\[([^\]]*)\]")
REFUSED = (400, 422)             # what is the manifest's fault; other answers depend on what else is there


class Problem(NamedTuple):
    """`line` counts from 1."""

    line: int
    message: str


def problems(text, api=None):
    """Problems of a manifest's text. `api` is an API server to ask by dry runs; without one only reading is checked."""
    try:
        documents = read_manifests(text)
    except ManifestError as error:
        return [Problem(error.line, error.message)]
    if not documents:
        return [Problem(1, _("There is nothing in it."))]
    nodes = composed(text, len(documents))
    found = []
    for (line, document), node in zip(documents, nodes):
        found += document_problems(line, document, node, api)
    return found


def composed(text, count):
    """The YAML node of each document, to find lines in; None where there is none."""
    try:
        nodes = [node for node in yaml.compose_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)) if node is not None]
    except yaml.YAMLError:
        nodes = []
    return nodes if len(nodes) == count else [None] * count


def document_problems(line, document, node, api):
    if not isinstance(document, dict):
        return [Problem(line, _("An object is a mapping that begins with apiVersion and kind."))]
    missing = [name for name in ("apiVersion", "kind") if not document.get(name)]
    if missing:
        return [Problem(line, _("%(field)s is missing.") % {"field": name}) for name in missing]
    if document["kind"] == "List" or api is None:
        return []
    return asked_problems(line, document, node, api)


def asked_problems(line, document, node, api):
    """What a dry run of creating the object answers."""
    resource = resource_of(api, document["apiVersion"], document["kind"])
    if resource is None:
        message = _("no kind “%(kind)s” in version “%(version)s”") % {"kind": document["kind"], "version": document["apiVersion"]}
        return [Problem(line_of(node, "kind", line), message)]
    meta = document.get("metadata") or {}
    path = resource.path((meta.get("namespace") or "default") if resource.namespaced else None)
    reply = api.http("POST", path, {"dryRun": "All", "fieldValidation": "Strict"}, document)
    return refusals(line, node, reply.body) if reply.code in REFUSED else []


def resource_of(api, version, kind):
    """The Resource of an object's apiVersion and kind, built in or custom, or None."""
    return by_kind().get((version, kind)) or next((row for row in api.custom_resources() if (row.api_version, row.kind) == (version, kind)), None)


def refusals(line, node, status):
    """Problems out of a Status object."""
    causes = (status.get("details") or {}).get("causes") or ()
    if causes:
        return [Problem(line_of(node, cause.get("field", ""), line), f"{cause.get('field', '')}: {cause['message']}") for cause in causes]
    fields = UNKNOWN_FIELD.findall(status["message"])
    if fields:
        return [Problem(line_of(node, field, line), _("unknown field “%(field)s”") % {"field": field}) for field in fields]
    wrong = WRONG_TYPE.search(status["message"])
    return [Problem(line_of(node, wrong.group(1) if wrong else "", line), status["message"])]


def line_of(node, path, default):
    """The line of a field such as `spec.template.spec.containers[0].image`, or of as much of the path as is there."""
    line = default
    for name, index in STEP.findall(path):
        following = child(node, name or index)
        if following is None:
            break
        line, node = following
    return line


def child(node, step):
    """(line, node) of a field or an entry, or None."""
    if isinstance(node, yaml.MappingNode):
        return next(((key.start_mark.line + 1, value) for key, value in node.value if key.value == step), None)
    if isinstance(node, yaml.SequenceNode) and step.isdigit() and int(step) < len(node.value):
        return node.value[int(step)].start_mark.line + 1, node.value[int(step)]
    return None
