"""A custom resource against its openAPIV3Schema and its rules in CEL (kube-openapi/pkg/validation, apiextensions-apiserver/pkg/apiserver/schema/cel)."""
import re

from ....cel import CelError, compiled, said_of
from . import findings
from .findings import Finding

TYPES = {"string": str, "boolean": bool, "object": dict, "array": list}


def errors(schema, thing, old=None):
    """Findings in the order of the schema; `old` is the object before an update."""
    found = [one for name, part in (schema.get("properties") or {}).items() if name in thing and name not in ("apiVersion", "kind", "metadata")
             for one in _checked(part, thing[name], name)]
    found += [findings.missing(name) for name in schema.get("required") or () if name not in thing]
    if any(one.blocks for one in found):
        return [*found, findings.UNCHECKED] if _has_rules(schema) else found
    return [*found, *_broken_rules(schema, thing, old, "")]


def _checked(schema, value, path):
    """Everything wrong with a value but its rules."""
    if value is None and schema.get("nullable") or schema.get("x-kubernetes-int-or-string") and isinstance(value, (int, str)):
        return
    kind = schema.get("type")
    if kind and not _is_a(kind, value):
        yield findings.wrong_type(path, value, kind)
        return
    if schema.get("enum") is not None and value not in schema["enum"]:
        yield findings.unsupported(path, value, schema["enum"])
    if isinstance(value, dict):
        yield from _object(schema, value, path)
    elif isinstance(value, list):
        yield from _array(schema, value, path)
    elif isinstance(value, str):
        yield from _text(schema, value, path)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _number(schema, value, path)


def _is_a(kind, value):
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[kind])


def _object(schema, value, path):
    for name in schema.get("required") or ():
        if name not in value:
            yield findings.missing(f"{path}.{name}")
    properties, others = schema.get("properties") or {}, schema.get("additionalProperties")
    for name, part in value.items():
        inner = properties.get(name) or (others if isinstance(others, dict) else None)
        if inner:
            yield from _checked(inner, part, f"{path}.{name}")


def _array(schema, value, path):
    if len(value) < schema.get("minItems", 0):
        yield findings.wrong_value(path, len(value), f"should have at least {schema['minItems']} items")
    if len(value) > schema.get("maxItems", len(value)):
        yield Finding(path, f"Too many: {len(value)}: must have at most {schema['maxItems']} items", "FieldValueTooMany", True)
    for number, item in enumerate(value):
        yield from _checked(schema.get("items") or {}, item, f"{path}[{number}]")


def _text(schema, value, path):
    if len(value) < schema.get("minLength", 0):
        yield findings.wrong_value(path, value, f"should be at least {schema['minLength']} chars long")
    if len(value) > schema.get("maxLength", len(value)):
        yield Finding(path, f"Too long: may not be more than {schema['maxLength']} bytes", "FieldValueTooLong", True)
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield findings.wrong_value(path, value, f"should match '{schema['pattern']}'")


def _number(schema, value, path):
    if "minimum" in schema and (value < schema["minimum"] or schema.get("exclusiveMinimum") and value == schema["minimum"]):
        yield findings.wrong_value(path, value, f"should be greater than {'' if schema.get('exclusiveMinimum') else 'or equal to '}{schema['minimum']}")
    if "maximum" in schema and (value > schema["maximum"] or schema.get("exclusiveMaximum") and value == schema["maximum"]):
        yield findings.wrong_value(path, value, f"should be less than {'' if schema.get('exclusiveMaximum') else 'or equal to '}{schema['maximum']}")
    if schema.get("multipleOf") and value % schema["multipleOf"]:
        yield findings.wrong_value(path, value, f"should be a multiple of {schema['multipleOf']}")


# -- rules -----------------------------------------------------------------------------------------------------------------
def _has_rules(schema):
    if schema.get("x-kubernetes-validations"):
        return True
    parts = [*(schema.get("properties") or {}).values(), schema.get("items"), schema.get("additionalProperties")]
    return any(_has_rules(part) for part in parts if isinstance(part, dict))


def _broken_rules(schema, value, old, path):
    """The rules of a value and of everything in it; transition rules need an old value."""
    for rule in schema.get("x-kubernetes-validations") or ():
        if "oldSelf" not in rule["rule"] or old is not None:
            yield from _asked(rule, {"self": value, **({} if old is None else {"oldSelf": old})}, path)
    if isinstance(value, dict):
        properties, others = schema.get("properties") or {}, schema.get("additionalProperties")
        for name, part in value.items():
            inner = properties.get(name) or (others if isinstance(others, dict) else None)
            if inner:
                before = old.get(name) if isinstance(old, dict) else None
                yield from _broken_rules(inner, part, before, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and schema.get("items"):
        for number, item in enumerate(value):
            yield from _broken_rules(schema["items"], item, None, f"{path}[{number}]")


def _asked(rule, variables, path):
    where = (path + rule["fieldPath"]) if rule.get("fieldPath") else path or "<nil>"
    try:
        if compiled(rule["rule"])(variables) is not True:
            yield findings.broken_rule(where, said_of(rule, variables, f"failed rule: {rule['rule']}"))
    except CelError as error:
        yield findings.broken_rule(where, f"rule evaluation error: {error}")


def defaulted(schema, value):
    """The value with the defaults of its schema, where something was missing."""
    if isinstance(value, dict):
        for name, part in (schema.get("properties") or {}).items():
            if name not in value and "default" in part:
                value = {**value, name: part["default"]}
            if name in value and (inner := defaulted(part, value[name])) is not value[name]:
                value = {**value, name: inner}
    elif isinstance(value, list) and schema.get("items"):
        items = [defaulted(schema["items"], item) for item in value]
        value = items if any(new is not old for new, old in zip(items, value)) else value
    return value
