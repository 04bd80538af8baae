"""Custom resources: kinds that CustomResourceDefinitions add while the server runs (apiextensions-apiserver)."""
from .definitions import custom_resources, find, find_qualified, scale_paths, schema_of, type_of, version_of
from .establishing import CustomResourceDefinitions
from .validation import defaulted, errors

__all__ = ["CustomResourceDefinitions", "custom_resources", "defaulted", "errors", "find", "find_qualified", "scale_paths", "schema_of", "type_of",
           "version_of"]
