"""The shapes in which a client may want an answer: whole objects, bare metadata, or a Table to print (apiserver/pkg/endpoints/handlers/response.go)."""
from typing import NamedTuple

from ...resources import Resource
from . import tables

WHOLE, METADATA, TABLE = "", "PartialObjectMetadata", "Table"
META = "meta.k8s.io/v1"
UNSHAPED = ("Status", "Scale")


class Shape(NamedTuple):
    """What answers about a resource look like. `include` is a Table's includeObject; `printer_columns` are those of a custom resource (tables.table)."""

    resource: Resource
    kind: str = WHOLE
    include: str = "Metadata"
    printer_columns: list | None = None

    def body(self, body, clock):
        """An object or a list, as answered."""
        if self.kind == WHOLE or body.get("kind") in UNSHAPED:
            return body
        is_list = "items" in body
        if self.kind == METADATA:
            items = {"items": [_bare(thing) for thing in body["items"]]} if is_list else {}
            return {"kind": f"{METADATA}List", "apiVersion": META, "metadata": body["metadata"], **items} if is_list else _bare(body)
        if is_list:
            return self._table(body["items"], clock, body["metadata"])
        return self._table([body], clock, {"resourceVersion": body["metadata"].get("resourceVersion", "")})

    def frame(self, frame, clock, headers):
        """A frame of a watch, as sent; `headers` for the first one, which brings a Table's columns."""
        thing, type = frame["object"], frame["type"]
        if self.kind == WHOLE or type == "ERROR":
            return frame
        if self.kind == METADATA:
            return {"type": type, "object": _bare(thing)}
        version = {"resourceVersion": thing["metadata"].get("resourceVersion", "")}
        if type == "BOOKMARK":                      # there is nothing to print of it
            table = self._table([], clock, version, headers)
            return {"type": type, "object": {**table, "rows": [{"cells": [], "object": _bare(thing)}]}}
        return {"type": type, "object": self._table([thing], clock, version, headers)}

    def _table(self, things, clock, metadata, headers=True):
        return tables.table(self.resource.qualified, things, clock, metadata, self.include, headers, self.printer_columns)


def _bare(thing):
    return {"kind": METADATA, "apiVersion": META, "metadata": thing["metadata"]}
