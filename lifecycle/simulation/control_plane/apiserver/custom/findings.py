"""What is wrong with a custom resource, in the words of its schema."""
from json import dumps
from typing import NamedTuple


class Finding(NamedTuple):
    """Like validation's FieldError, with a text made already; `blocks` the rules from being looked at."""

    field: str
    text: str
    type: str = "FieldValueInvalid"
    blocks: bool = False

    def message(self):
        return f"{self.field}: {self.text}"

    def cause(self):
        return {"reason": self.type, "message": self.text, "field": self.field}


def printed(value):
    return dumps(value, ensure_ascii=False, separators=(",", ":"))


def wrong_value(field, value, detail):
    return Finding(field, f"Invalid value: {printed(value)}: {field} in body {detail}")


def wrong_type(field, value, wanted):
    found = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}.get(type(value), "null")
    return Finding(field, f'Invalid value: "{found}": {field} in body must be of type {wanted}: "{found}"', "FieldValueTypeInvalid", True)


def missing(field):
    return Finding(field, "Required value", "FieldValueRequired", True)


def unsupported(field, value, values):
    return Finding(field, f"Unsupported value: {printed(value)}: supported values: {', '.join(map(printed, values))}", "FieldValueNotSupported", True)


def broken_rule(field, text):
    return Finding(field, f"Invalid value: {text}")


UNCHECKED = Finding("<nil>", "Invalid value: null: some validation rules were not checked because the object was invalid; "
                    "correct the existing errors to complete validation")
