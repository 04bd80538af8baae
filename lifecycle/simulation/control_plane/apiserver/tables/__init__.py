"""Server-side tables: what the API server answers to `Accept: application/json;as=Table` (pkg/printers/internalversion/printers.go).

The columns are data; the cells of each resource come from one function of (object, clock).
"""
from . import access, admission, cluster, network, pods, storage, workloads
from .columns import columns
from .custom import custom_cells, custom_columns

CELLS = {**pods.CELLS, **workloads.CELLS, **network.CELLS, **storage.CELLS, **cluster.CELLS, **access.CELLS, **admission.CELLS}
ROW_CONDITIONS = {
    "Succeeded": [{"type": "Completed", "status": "True", "reason": "Succeeded", "message": "The pod has completed successfully."}],
    "Failed": [{"type": "Completed", "status": "True", "reason": "Failed", "message": "The pod failed."}],
}


def table(resource, objects, clock, metadata=None, include="Metadata", headers=True, printer_columns=None):
    """A `meta.k8s.io/v1` Table.

    `resource` is the qualified name ("pods", "deployments.apps"), `objects` the objects as stored, `metadata` the list's (resourceVersion, continue, ...).
    `include` is the request's `includeObject`: "Metadata", "Object" or "None". `headers` is False for every event of a watch but the first.
    `printer_columns` are the `additionalPrinterColumns` of a custom resource's version ([] if it has none); None for built-in resources.
    """
    if printer_columns is None:
        definitions, cells = columns(resource), CELLS.get(resource, default_cells)
    else:
        definitions, cells = custom_columns(printer_columns), custom_cells(printer_columns)
    rows = [_row(thing, cells(thing, clock), include, resource == "pods") for thing in objects]
    return {"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": metadata or {}, "columnDefinitions": definitions if headers else None, "rows": rows}


def _row(thing, cells, include, is_pod):
    row = {"cells": cells}
    if is_pod and thing.get("status", {}).get("phase") in ROW_CONDITIONS:
        row["conditions"] = ROW_CONDITIONS[thing["status"]["phase"]]
    if include == "Object":
        row["object"] = thing
    elif include == "None":
        row["object"] = None
    else:
        row["object"] = {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": thing["metadata"]}
    return row


def default_cells(thing, clock):
    """Name and creation time: the default of resources without columns of their own."""
    meta = thing["metadata"]
    return [meta["name"], meta.get("creationTimestamp")]
