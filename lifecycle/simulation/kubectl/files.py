"""The objects in manifest files, as kubectl reads them (cli-runtime/pkg/resource/visitor.go)."""
import json
from typing import NamedTuple

from lifecycle.simulation.kubectl.errors import CommandError, NoMatchError
from lifecycle.simulation.manifests import ManifestError, documents
from lifecycle.simulation.resources import Resource

SUFFIXES = (".json", ".yaml", ".yml")
UNCHECKED = ("false", "ignore")
VALIDATION = {"strict": "Strict", "true": "Strict", "warn": "Warn", "false": "Ignore", "ignore": "Ignore"}
NAMES = ("name", "namespace", "generateName")
GO_TYPES = {bool: "bool", int: "number", float: "number", str: "string", list: "array", dict: "object"}


class Info(NamedTuple):
    """An object that a command is about. `thing` is the object if it is known; `source` the file it came from ("" if it was named)."""

    resource: Resource
    namespace: str
    name: str
    thing: dict | None = None
    source: str = ""

    @property
    def path(self):
        return self.resource.path(self.namespace, self.name)

    @property
    def collection(self):
        return self.resource.path(self.namespace)

    def doing(self, verb):
        """The context of an error: `error when creating "web.yaml"`."""
        return f"error when {verb} {json.dumps(self.source)}" if self.source else ""


def field_validation(invocation):
    """The fieldValidation parameter that --validate asks for."""
    given = invocation.flags["validate"]
    if given.lower() not in VALIDATION:
        raise CommandError(f'invalid - validate option {json.dumps(given)}; must be one of: strict (or true), warn, ignore (or false)')
    return VALIDATION[given.lower()]


def sources(invocation):
    """(name, text) of every file that -f names; "-" is standard input. Raises CommandError for what is not there."""
    found = []
    for name in invocation.flags.get("filename", ()):
        found += [_standard_input(invocation)] if name == "-" else _files(invocation, name)
    return found


def _standard_input(invocation):
    if invocation.stdin is None:
        raise CommandError("no objects passed to " + invocation.name.split()[0])
    return "STDIN", invocation.stdin


def _files(invocation, name):
    if name.startswith(("http://", "https://")):
        raise CommandError(f'unable to read URL "{name}": this console has no network, give the manifest as a file')
    files = invocation.files
    if name in files:
        return [(name, files[name])]
    short = name.removeprefix("./").rstrip("/")
    if short in files:
        return [(short, files[short])]
    below = "" if short in ("", ".") else short + "/"
    inside = sorted(one for one in files if one.startswith(below) and (invocation.flags.get("recursive") or "/" not in one[len(below):]))
    if not inside:
        raise CommandError(f"the path {json.dumps(name)} does not exist")
    manifests = [one for one in inside if one.endswith(SUFFIXES)]
    if not manifests:
        raise CommandError(f"error reading [{name}]: recognized file extensions are [.json .yaml .yml]")
    return [(one, files[one]) for one in manifests]


def required_files(invocation):
    """The files of a command that takes nothing else."""
    if invocation.args:
        raise invocation.usage_error(f"Unexpected args: [{' '.join(invocation.args)}]")
    if not invocation.flags["filename"]:
        raise CommandError("must specify one of -f and -k")
    return sources(invocation)


def infos(invocation, files, errors):
    """The Infos of files, one after the other; what cannot be read is added to `errors`. Lists are taken apart."""
    for source, text in files:
        try:
            for _, document in documents(text):
                if invocation.flags.get("validate", "false") not in UNCHECKED:
                    _check_header(document, source)
                yield from _each(invocation, document, source, errors)
        except ManifestError as error:
            errors.append(CommandError(f"error parsing {source}: {error.message}"))
            return
        except CommandError as error:
            errors.append(error)
            return


def _check_header(document, source):
    """What kubectl checks before it asks the server; it reads no further after such an error."""
    if not isinstance(document, dict):
        problem = "invalid object to validate"
    else:
        missing = [f"{field} not set" for field in ("apiVersion", "kind") if not document.get(field)]
        problem = missing[0] if len(missing) == 1 else f"[{', '.join(missing)}]" if missing else ""
    if problem:
        hint = "if you choose to ignore these errors, turn validation off with --validate=false"
        raise CommandError(f"error validating {json.dumps(source)}: error validating data: {problem}; {hint}")


def _each(invocation, document, source, errors):
    """The Infos of a document: one, or those of a List's items."""
    try:
        _check_decodable(document, source)
        if document["kind"].endswith("List") and isinstance(document.get("items"), list):
            for item in document["items"]:
                yield from _each(invocation, item, source, errors)
            return
        yield _info(invocation, document, source)
    except CommandError as error:
        errors.append(error)


def _check_decodable(document, source):
    """The metadata that kubectl itself has to understand."""
    problem = ""
    if not isinstance(document, dict):
        problem = f"json: cannot unmarshal {GO_TYPES.get(type(document), 'null')} into Go value of type struct {{ APIVersion string; Kind string }}"
    elif not document.get("kind"):
        problem = f"Object 'Kind' is missing in '{json.dumps(document, separators=(',', ':'), ensure_ascii=False, sort_keys=True)}'"
    elif isinstance(document.get("metadata"), dict):
        problem = _metadata_problem(document["metadata"])
    if problem:
        raise CommandError(f"unable to decode {json.dumps(source)}: {problem}")


def _metadata_problem(metadata):
    for field in NAMES:
        if not isinstance(metadata.get(field) or "", str):
            return f"json: cannot unmarshal {GO_TYPES[type(metadata[field])]} into Go struct field ObjectMeta.metadata.{field} of type string"
    for field in ("labels", "annotations"):
        for value in (metadata.get(field) or {}).values() if isinstance(metadata.get(field) or {}, dict) else ():
            if not isinstance(value or "", str):
                return f"json: cannot unmarshal {GO_TYPES[type(value)]} into Go struct field ObjectMeta.metadata.{field} of type string"
    return ""


def _info(invocation, document, source):
    metadata = document.get("metadata") or {}
    name, namespace = metadata.get("name") or "", metadata.get("namespace") or ""
    api_version, kind = document.get("apiVersion") or "", document["kind"]
    resource = invocation.discovery.of_kind(api_version, kind)
    if resource is None:
        raise NoMatchError(f'resource mapping not found for name: "{name}" namespace: "{namespace}" from {json.dumps(source)}: '
                           f'no matches for kind "{kind}" in version "{api_version}"\nensure CRDs are installed first')
    if not resource.namespaced:
        return Info(resource, "", name, document, source)
    if namespace and invocation.enforce_namespace and namespace != invocation.namespace:
        raise CommandError(f'the namespace from the provided object "{namespace}" does not match the namespace "{invocation.namespace}". '
                           f"You must pass '--namespace={namespace}' to perform this operation.")
    namespace = namespace or invocation.namespace
    thing = document if metadata.get("namespace") else {**document, "metadata": {**metadata, "namespace": namespace}}
    return Info(resource, namespace, name, thing, source)
