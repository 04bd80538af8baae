"""What `kubectl apply` without --server-side owned becomes the property of the server-side manager (client-go/util/csaupgrade)."""
from lifecycle.simulation.kubectl.commands.create import LAST_APPLIED

APPLY, UPDATE = "Apply", "Update"


def migration(thing, manager):
    """The JSON patch that hands over the fields of an object, with its managedFields, to `manager`; None if there is nothing to hand over."""
    entries = thing["metadata"].get("managedFields") or []
    names = dict.fromkeys(entry["manager"] for entry in entries if entry["operation"] == UPDATE and _owns_annotation(entry))
    handed = entries
    for name in names:
        handed = _handed_over(handed, name, manager)
    if handed == entries:
        return None
    values = {"managedFields": handed, "resourceVersion": thing["metadata"]["resourceVersion"]}
    return [{"op": "replace", "path": f"/metadata/{field}", "value": value} for field, value in values.items()]


def _owns_annotation(entry):
    return f"f:{LAST_APPLIED}" in entry.get("fieldsV1", {}).get("f:metadata", {}).get("f:annotations", {})


def _handed_over(entries, old, new):
    """The entries with those of the manager `old` put into that of `new`, or turned into it if there is none."""
    given = [entry for entry in entries if _is(entry, old, UPDATE)]
    taker = next((entry for entry in entries if _is(entry, new, APPLY)), given[0])
    fields = taker["fieldsV1"]
    for entry in given:
        fields = _union(fields, entry["fieldsV1"])
    made = {**taker, "manager": new, "operation": APPLY, "fieldsV1": fields}
    return [made if entry is taker else entry for entry in entries if entry is taker or entry not in given]


def _is(entry, manager, operation):
    return (entry["manager"], entry["operation"], entry.get("subresource", "")) == (manager, operation, "")


def _union(one, other):
    """Both sets of fields, as FieldsV1 nests them."""
    return {**one, **{name: _union(one.get(name, {}), inner) for name, inner in other.items()}}
