"""What the API server's documents say about kinds and the package of definitions leaves out."""
from functools import cache
from importlib.resources import files

from orjson import loads

from .schema import definitions

LIKE_ANY = "io.k8s.api.core.v1.Namespace"


@cache
def enumerations():
    """{definition name: {field: the values that it may have}}"""
    return loads((files(__package__) / "enums.json").read_bytes())


@cache
def of_every_object():
    """{"apiVersion": ..., "kind": ..., "metadata": ...}: what the API server writes into the schema of a custom kind, as of any other."""
    described = definitions()[LIKE_ANY]["properties"]
    return {name: {key: value for key, value in described[name].items() if key != "enum"} for name in ("apiVersion", "kind", "metadata")}
