"""The objects that the words of a command name: "pods", "pods,svc", "pod web", "deploy/web pod/a" (cli-runtime/pkg/resource/builder.go)."""
from lifecycle.simulation.kubectl.errors import CommandError, ServerError, not_found
from lifecycle.simulation.kubectl.files import Info, infos, sources
from lifecycle.simulation.selectors import SelectorError, parse_label_selector

NOTHING_GIVEN = ("You must provide one or more resources by argument or filename.\nExample resource specifications include:\n"
                 "   '-f rsrc.yaml'\n   '--filename=rsrc.json'\n   '<resource> <name>'\n   '<resource>'")
SEPARATE = ("there is no need to specify a resource type as a separate argument when passing arguments in resource/name form "
            "(e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'")


def resolve(invocation, typed):
    """The Resource of a word; a generator, since kubectl asks the server again before it gives up."""
    try:
        return invocation.discovery.find(typed)
    except CommandError:
        for path in ("/api", "/apis"):
            yield from invocation.ask("GET", path, {"timeout": "32s"})
        raise


def named(invocation, words):
    """(resources, names): what "TYPE[,TYPE] [NAME...]" or "TYPE/NAME..." says. For the second form, a list of (resource, name) and None."""
    if any("/" in word for word in words):
        return (yield from _with_slashes(invocation, words)), None
    resources = []
    for typed in words[0].split(","):
        resources += [] if not typed else invocation.discovery.category(typed) or [(yield from resolve(invocation, typed))]
    return resources, words[1:]


def _with_slashes(invocation, words):
    pairs = []
    for word in words:
        typed, _, name = word.partition("/")
        if "/" not in word:
            raise CommandError(SEPARATE)
        if not typed or not name or "/" in name:
            raise CommandError("arguments in resource/name form must have a single resource and name")
        for one in typed.split(","):
            pairs.append(((yield from resolve(invocation, one)), name))
    return pairs


def matcher(invocation):
    """The test (labels -> bool) of --selector, for objects that come from files. Raises CommandError."""
    words = invocation.flags["selector"]
    try:
        return parse_label_selector(words)
    except SelectorError as error:
        raise CommandError(f'the provided selector "{words}" is not valid: {error}') from None


def has_selection(invocation):
    """Whether flags select objects, so that no names are needed."""
    return bool(invocation.flags.get("selector") or invocation.flags.get("field-selector") or invocation.flags.get("all"))


def selection_query(invocation, **more):
    """The query of a list that the selectors of the command ask for."""
    query = {"fieldSelector": invocation.flags.get("field-selector"), "labelSelector": invocation.flags.get("selector"), **more}
    return {name: value for name, value in query.items() if value}


def selected(invocation, words, errors, fetch=True, subresource="", everything=False):
    """The Infos a command is about, from its words or its files; `fetch` reads named ones from the server, or a subresource of them.

    A kind without names stands for all its objects if the command does so (`everything`).

    Yields process questions and, between them, nothing: use `infos = yield from selected(...)`. What cannot be had is added to `errors`.
    """
    files = sources(invocation)
    if files:
        if words:
            raise CommandError("when paths, URLs, or stdin is provided as input, you may not specify a resource by arguments as well")
        found = list(infos(invocation, files, errors))
        return (yield from fetched(invocation, found, errors, subresource)) if fetch else found
    if not words:
        raise CommandError(NOTHING_GIVEN)
    resources, names = yield from named(invocation, words)
    pairs = resources if names is None else [(resource, name) for resource in resources for name in names]
    if has_selection(invocation):
        if pairs:
            raise CommandError("name cannot be provided when a selector is specified")
        return (yield from listed(invocation, resources, errors))
    if not pairs and everything:
        return (yield from listed(invocation, resources, errors))
    if not pairs:
        raise CommandError("resource(s) were provided, but no name was specified")
    if invocation.flags.get("all-namespaces"):
        raise CommandError("a resource cannot be retrieved by name across all namespaces")
    found = [Info(resource, namespace_for(invocation, resource), name) for resource, name in pairs]
    return (yield from fetched(invocation, found, errors, subresource)) if fetch else found


def namespace_for(invocation, resource):
    """The namespace in which a command looks for objects of a resource."""
    return "" if not resource.namespaced or invocation.flags.get("all-namespaces") else invocation.namespace


def fetched(invocation, found, errors, subresource=""):
    """The Infos with their objects as the server has them now."""
    present = []
    for info in found:
        try:
            present.append(info._replace(thing=(yield from invocation.read(info.resource, info.namespace, info.name, subresource=subresource))))
        except CommandError as error:
            if not (not_found(error) and invocation.flags.get("ignore-not-found")):
                errors.append(error)
    return present


def listed(invocation, resources, errors):
    """The Infos of everything that the selectors leave of some resources."""
    found = []
    for resource in resources:
        try:
            answer = yield from invocation.get(resource.path(namespace_for(invocation, resource)), selection_query(invocation))
        except ServerError as error:
            errors.append(told_of_list(error, invocation, resource))
            continue
        found += [Info(resource, item["metadata"].get("namespace", ""), item["metadata"]["name"], with_kind(item, resource)) for item in answer["items"]]
    return found


def told_of_list(error, invocation, resource):
    """A refusal of a list with what was asked for, where kubectl says so."""
    labels, fields = invocation.flags.get("selector", ""), invocation.flags.get("field-selector", "")
    if error.reason not in ("BadRequest", "NotFound"):
        return error
    what = f"{resource.group}/{resource.version}, Resource={resource.plural}"
    if not labels and not fields:
        return error.within(f'Unable to list "{what}"')
    return error.within(f'Unable to find "{what}" that match label selector "{labels}", field selector "{fields}"')


def with_kind(item, resource):
    """An item of a list with the kind that lists leave out."""
    return item if "kind" in item else {"apiVersion": resource.api_version, "kind": resource.kind, **item}
