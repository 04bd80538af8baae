"""kubectl describe: objects and what is related to them (kubectl/pkg/cmd/describe)."""
from lifecycle.simulation.kubectl.arguments import named, namespace_for, selection_query, with_kind
from lifecycle.simulation.kubectl.errors import PlainError, ServerError, not_found, raise_all
from lifecycle.simulation.kubectl.files import infos, sources
from lifecycle.simulation.kubectl.flags import boolean
from lifecycle.simulation.kubectl.options import ALL_NAMESPACES, CHUNKS, FILES, SELECTOR, Command
from lifecycle.simulation.kubectl.printing.describe import describe as description
from lifecycle.simulation.resources import resource

NOTHING_GIVEN = 'You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of supported resources.'


def describe(invocation):
    """Describe each object; a name that does not exist describes those that begin with it."""
    if not invocation.args and not invocation.flags["filename"]:
        raise PlainError(f"error: {NOTHING_GIVEN}")
    errors, described = [], []
    targets = yield from _targets(invocation, errors)
    if any("/" in word for word in invocation.args):                      # TYPE/NAME: what is missing keeps the others from being described
        yield from _look_for(invocation, targets, errors)
        raise_all(errors)
    for target in targets:
        yield from _describe_target(invocation, target, described, errors, len(targets) == 1)
    if not described and not errors:
        everywhere = invocation.flags["all-namespaces"]
        invocation.err("No resources found" if everywhere else f"No resources found in {invocation.namespace} namespace.")
    raise_all(errors)


def _targets(invocation, errors):
    """[(Resource, namespace, name or None)]"""
    files = sources(invocation)
    if files:
        return [(info.resource, info.namespace, info.name) for info in infos(invocation, files, errors)]
    resources, names = yield from named(invocation, invocation.args)
    if names is None:
        return [(found, namespace_for(invocation, found), name) for found, name in resources]
    return [(found, namespace_for(invocation, found), name) for found in resources for name in names or [None]]


def _look_for(invocation, targets, errors):
    for found, namespace, name in targets:
        try:
            yield from invocation.read(found, namespace, name)
        except ServerError as error:
            errors.append(error)


def _describe_target(invocation, target, described, errors, alone):
    """Describe a target; Events are shown of an object that is described alone only."""
    found, namespace, name = target
    with_events = invocation.flags["show-events"] and alone
    try:
        if name is None:
            yield from _describe_list(invocation, found, namespace, described, with_events)
            return
        yield from invocation.read(found, namespace, name)
        yield from _describe_one(invocation, found, namespace, name, described, with_events)
    except ServerError as error:
        is_alone = not_found(error) and name is not None and len(invocation.args) == 2
        if not is_alone or not (yield from _describe_matching(invocation, found, namespace, name, described)):
            errors.append(error)


def _describe_list(invocation, found, namespace, described, with_events):
    """Describe what the selectors leave."""
    metas = yield from _listed(invocation, found, namespace)
    for meta in metas:
        yield from _describe_one(invocation, found, meta.get("namespace", ""), meta["name"], described, with_events and len(metas) == 1)


def _describe_matching(invocation, found, namespace, prefix, described):
    """Describe what begins with `prefix`, an empty line after each; returns how many that were."""
    metas = [meta for meta in (yield from _listed(invocation, found, namespace)) if meta["name"].startswith(prefix)]
    for meta in metas:
        text = yield from _description(invocation, found, meta.get("namespace", ""), meta["name"], False)
        invocation.out(text)
        described.append(meta["name"])
    return len(metas)


def _listed(invocation, found, namespace):
    answer = yield from invocation.get(found.path(namespace), selection_query(invocation, limit=str(invocation.flags["chunk-size"])))
    return [item["metadata"] for item in answer["items"]]


def _describe_one(invocation, found, namespace, name, described, with_events):
    text = yield from _description(invocation, found, namespace, name, with_events)
    invocation.write("out", ("\n\n" if described else "") + text)
    described.append(name)


def _description(invocation, found, namespace, name, with_events):
    """The description of an object, read with what it asks for."""
    thing = yield from invocation.get(found.path(namespace, name))
    related = _Related()
    while True:
        text = description(found.qualified, thing, related.lookup, invocation.clock, with_events)
        if not related.asked:
            return text
        query = related.asked[0]
        related.answers[query] = yield from _answer(invocation, query)
        related.asked.clear()


class _Related:
    """What a description looks up: answers that are there already, and the questions that are still open."""

    def __init__(self):
        self.answers, self.asked = {}, []

    def lookup(self, query):
        if query not in self.answers:
            self.asked.append(query)
        return self.answers.get(query, None if query.name else [])


def _answer(invocation, query):
    """What the server says to a Query; nothing if it refuses."""
    found = resource(query.resource)
    if query.name:
        reply = yield from invocation.ask("GET", found.path(query.namespace, query.name))
        return reply.body if reply.ok else None
    selectors = {"labelSelector": query.labels, "fieldSelector": query.fields, "limit": str(invocation.flags["chunk-size"]) if query.chunked else ""}
    reply = yield from invocation.ask("GET", found.path(query.namespace), {name: value for name, value in selectors.items() if value})
    return [with_kind(item, found) for item in reply.body["items"]] if reply.ok else []


FLAGS = {**FILES, **SELECTOR, **ALL_NAMESPACES, **CHUNKS, "show-events": boolean(default=True)}
COMMANDS = {("describe",): Command(describe, "(-f FILENAME | TYPE [NAME_PREFIX | -l label] | TYPE/NAME)", FLAGS)}
