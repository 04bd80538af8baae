"""Decoding what a patch made of an object: it has to be an object of the same kind still."""
import json

from lifecycle.simulation.apimachinery.patch_errors import PatchError
from lifecycle.simulation.apimachinery.strategic_merge import go_map
from lifecycle.simulation.control_plane.apiserver.decode import STRICT, WARN, converted, strict_error, type_of
from lifecycle.simulation.control_plane.apiserver.scalars import Mismatch


def decode_patched(thing, base, patch, patch_type, gvk, field_validation=WARN, open_api=None):
    """(object, warnings) of a patched object.

    `base` is the object before the patch, `patch` the patch itself, `patch_type` "json", "merge" or "strategic". Raises PatchError (422).
    """
    is_strategic = patch_type == "strategic"
    try:
        decoded, problems = converted(thing, type_of(gvk, open_api), base, unstructured=is_strategic)
    except Mismatch as error:
        raise _refused(thing, patch, is_strategic, str(error)) from None
    if problems and field_validation == STRICT:
        raise _refused(thing, patch, is_strategic, strict_error(problems))
    return decoded, problems if field_validation == WARN else []


def _refused(thing, patch, is_strategic, problem):
    """The server shows the strategic patch as Go prints a map, or the JSON that the other patches made."""
    shown = json.dumps(go_map(patch) if is_strategic else json.dumps(thing, separators=(",", ":"), ensure_ascii=False), ensure_ascii=False)
    detail = f"Invalid value: {shown}: {problem}"
    return PatchError(f' "" is invalid: patch: {detail}', 422, "Invalid", [{"reason": "FieldValueInvalid", "message": detail, "field": "patch"}])
