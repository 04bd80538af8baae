"""Tables of the API server as kubectl prints them (cli-runtime/pkg/printers/tableprinter.go, kubectl/pkg/cmd/get/get.go)."""
from typing import NamedTuple

from lifecycle.simulation.label_text import pairs

from .tabwriter import align

MINIMUM, PADDING = 6, 3
LINE_BREAKS = "\f\n\r"


class Options(NamedTuple):
    """What the flags of `kubectl get` say about columns. `wide` is `-o wide`, `labels` the keys given with `-L`, `namespace` is `-A`."""

    wide: bool = False
    headers: bool = True
    namespace: bool = False
    kinds: bool = False
    labels: tuple = ()
    show_labels: bool = False
    events: bool = False


class Printer:
    """Prints the tables of one resource one after the other: the header once, columns that never become narrower."""

    def __init__(self, options, kind=""):
        """`kind` is "deployment.apps" or "pod": what stands before the name if `options.kinds`."""
        self.options, self.kind = options, kind
        self.columns, self.widths, self.begun = [], [], False

    def lines(self, table, event=None):
        """The rows of a Table as lines without alignment (cells separated by tabs), the header before the first of all rows.

        `event` is the type of the watch event that brought the table.
        """
        if table.get("columnDefinitions"):
            self.columns = table["columnDefinitions"]
        lines = [self._row(row, event) for row in table["rows"]]
        if lines and self.options.headers and not self.begun:
            lines.insert(0, "\t".join(self._header()))
        self.begun = self.begun or bool(lines)
        return lines

    def print(self, table, event=None):
        """The rows of a Table as text, aligned with everything this printer has printed before."""
        return self.aligned(self.lines(table, event))

    def aligned(self, lines):
        """Lines with aligned columns, each with its line end."""
        return align("".join([f"{line}\n" for line in lines]), MINIMUM, PADDING, self.widths)

    def _header(self):
        options = self.options
        names = ["EVENT"] if options.events else []
        names += ["NAMESPACE"] if options.namespace else []
        names += [column["name"].upper() for column in self.columns if options.wide or not column["priority"]]
        names += [label.rpartition("/")[2].upper() for label in options.labels]
        return names + (["LABELS"] if options.show_labels else [])

    def _row(self, row, event):
        options, meta = self.options, (row.get("object") or {}).get("metadata", {})
        cells = [f"{event:<8}"] if options.events else []
        cells += [meta.get("namespace", "")] if options.namespace else []
        cells += [self._cell(column, cell) for column, cell in zip(self.columns, row["cells"]) if options.wide or not column["priority"]]
        labels = meta.get("labels") or {}
        cells += [labels.get(label, "") for label in options.labels]
        return "\t".join(cells + ([pairs(labels)] if options.show_labels else []))

    def _cell(self, column, cell):
        text = cell_text(cell)
        return f"{self.kind}/{text}" if self.options.kinds and column["format"] == "name" and column["name"] == "Name" else text


def cell_text(cell):
    """One cell: a string up to its first line break, anything else as Go prints it."""
    if cell is None:
        return ""
    if not isinstance(cell, str):
        return str(cell).lower() if isinstance(cell, bool) else str(cell)
    ends = [position for position in map(cell.find, LINE_BREAKS) if position >= 0]
    return escape_terminal(f"{cell[:min(ends)]}..." if ends else cell)


def escape_terminal(text):
    """Text whose control characters cannot move the cursor."""
    return text.replace("\x1b", "^[").replace("\r", "\\r")


def print_tables(results, options):
    """Everything that one `kubectl get` prints on standard output.

    `results` are (resource, table) in the order in which they are to be printed, a `resource` having `singular`, `group` and `namespaced`; tables of the same
    resource that follow each other share one header. Kinds are printed if there is more than one resource, or if the options say so.
    """
    several = len({qualified_singular(resource) for resource, _ in results}) > 1
    texts, printer, lines, last = [], None, [], None
    for resource, table in results:
        if last is not resource:
            texts.append(printer.aligned(lines) if lines else "")
            own = options._replace(kinds=options.kinds or several, namespace=options.namespace and resource.namespaced)
            printer, lines, last = Printer(own, qualified_singular(resource)), [], resource
        lines += printer.lines(table)
    texts.append(printer.aligned(lines) if lines else "")
    return ("\n" if options.headers else "").join([text for text in texts if text])


def qualified_singular(resource):
    """"pod", "deployment.apps": a resource's name as it stands before an object's name."""
    return f"{resource.singular}.{resource.group}" if resource.group else resource.singular


def nothing_found(results, options, namespace):
    """What kubectl says on standard error when it found nothing."""
    if options.namespace or any(not resource.namespaced for resource, _ in results):
        return "No resources found\n"
    return f"No resources found in {namespace} namespace.\n"
