"""The objects in manifest files, as kubectl reads them (cli-runtime/pkg/resource/visitor.go)."""
import json
from typing import NamedTuple

from lifecycle.simulation.kubectl.errors import CommandError, NoMatchError
from lifecycle.simulation.kubectl.printing.json_text import to_compact_json
from lifecycle.simulation.manifests import ManifestError, documents
from lifecycle.simulation.resources import Resource

SUFFIXES = (".json", ".yaml", ".yml")
UNCHECKED = ("false", "ignore")
VALIDATION = {"strict": "Strict", "true": "Strict", "warn": "Warn", "false": "Ignore", "ignore": "Ignore"}
METADATA = {                # field: its type here, its type in Go, the type of its elements
    **dict.fromkeys(("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion"), (str, "string", None)),
    **dict.fromkeys(("labels", "annotations"), (dict, "map[string]string", str)),
    **dict.fromkeys(("generation", "deletionGracePeriodSeconds"), (int, "int64", None)),
    "finalizers": (list, "[]string", str), "ownerReferences": (list, "[]v1.OwnerReference", None), "managedFields": (list, "[]v1.ManagedFieldsEntry", None),
}
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
        """The URL path of the object. Raises CommandError if it has no name: the path would be that of all objects."""
        if not self.name:
            raise CommandError("resource name may not be empty")
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
    if not isinstance(document, dict) or document.get("kind") == "List" and not isinstance(document.get("items"), list):
        problem = "invalid object to validate"
    else:
        missing = [f"{field} not set" if document.get(field) in (None, "") else f"{field} isn't string type"
                   for field in ("apiVersion", "kind") if not isinstance(document.get(field) or None, str)]
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
                yield from _each(invocation, _with_kind(item, document), source, errors)
            return
        yield _info(invocation, document, source)
    except CommandError as error:
        errors.append(error)


def _with_kind(item, document):
    """An item of a typed list such as a PodList may leave out its kind."""
    kind = document["kind"].removesuffix("List")
    return {"kind": kind, "apiVersion": document.get("apiVersion"), **item} if isinstance(item, dict) and kind else item


def _check_decodable(document, source):
    """What kubectl itself has to understand of an object, in the words of Go's JSON decoder."""
    problem = ""
    if not isinstance(document, dict):
        problem = f"json: cannot unmarshal {_go_type(document)} into Go value of type unstructured.detector"
    elif not isinstance(document.get("kind"), str) or not document["kind"]:
        problem = f"Object 'Kind' is missing in '{to_compact_json(document)}'"
    elif not isinstance(document.get("apiVersion", ""), str):
        problem = f"json: cannot unmarshal {_go_type(document['apiVersion'])} into Go struct field metadataOnlyObject.TypeMeta.apiVersion of type string"
    elif document.get("metadata") is not None:
        problem = _metadata_problem(document["metadata"])
    if problem:
        raise CommandError(f"unable to decode {json.dumps(source)}: {problem}")


def _go_type(value):
    return GO_TYPES.get(type(value), "null")


def _metadata_problem(metadata):
    """What is wrong with the types of the metadata; fields are read in alphabetical order."""
    if not isinstance(metadata, dict):
        return f"json: cannot unmarshal {_go_type(metadata)} into Go struct field metadataOnlyObject.metadata of type v1.ObjectMeta"
    for field in sorted(set(metadata) & set(METADATA)):
        wanted, go_type, elements = METADATA[field]
        value = metadata[field]
        if value is not None and not isinstance(value, wanted):
            return f"json: cannot unmarshal {_go_type(value)} into Go struct field ObjectMeta.metadata.{field} of type {go_type}"
        for element in (value.values() if isinstance(value, dict) else value or ()) if elements else ():
            if element is not None and not isinstance(element, elements):
                return f"json: cannot unmarshal {_go_type(element)} into Go struct field ObjectMeta.metadata.{field} of type string"
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
        return Info(resource, "", name, {**document, "metadata": metadata}, source)
    if namespace and invocation.enforce_namespace and namespace != invocation.namespace:
        raise CommandError(f'the namespace from the provided object "{namespace}" does not match the namespace "{invocation.namespace}". '
                           f"You must pass '--namespace={namespace}' to perform this operation.")
    namespace = namespace or invocation.namespace
    thing = document if metadata.get("namespace") else {**document, "metadata": {**metadata, "namespace": namespace}}
    return Info(resource, namespace, name, thing, source)
