"""The patches that kubectl computes itself: its knowledge of lists and their keys is that of the API's published types."""
from lifecycle.simulation.apimachinery import merge_patch, strategic_diff, strategic_merge
from lifecycle.simulation.apimachinery.patch_errors import PatchError
from lifecycle.simulation.apimachinery.schema import schema_of
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.invocation import MERGE_PATCH, STRATEGIC_PATCH


def three_way(original, modified, current):
    """(patch, content type) that brings `current` to `modified`, given what was applied before; the patch is {} if there is nothing to do.

    Raises CommandError if a list has no such items as its kind must have.
    """
    type = schema_of(modified)
    if type is None:
        return merge_patch.three_way(original, modified, current), MERGE_PATCH
    return _strategic(strategic_diff.three_way, original, modified, current, type), STRATEGIC_PATCH


def two_way(original, modified):
    """(patch, content type) that makes `modified` of `original`. Raises CommandError."""
    type = schema_of(modified)
    if type is None:
        return merge_patch.two_way(original, modified), MERGE_PATCH
    return _strategic(strategic_diff.two_way, original, modified, type), STRATEGIC_PATCH


def merged(original, patch):
    """An object with a strategic merge patch applied, as --overrides does. Raises CommandError."""
    return _strategic(strategic_merge.apply, original, patch, schema_of(original))


def _strategic(function, *arguments):
    try:
        return function(*arguments)
    except PatchError as error:
        raise CommandError(error.message) from None
