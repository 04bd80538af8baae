"""Sets of fields: as Python sets of paths to reckon with, as FieldsV1 to store, as text to print
(structured-merge-diff/fieldpath: serialize.go, path.go).

A path is a tuple of elements in FieldsV1 notation: "f:name", "k:{...}" for an item of a list with keys, "v:..." for an item of a set.
"""
import json


def to_fields_v1(paths):
    """The FieldsV1 dict of a set of paths: a "." marks a field that belongs to the set together with something inside it."""
    tree = {}
    for path in sorted(paths):
        node = tree
        for element in path:
            node = node.setdefault(element, {})
        node["."] = {}
    return _without_lone_dots(tree)


def _without_lone_dots(node):
    return {key: {} if child == {".": {}} else _without_lone_dots(child) for key, child in sorted(node.items())}


def from_fields_v1(fields):
    """The set of paths of a FieldsV1 dict."""
    paths = set()
    _collect(fields, (), paths)
    return paths


def _collect(node, path, paths):
    for element, child in node.items():
        if element == ".":
            paths.add(path)
        elif child:
            _collect(child, (*path, element), paths)
        else:
            paths.add((*path, element))


def path_text(path):
    """How a conflict names a path: `.spec.template.spec.containers[name="app"].image`."""
    return "".join(map(_element_text, path))


def _element_text(element):
    if element.startswith("f:"):
        return f".{element[2:]}"
    if element.startswith("v:"):
        return f"[={element[2:]}]"
    keys = json.loads(element[2:])
    return "[" + ",".join(f"{key}={compact(value)}" for key, value in keys.items()) + "]"


def compact(value):
    """JSON without blanks, keys sorted."""
    return json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
