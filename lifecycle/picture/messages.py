"""Messages as rows of the sequence diagram."""
from typing import NamedTuple

from django.utils.translation import gettext as _

from ..explanations import explain, seed_steps
from ..explanations.texts import identity
from ..simulation.messages import ACTORS
from .actors import COLUMN, actor_name, language

IDLE = 1000                      # virtual ms without a message from which on a gap is worth a row of its own
NO_REPLY = ("Respond", "PrintOutput")


class Row(NamedTuple):
    """One message. `first` and `last` are grid lines between lanes (1 is the left edge of the first lane), `span` how many lanes the arrow crosses;
    `style` is request, watch, answer or work; `place` says at which end of the arrow the label stands."""

    seq: int
    at: int
    clock: str
    source: str
    target: str
    names: tuple
    direction: str
    first: int
    last: int
    span: int
    place: str
    style: str
    title: str
    text: str
    note: str
    seeds: list
    failed: bool
    where: str
    pod: str
    owner: str
    gap: str
    reason: str
    tags: str


def clock(at):
    """Virtual time of a message as it stands beside it: seconds with three digits."""
    return f"{at / 1000:.3f}"


def duration(ms):
    """A span of virtual time in a reader's words: "28.0 s", "5 min 20 s"."""
    if ms < 60_000:
        return _("%(seconds)s s") % {"seconds": f"{ms / 1000:.1f}"}
    minutes, seconds = divmod(round(ms / 1000), 60)
    return _("%(minutes)s min %(seconds)s s") % {"minutes": minutes, "seconds": seconds}


def rows(steps, previous_at=None):
    """A Row for every message; `previous_at` is the time of the message before the first, or None if there is none."""
    made = []
    for step in steps:
        made.append(row(step, previous_at))
        previous_at = step.at
    return made


def row(step, previous_at=None):
    title, text = explain(step, language())
    source, target = COLUMN[step.source], COLUMN[step.target]
    low, high = min(source, target), max(source, target)
    idle = step.at - previous_at if previous_at is not None else 0
    namespace, pod = pod_of(step)
    return Row(
        step.seq, step.at, clock(step.at), step.source, step.target, (actor_name(step.source), actor_name(step.target)),
        "self" if low == high else "right" if source < target else "left", low, high + 1, max(high - low, 1), place_of(low, high, low == high), style(step),
        title, text, note(step, title), seed_steps(step), is_failure(step), where(step, title),
        f"{namespace}/{pod}" if pod else "", f"{namespace}/{owner_of(pod)}" if pod else "", duration(idle) if idle >= IDLE else "", step.reason, tags(step))


def where(step, title):
    """Which controller or node the message comes from or goes to, unless the title says so."""
    name = step.facts.get("controller") or step.facts.get("node") or ""
    return "" if name in title else name


def place_of(low, high, loop):
    """At which end of its arrow a label stands: labels are wider than short arrows, and grow towards the middle of the diagram."""
    if loop:
        return "end" if low > len(ACTORS) / 2 else "start"
    middle = (low + high) / 2
    return "start" if middle < 3.5 else "end" if middle > len(ACTORS) - 2.5 else "middle"


def style(step):
    """How the arrow is drawn."""
    if step.source == step.target:
        return "work"
    if is_watch_event(step):
        return "watch"
    return "answer" if step.reason in NO_REPLY else "request"


def tags(step):
    """What the row can be hidden by: "event" for what is about an Event, "storage" for the store and watches."""
    about_event = object_key(step).startswith("/registry/events/")
    return " ".join(["event"] * about_event + ["storage"] * (step.target == "etcd" or is_watch_event(step)))


def is_watch_event(step):
    return step.source == "apiserver" and step.reason.startswith("Watch") and "event" in step.facts


def is_failure(step):
    """Whether the message says that something went wrong: a refused request, a process that ended badly."""
    code = step.facts.get("code")
    if not isinstance(code, int):
        return False
    return code >= 300 if "apiserver" in (step.source, step.target) else code != 0


def note(step, title):
    """The few words beside the title: what a reader would look for first, unless the title has it."""
    words = told(step)
    return "" if words in title else words


def told(step):
    facts = step.facts
    if step.reason == "ScoreNodes":
        totals = sorted(((scores["total"], node) for node, scores in facts.get("scores", {}).items()), reverse=True)
        return " · ".join(f"{node} {total}" for total, node in totals[:2])
    if step.reason == "FilterNodes":
        feasible, excluded = facts.get("feasible", 0), len(facts.get("excluded", {}))
        return _("%(feasible)s of %(all)s nodes") % {"feasible": feasible, "all": feasible + excluded}
    if step.reason == "PrintOutput":
        return first_line(facts.get("output", ""))
    if step.revision and not is_watch_event(step):
        return _("revision %(revision)s") % {"revision": step.revision}
    if is_failure(step):
        return str(facts["code"])
    return facts.get("ip") or (step.request or "").partition(" ")[0] if step.target == "apiserver" or facts.get("ip") else ""


def first_line(text):
    return text.strip().partition("\n")[0][:60]


def object_key(step):
    """The store key that the message is about, or ""."""
    key = step.object[0] if isinstance(step.object, list) and step.object else step.object
    return key if isinstance(key, str) else ""


def pod_of(step):
    """(namespace, name) of the Pod that the message is about, or ("", "")."""
    kind, namespace, name = identity(object_key(step)) if object_key(step).startswith("/registry/") else ("", "", "")
    if kind == "Pod" and name != namespace:
        return namespace, name
    if kind == "Event" and step.facts.get("pod"):
        return namespace, step.facts["pod"]
    return ("", "")


def owner_of(pod):
    """What Pods made from one template have in common: their name without the random end."""
    head, dash, tail = pod.rpartition("-")
    return head if dash and (len(tail) == 5 or tail.isdigit()) else pod
