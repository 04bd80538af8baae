"""kubectl get (kubectl/pkg/cmd/get)."""
from lifecycle.simulation.kubectl.arguments import named, namespace_for, told_of_list, with_kind
from lifecycle.simulation.kubectl.commands.fetching import fetch, table_options, tabular
from lifecycle.simulation.kubectl.commands.follow import follow
from lifecycle.simulation.kubectl.commands.raw import raw
from lifecycle.simulation.kubectl.commands.sorting import sorted_objects, sorted_rows
from lifecycle.simulation.kubectl.errors import CommandError, PlainError, ServerError, not_found, raise_all
from lifecycle.simulation.kubectl.files import infos, sources
from lifecycle.simulation.kubectl.flags import boolean, listing, text
from lifecycle.simulation.kubectl.options import ALL_NAMESPACES, CHUNKS, FIELD_SELECTOR, FILES, PRINTING, SELECTOR, Command
from lifecycle.simulation.kubectl.printing.formats import as_list
from lifecycle.simulation.kubectl.printing.tables import nothing_found, print_tables
from lifecycle.simulation.kubectl.report import format_printer, show

NOTHING_GIVEN = ('You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.\n\n'
                 "error: Required resource not specified.\n"
                 'Use "kubectl explain <resource>" for a detailed description of that resource (e.g. kubectl explain pods).\n'
                 "See 'kubectl get -h' for help and examples")


def get(invocation):
    """Print objects: as tables, or in the format that -o asks for."""
    flags = invocation.flags
    if invocation.state:
        return (yield from follow(invocation))
    if flags["raw"]:
        return (yield from raw(invocation, "GET"))
    if flags["output-watch-events"] and not (flags["watch"] or flags["watch-only"]):
        raise CommandError("--output-watch-events option can only be used with --watch or --watch-only")
    if not invocation.args and not flags["filename"]:
        raise PlainError(NOTHING_GIVEN)
    targets = yield from _targets(invocation)
    if flags["watch"] or flags["watch-only"]:
        if len({resource.qualified for resource, _, _ in targets}) != 1 or len(targets) != 1:
            raise CommandError("you may only specify a single resource type")
        return (yield from follow(invocation, targets[0]))
    if tabular(flags):
        yield from _print_tables(invocation, targets)
    else:
        yield from _print_objects(invocation, targets)
    return None


def _targets(invocation):
    """[(Resource, namespace, name)]: what to GET; the name is None for a list."""
    files, flags = sources(invocation), invocation.flags
    if files:
        errors = []
        found = [(info.resource, info.namespace, info.name) for info in infos(invocation, files, errors)]
        if errors:
            raise PlainError(errors[0].message if len(errors) == 1 else f"[{', '.join(error.message for error in errors)}]")
        return found
    resources, names = yield from named(invocation, invocation.args)
    pairs = resources if names is None else [(resource, name) for resource in resources for name in names]
    if pairs and flags["all-namespaces"]:
        raise CommandError("a resource cannot be retrieved by name across all namespaces")
    if pairs and (flags["selector"] or flags["field-selector"]):
        raise CommandError("name cannot be provided when a selector is specified")
    if not pairs:
        return [(resource, namespace_for(invocation, resource), None) for resource in resources]
    return [(resource, namespace_for(invocation, resource), name) for resource, name in pairs]


def _each(invocation, targets, table, errors):
    """[(target, body)] of what the server has."""
    found = []
    for target in targets:
        try:
            found.append((target, (yield from fetch(invocation, target, table))))
        except ServerError as error:
            if not (not_found(error) and invocation.flags["ignore-not-found"]):
                errors.append(error if target[2] else told_of_list(error, invocation, target[0]))
    return found


def _print_tables(invocation, targets):
    errors, options, flags = [], table_options(invocation.flags), invocation.flags
    found = yield from _each(invocation, targets, True, errors)
    results = [(target[0], sorted_rows(body, flags["sort-by"]) if flags["sort-by"] else body) for target, body in found]
    invocation.write("out", print_tables(results, options))
    if not any(body["rows"] for _, body in results) and not errors and not flags["ignore-not-found"]:
        invocation.write("err", nothing_found([(target[0], None) for target in targets], options, invocation.namespace))
    raise_all(errors)


def _print_objects(invocation, targets):
    errors, flags = [], invocation.flags
    found = yield from _each(invocation, targets, False, errors)
    things = []
    for (resource, _, name), body in found:
        things += [body] if name else [with_kind(item, resource) for item in body["items"]]
    if len(targets) == 1 and targets[0][2]:
        if things:
            show(invocation, format_printer(invocation), things[0])
    else:
        things = sorted_objects(things, flags["sort-by"]) if flags["sort-by"] else things
        show(invocation, format_printer(invocation), as_list(things))
    raise_all(errors)


FLAGS = {**FILES, **SELECTOR, **FIELD_SELECTOR, **ALL_NAMESPACES, **CHUNKS, **PRINTING, "ignore-not-found": boolean(), "label-columns": listing("L"),
         "no-headers": boolean(),
         "output-watch-events": boolean(), "raw": text(), "server-print": boolean(default=True), "show-kind": boolean(), "show-labels": boolean(),
         "sort-by": text(),
         "subresource": text(), "watch": boolean("w"), "watch-only": boolean()}
COMMANDS = {("get",): Command(get, "[(-o|--output=)FORMAT] (TYPE[.VERSION][.GROUP] [NAME | -l label] | TYPE[.VERSION][.GROUP]/NAME ...) [flags]", FLAGS)}
