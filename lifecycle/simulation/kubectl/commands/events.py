"""kubectl events (kubectl/pkg/cmd/events)."""
from lifecycle.simulation.durations import human_duration
from lifecycle.simulation.kubectl.arguments import resolve, with_kind
from lifecycle.simulation.kubectl.errors import CommandError, PlainError
from lifecycle.simulation.kubectl.flags import boolean, listing, text
from lifecycle.simulation.kubectl.options import ALL_NAMESPACES, CHUNKS, PRINTING, Command
from lifecycle.simulation.kubectl.printing.formats import as_list
from lifecycle.simulation.kubectl.printing.tables import MINIMUM, PADDING
from lifecycle.simulation.kubectl.printing.tabwriter import align
from lifecycle.simulation.kubectl.process import Checkpoint, Watch
from lifecycle.simulation.kubectl.report import format_printer, show
from lifecycle.simulation.kubectl.watcher import checked
from lifecycle.simulation.resources import resource

HEADERS = ("LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE")
TYPES = ("Normal", "Warning")


def events(invocation):
    """List events, the oldest first; with -w go on with those that come."""
    flags = invocation.flags
    if invocation.state is None:
        for kind in flags["types"]:
            if kind.capitalize() not in TYPES:
                raise CommandError(f"valid --types are {' or '.join(TYPES)}")
        yield from _print_known(invocation)
        if not flags["watch"]:
            return
        yield Checkpoint(invocation.state)
    yield from _follow(invocation)


def _print_known(invocation):
    flags = invocation.flags
    query = yield from _query(invocation)
    namespace = "" if flags["all-namespaces"] else invocation.namespace
    answer = yield from invocation.get(resource("events").path(namespace), {**query, "limit": str(flags["chunk-size"])})
    found = [with_kind(item, resource("events")) for item in answer["items"] if _is_wanted(flags, item)]
    invocation.state = {"namespace": namespace, "query": query, "since": int(answer["metadata"]["resourceVersion"]), "widths": []}
    if not found and not flags["watch"]:
        invocation.err("No events found." if flags["all-namespaces"] else f"No events found in {invocation.namespace} namespace.")
    elif flags["output"]:
        show(invocation, format_printer(invocation), as_list([] if flags["output"] == "name" else found))        # kubectl has no names for this list
    else:
        _print(invocation, sorted(found, key=last_seen), not flags["no-headers"])


def _query(invocation):
    """--for TYPE/NAME as a field selector."""
    wanted = invocation.flags["for"]
    if not wanted:
        return {}
    typed, slash, name = wanted.partition("/")
    if not slash or not name:
        raise CommandError("--for must be in resource/name form")
    try:
        found = yield from resolve(invocation, typed)
    except CommandError as error:
        raise PlainError(error.message) from None
    return {"fieldSelector": f"involvedObject.kind={found.kind},involvedObject.name={name}"}


def _is_wanted(flags, event):
    return not flags["types"] or event.get("type", "").lower() in [kind.lower() for kind in flags["types"]]


def last_seen(event):
    """When an event was seen last, as a timestamp."""
    series = event.get("series") or {}
    return series.get("lastObservedTime") or event.get("lastTimestamp") or event.get("eventTime") or event["metadata"].get("creationTimestamp", "")


def _print(invocation, found, headers):
    everywhere = invocation.flags["all-namespaces"]
    rows = ["\t".join((*(("NAMESPACE",) if everywhere else ()), *HEADERS))] if headers else []
    rows += ["\t".join(_row(invocation, event, everywhere)) for event in found]
    widths = list(invocation.state["widths"])
    invocation.write("out", align("".join(f"{row}\n" for row in rows), MINIMUM, PADDING, widths))
    invocation.state = {**invocation.state, "widths": widths}


def _row(invocation, event, everywhere):
    about = event["involvedObject"]
    place = (event["metadata"].get("namespace", ""),) if everywhere else ()
    told = f"{about.get('kind', '')}/{about.get('name', '')}"
    return *place, _interval(invocation, event), event.get("type", ""), event.get("reason", ""), told, event.get("message", "").strip()


def _interval(invocation, event):
    """"5s", or "5s (x3 over 2m)" for one that came several times."""
    def ago(timestamp):
        return human_duration(invocation.now - invocation.clock.parse(timestamp)) if timestamp else "<unknown>"
    series = event.get("series") or {}
    count = series.get("count") or event.get("count") or 1
    first = event.get("firstTimestamp") or event.get("eventTime")
    return f"{ago(last_seen(event))} (x{count} over {ago(first)})" if count > 1 else ago(last_seen(event) if event.get("firstTimestamp") else first)


def _follow(invocation):
    opening = True
    while True:
        state = invocation.state
        answer = yield Watch(resource("events"), state["namespace"], {**state["query"], "watch": "true"}, state["since"], None, opening)
        opening = False
        found = [event["object"] for event in checked(answer["events"]) if event["type"] != "DELETED" and _is_wanted(invocation.flags, event["object"])]
        invocation.state = {**state, "since": answer["revision"]}
        if invocation.flags["output"]:
            for thing in found:
                show(invocation, format_printer(invocation), thing)
        elif found:
            _print(invocation, found, False)
        yield Checkpoint(invocation.state)


FLAGS = {**ALL_NAMESPACES, **CHUNKS, **PRINTING, "for": text(), "no-headers": boolean(), "types": listing(), "watch": boolean("w")}
COMMANDS = {("events",): Command(events, "[(-o|--output=)FORMAT] [--for TYPE/NAME] [--watch] [--types=Normal,Warning]", FLAGS)}
