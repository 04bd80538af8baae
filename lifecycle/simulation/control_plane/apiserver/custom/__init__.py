"""Custom resources: kinds that CustomResourceDefinitions add while the server runs (apiextensions-apiserver)."""
from .definitions import custom_resources, find, find_qualified, scale_paths, version_of
from .establishing import CustomResourceDefinitions
from .validation import errors

__all__ = ["CustomResourceDefinitions", "custom_resources", "errors", "find", "find_qualified", "scale_paths", "version_of"]
