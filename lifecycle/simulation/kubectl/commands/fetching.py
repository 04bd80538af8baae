"""How `kubectl get` asks for what it prints."""
from lifecycle.simulation.kubectl.arguments import selection_query
from lifecycle.simulation.kubectl.printing.tables import Options


def tabular(flags):
    return flags["output"] in ("", "wide") and not flags["template"]


def fetch(invocation, target, table):
    """GET an object, or all pages of a list. With `table`, as a Table."""
    resource, namespace, name = target
    flags = invocation.flags
    whole = {"includeObject": "Object"} if table and flags["sort-by"] else {}
    if name is not None:
        return (yield from invocation.read(resource, namespace, name, table, flags["subresource"]))
    limit = {} if flags["sort-by"] else {"limit": str(flags["chunk-size"])} if flags["chunk-size"] else {}
    query = selection_query(invocation, **limit, **whole)
    body = yield from invocation.get(resource.path(namespace), query, table)
    part = "rows" if table else "items"
    while body["metadata"].get("continue"):
        page = yield from invocation.get(resource.path(namespace), {**query, "continue": body["metadata"]["continue"]}, table)
        body = {**body, "metadata": page["metadata"], part: [*body[part], *page[part]]}
    return body


def table_options(flags):
    return Options(wide=flags["output"] == "wide", headers=not flags["no-headers"], namespace=flags["all-namespaces"], kinds=flags["show-kind"],
                   labels=tuple(flags["label-columns"]), show_labels=flags["show-labels"], events=flags["output-watch-events"])
