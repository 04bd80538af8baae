"""What validation finds wrong: field errors, worded as Kubernetes words them (apimachinery/pkg/util/validation/field/errors.go)."""

import json
from typing import NamedTuple

NOT_FOUND = "FieldValueNotFound"
REQUIRED = "FieldValueRequired"
DUPLICATE = "FieldValueDuplicate"
INVALID = "FieldValueInvalid"
NOT_SUPPORTED = "FieldValueNotSupported"
FORBIDDEN = "FieldValueForbidden"
TOO_LONG = "FieldValueTooLong"
TOO_MANY = "FieldValueTooMany"
TYPE_INVALID = "FieldValueTypeInvalid"
INTERNAL = "InternalError"

TITLES = {
    NOT_FOUND: "Not found",
    REQUIRED: "Required value",
    DUPLICATE: "Duplicate value",
    INVALID: "Invalid value",
    NOT_SUPPORTED: "Unsupported value",
    FORBIDDEN: "Forbidden",
    TOO_LONG: "Too long",
    TOO_MANY: "Too many",
    TYPE_INVALID: "Invalid value",
    INTERNAL: "Internal error",
}
WITHOUT_VALUE = (REQUIRED, FORBIDDEN, TOO_LONG, INTERNAL)
IMMUTABLE = "field is immutable"
NEGATIVE = "must be greater than or equal to 0"


class FieldError(NamedTuple):
    """One finding: its type (a constant of this module), the path of the field, the value found there, and what is wrong."""

    type: str
    field: str
    value: object
    detail: str

    def body(self):
        """The text without the field: 'Invalid value: 70000: must be between 1 and 65535, inclusive'."""
        text = TITLES[self.type]
        if self.type not in WITHOUT_VALUE:
            text += f": {printed(self.value)}"
        return f"{text}: {self.detail}" if self.detail else text

    def message(self):
        """The text with the field, as field.Error.Error() gives it."""
        return f"{self.field}: {self.body()}"

    def cause(self):
        """The entry in a Status' details.causes."""
        return {"reason": self.type, "message": self.body(), "field": self.field}

    def under(self, prefix):
        """The same error where the checked value is a part of something: "spec.x" under "spec.template." is "spec.template.spec.x"."""
        return self._replace(field=prefix + self.field)


def printed(value):
    """A value as errors show it: quoted text, numbers, JSON of anything else."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def shown_map(labels):
    """Labels and the like as Go prints a map: in the order of the keys, null for none."""
    return dict(sorted(labels.items())) if labels is not None else None


def shown_selector(selector):
    """A LabelSelector in the order of its fields."""
    if selector is None:
        return None
    shown = {"matchLabels": shown_map(selector.get("matchLabels")), "matchExpressions": selector.get("matchExpressions")}
    return {key: value for key, value in shown.items() if value}


def joined(errors):
    """The text of all of them as an Invalid status has it: one as it is, several in brackets, repetitions left out."""
    texts = list(dict.fromkeys(error.message() for error in errors))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def invalid(field, value, detail):
    return FieldError(INVALID, field, value, detail)


def required(field, detail=""):
    return FieldError(REQUIRED, field, "", detail)


def forbidden(field, detail):
    return FieldError(FORBIDDEN, field, "", detail)


def duplicate(field, value):
    return FieldError(DUPLICATE, field, value, "")


def not_found(field, value):
    return FieldError(NOT_FOUND, field, value, "")


def not_supported(field, value, supported):
    listed = ", ".join(json.dumps(one, ensure_ascii=False) for one in supported)
    return FieldError(NOT_SUPPORTED, field, value, f"supported values: {listed}")


def too_long(field, limit):
    return FieldError(TOO_LONG, field, "", f"may not be more than {limit} bytes")


def too_many(field, count, limit):
    return FieldError(TOO_MANY, field, count, f"must have at most {limit} items")


def one_of(field, value, supported, required_detail=""):
    """Nothing if `value` is among `supported`; Required if it is empty; else Unsupported."""
    if not value:
        yield required(field, required_detail)
    elif value not in supported:
        yield not_supported(field, value, supported)


def each_message(field, value, messages):
    """An Invalid error per message."""
    for message in messages:
        yield invalid(field, value, message)


def not_negative(field, value):
    if value is not None and value < 0:
        yield invalid(field, value, NEGATIVE)


def unchanged(field, new, old):
    """Invalid, with the new value, if it is not the old one."""
    if new != old:
        yield invalid(field, new, IMMUTABLE)


def between(low, high):
    """The words for a number outside of an inclusive range."""
    return f"must be between {low} and {high}, inclusive"
