"""The text of one description, written line by line."""
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from lifecycle.simulation.durations import age
from lifecycle.simulation.label_text import requirements
from lifecycle.simulation.objects import controller_of

from ..tables import escape_terminal
from ..tabwriter import align

NONE = "<none>"
UNSET = "<unset>"
LONGEST_ANNOTATION = 140
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


class Query(NamedTuple):
    """A list of `resource` ("pods", "events", ...), or one object if there is a `name`.

    `labels` and `fields` are selectors as the API reads them. `chunked` lists are asked for 500 at a time.
    """

    resource: str
    namespace: str = ""
    name: str = ""
    labels: str = ""
    fields: str = ""
    chunked: bool = True


class Page:
    """Lines with tabs between their cells, aligned at the end; two spaces for each level of indentation."""

    def __init__(self, lookup, clock, events=True):
        self.lookup, self.clock, self.with_events = lookup, clock, events
        self.parts, self.aligned = [], []

    def line(self, text="", level=0):
        self.parts.append(f"{'  ' * level}{text}\n")

    def field(self, name, value, level=0):
        """"Name:  value"; nothing is left out, not even an empty value."""
        self.line(f"{name}:\t{value}", level)

    def optional(self, name, value, level=0):
        """A field that is only there if its value is."""
        if value not in (None, "", [], {}):
            self.field(name, value, level)

    def several(self, name, values, level=0):
        """Values below each other beside one name; "<none>" without any."""
        values = list(values) or [NONE]
        self.field(name, values[0], level)
        for value in values[1:]:
            self.line(f"\t{value}")

    def condition_table(self, conditions):
        """Conditions with the time of their last transition."""
        self.line("Conditions:")
        self.table(1, ("Type", "Status", "LastTransitionTime", "Reason", "Message"), [
            (each["type"], each["status"], long_time(each.get("lastTransitionTime")), each.get("reason", ""), each.get("message", "")) for each in conditions])

    def table(self, level, names, rows, rule=None):
        """A header, a rule under it (`rule` False for none, or its own texts), and rows of cells."""
        self.line("\t".join(names), level)
        if rule is not False:
            self.line("\t".join(rule or ["-" * len(name) for name in names]), level)
        for row in rows:
            self.line("\t".join([str(cell) for cell in row]), level)

    def labels(self, name, labels, level=0):
        self.several(name, [f"{key}={labels[key]}" for key in sorted(labels or ())], level)

    def annotations(self, annotations, level=0):
        """Long values, and those with several lines, begin on a line of their own."""
        lines = []
        for key in sorted(annotations or ()):
            if key != LAST_APPLIED:
                lines += _annotation(key, annotations[key].removesuffix("\n"))
        self.several("Annotations", lines, level)

    def metadata(self, thing, namespace=True):
        """What most descriptions begin with."""
        meta = thing["metadata"]
        self.field("Name", meta["name"])
        if namespace:
            self.field("Namespace", meta.get("namespace", ""))
        self.labels("Labels", meta.get("labels"))
        self.annotations(meta.get("annotations"))

    def age(self, timestamp):
        return age(timestamp, self.clock)

    def flush(self):
        """Align what was written so far apart from what comes."""
        self.aligned.append(align("".join(self.parts)))
        self.parts = []

    def text(self):
        self.flush()
        return escape_terminal("".join(self.aligned))

    # -- related objects -------------------------------------------------------------------------------------------------------
    def events(self, thing, kind=True, uid=None):
        """Write the Events about an object; `kind` False asks for those about any kind of that name and uid."""
        if self.with_events:
            self.event_table(self.find_events(thing, kind, uid))

    def find_events(self, thing, kind=True, uid=None):
        if not self.with_events:
            return []
        meta = thing["metadata"]
        terms = {"name": meta["name"], "namespace": meta.get("namespace", ""), "kind": thing["kind"] if kind else None, "uid": uid or meta.get("uid", "")}
        fields = ",".join([f"involvedObject.{name}={value}" for name, value in terms.items() if value is not None])
        return self.lookup(Query("events", meta.get("namespace", ""), fields=fields))

    def event_table(self, events):
        if not events:
            self.field("Events", NONE)
            return
        self.flush()
        self.line("Events:")
        rows = [self._event(event) for event in sorted(events, key=_last_time)]
        self.table(1, ("Type", "Reason", "Age", "From", "Message"), rows, ("----", "------", "----", "----", "-------"))

    def _event(self, event):
        first = self.age(event.get("eventTime") or event.get("firstTimestamp"))
        series, count = event.get("series"), event.get("count") or 0
        if series:
            first = f"{self.age(series.get('lastObservedTime'))} (x{series.get('count', 0)} over {first})"
        elif count > 1:
            first = f"{self.age(event.get('lastTimestamp'))} (x{count} over {first})"
        path = event.get("involvedObject", {}).get("fieldPath")
        message = (event.get("message") or "").strip()
        source = event.get("source", {}).get("component") or event.get("reportingComponent") or ""
        return event.get("type", ""), event.get("reason", ""), first, source, f"{path}: {message}" if path else message

    def pods_of(self, thing, selector):
        """The Pods that an object controls, among those its LabelSelector matches."""
        meta = thing["metadata"]
        found = self.lookup(Query("pods", meta.get("namespace", ""), labels=",".join(requirements(selector))))
        return [pod for pod in found if (controller_of(pod) or {}).get("uid") == meta.get("uid")]


def _annotation(key, value):
    if len(value) + len(key) + 2 <= LONGEST_ANNOTATION and "\n" not in value:
        return [f"{key}: {value}"]
    longest = LONGEST_ANNOTATION - 2
    return [f"{key}:", *[f"  {line[:longest]}{'...' if len(line) > longest else ''}" for line in value.split("\n")]]


def _last_time(event):
    """Events go by their last time; those of the newer API have none and come first (kubectl/pkg/util/event/sorted_event_list.go)."""
    return event.get("lastTimestamp") or ""


@lru_cache(1024)
def long_time(timestamp):
    """"Mon, 30 Nov 2026 07:07:00 +0000"; the year 1 for a time that is not set."""
    if not timestamp:
        return "Mon, 01 Jan 0001 00:00:00 +0000"
    return datetime.fromisoformat(timestamp).strftime("%a, %d %b %Y %H:%M:%S +0000")


def controller_text(thing):
    """"ReplicaSet/web-5fcdbbf5f7", or None for an object that nothing controls."""
    owner = controller_of(thing)
    return f"{owner['kind']}/{owner['name']}" if owner else None


def capitalized(value):
    """A boolean as Python writes it too, or "<unset>"."""
    return UNSET if value is None else str(bool(value))


def lower(value):
    """A boolean as Go writes it."""
    return "true" if value else "false"


def bracketed(values):
    """A list as Go prints it: "[a b]"."""
    return f"[{' '.join([str(value) for value in values or ()])}]"
