"""Rules for paths inside of volumes (pkg/apis/core/validation/validation.go: validatePathNoBacksteps and its callers)."""

from .errors import invalid


def without_backsteps(path, text):
    if ".." in text.split("/"):
        yield invalid(path, text, "must not contain '..'")


def descending(path, text):
    """Errors unless `text` is relative and stays below its start."""
    if text.startswith("/"):
        yield invalid(path, text, "must be a relative path")
    yield from without_backsteps(path, text)


def local(path, text):
    """As `descending`, and the first part may not start with two dots: the kubelet's own entries do."""
    yield from descending(path, text)
    if text.startswith("..") and not text.startswith("../") and text != "..":
        yield invalid(path, text, "must not start with '..'")
