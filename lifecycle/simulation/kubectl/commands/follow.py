"""kubectl get -w: the list, then every change as it comes, in columns that never become narrower."""
from lifecycle.simulation.kubectl.arguments import selection_query
from lifecycle.simulation.kubectl.commands.fetching import fetch, table_options, tabular
from lifecycle.simulation.kubectl.printing.tables import Printer, qualified_singular
from lifecycle.simulation.kubectl.process import Checkpoint, Watch
from lifecycle.simulation.kubectl.report import format_printer, show
from lifecycle.simulation.kubectl.watcher import checked


def follow(invocation, target=None):
    """Print what is there (unless --watch-only), then watch for ever, or as long as --request-timeout allows."""
    if invocation.state is None:
        yield from _begin(invocation, target)
    opening = True
    while True:
        state = invocation.state
        resource = invocation.discovery.find(state["resource"])
        answer = yield Watch(resource, state["namespace"], state["query"], state["since"], state["until"], opening, state["table"])
        opening = False
        if answer is None:
            return
        printed = _print_events(invocation, resource, state, checked(answer["events"]))
        invocation.state = {**state, **printed, "since": answer["revision"]}
        yield Checkpoint(invocation.state)


def _begin(invocation, target):
    resource, namespace, name = target
    flags, table = invocation.flags, tabular(invocation.flags)
    body = yield from fetch(invocation, target, table)
    query = selection_query(invocation, **({"fieldSelector": f"metadata.name={name}"} if name else {}), resourceVersion=body["metadata"]["resourceVersion"],
                            watch="true")
    limit = invocation.request_timeout()
    state = {"resource": resource.qualified, "namespace": namespace, "query": query, "table": table, "since": int(body["metadata"]["resourceVersion"]),
             "until": invocation.now + limit if limit else None, "columns": [], "widths": [], "begun": False}
    if not flags["watch-only"]:
        state.update(_print_first(invocation, resource, state, body, name))
    elif table:
        state["columns"] = body["columnDefinitions"]
    invocation.state = state


def _print_first(invocation, resource, state, body, name):
    if not state["table"]:
        return _print_events(invocation, resource, state, [{"type": "ADDED", "object": thing} for thing in ([body] if name else body["items"])])
    if not body["rows"]:
        return {"columns": body["columnDefinitions"]}
    return _print_events(invocation, resource, state, [{"type": "ADDED", "object": body}])


def _print_events(invocation, resource, state, events):
    """Print the objects of watch events; returns the printer's part of the state."""
    if not state["table"]:
        printer = format_printer(invocation)
        for event in events:
            show(invocation, printer, event["object"])
        return {}
    options = table_options(invocation.flags)
    options = options._replace(namespace=options.namespace and resource.namespaced)
    printer = Printer(options, qualified_singular(resource))
    printer.columns, printer.widths, printer.begun = state["columns"], list(state["widths"]), state["begun"]
    for event in events:
        invocation.write("out", printer.print(event["object"], event["type"]))
    return {"columns": printer.columns, "widths": printer.widths, "begun": printer.begun}
