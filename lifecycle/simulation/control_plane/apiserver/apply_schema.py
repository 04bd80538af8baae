"""Whether an applied configuration fits the schema, in the words of structured-merge-diff (typed/validate.go)."""
from lifecycle.simulation.apimachinery.json_types import json_type
from lifecycle.simulation.apimachinery.patch_errors import PatchError
from lifecycle.simulation.apimachinery.schema import ANY, BOOLEAN, INT_OR_STRING, INTEGER, LIST, MAP, NUMBER, OBJECT, QUANTITY
from lifecycle.simulation.control_plane.apiserver.field_paths import KEY_DEFAULTS, element
from lifecycle.simulation.control_plane.apiserver.field_sets import path_text

_GO_TYPES = {"array": "[]interface {}", "object": "map[string]interface {}"}


def check(config, type):
    """Raises PatchError if the configuration has unknown fields, wrong types or items without their keys."""
    problems = []
    _check(config, type, (), problems)
    if problems:
        raise PatchError(f"failed to create typed patch object ({_name(config)}; {_version_kind(config)}): {_joined(problems)}", 500, "")
    if (config.get("metadata") or {}).get("managedFields"):
        raise PatchError("metadata.managedFields must be nil")


def _name(config):
    meta = config["metadata"] if isinstance(config.get("metadata"), dict) else {}
    return f"{meta.get('namespace', '')}/{meta.get('name', '')}"


def _version_kind(config):
    version = config["apiVersion"]
    return f"{version if '/' in version else '/' + version}, Kind={config['kind']}"


def _joined(problems):
    return problems[0] if len(problems) == 1 else "errors:\n" + "\n".join(f"  {problem}" for problem in problems)


def _check(value, type, path, problems):
    if value is None or type.kind == ANY:
        return
    wrong = _wrong_type(value, type.kind)
    if wrong:
        problems.append(f"{path_text(path)}: {wrong}" if path else wrong)
    elif type.kind == LIST:
        _check_items(value, type, path, problems)
    elif type.kind in (OBJECT, MAP):
        _check_fields(value, type, path, problems)


def _wrong_type(value, kind):
    if kind in (OBJECT, MAP):
        return None if isinstance(value, dict) else f"expected map, got {_go_value(value)}"
    if kind == LIST:
        return None if isinstance(value, list) else f"expected list, got {_go_value(value)}"
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind in (INTEGER, NUMBER):
        return None if is_number else f"expected numeric (int or float), got {_GO_TYPES.get(json_type(value), json_type(value))}"
    if kind == BOOLEAN:
        return None if isinstance(value, bool) else f"expected boolean, got {_go_value(value)}"
    if isinstance(value, str) or (kind in (QUANTITY, INT_OR_STRING) and is_number):
        return None
    return f"expected string, got &value.valueUnstructured{{Value:{_go_text(value)}}}"


def _go_value(value):
    return f"&{{{_go_text(value)}}}"


def _go_text(value):
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _check_fields(value, type, path, problems):
    for key, child in value.items():
        inner = type.items if type.kind == MAP else type.fields.get(key)
        if inner is not None:
            _check(child, inner, (*path, f"f:{key}"), problems)
        elif not type.keeps_unknown:
            problems.append(f"{path_text((*path, f'f:{key}'))}: field not declared in schema")


def _check_items(items, type, path, problems):
    seen = set()
    for place, item in enumerate(items):
        step = element(type, item) if type.list_type != "atomic" else None
        where = f"{path_text(path)}[{place}]"
        missing = [key for key in type.list_keys if isinstance(item, dict) and item.get(key, KEY_DEFAULTS.get(key)) is None] if type.list_type == "map" else []
        if missing:
            problems.append(f'{path_text(path)}: element {place}: associative list with keys has an element that omits key field "{missing[0]}" '
                            "(and doesn't have default value)")
            continue
        if step is not None and step in seen:
            problems.append(f"{path_text(path)}: duplicate entries for key {path_text((step,))}")
            continue
        seen.add(step)
        before = len(problems)
        _check(item, type.items, (*path, step) if step else (), problems)
        if not step:
            problems[before:] = [where + ("" if problem.startswith(".") else ": ") + problem for problem in problems[before:]]
