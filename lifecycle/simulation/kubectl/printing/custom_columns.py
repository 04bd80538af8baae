"""`-o custom-columns=HEADER:PATH,...` and `-o custom-columns-file=FILE` (kubectl/pkg/cmd/get/customcolumn.go)."""
from lifecycle.simulation.jsonpath import JSONPathError, find_results, parse, relaxed

from .errors import OutputError
from .go_values import go_text
from .tables import MINIMUM, PADDING, escape_terminal
from .tabwriter import align

EXPECTED = "Expected format is one line of space separated headers, one line of space separated column specs."


class CustomColumnsPrinter:
    """Prints one line an object; the header before the first. `columns` are (name, parsed JSONPath)."""

    def __init__(self, columns, headers=True):
        self.columns = columns
        self.headers, self.printed, self.widths = headers, False, []

    def print(self, thing):
        """One object, or every item of a list."""
        lines = ["\t".join([self._cell(nodes, item) for _, nodes in self.columns]) for item in thing.get("items", [thing])]
        if self.headers and not self.printed:
            lines.insert(0, "\t".join([name for name, _ in self.columns]))
        self.printed = True
        return align("".join([f"{line}\n" for line in lines]), MINIMUM, PADDING, self.widths)

    def _cell(self, nodes, thing):
        try:
            results = find_results(nodes, thing)
        except JSONPathError as error:
            raise OutputError(str(error)) from None
        if not results or not results[0]:
            return "<none>"
        return ",".join([escape_terminal(go_text(value)) for values in results for value in values])


def columns_of(specification):
    """The columns of "HEADER:PATH,...". Raises OutputError."""
    if not specification:
        raise OutputError("custom-columns format specified but no custom columns given")
    parts = [part.partition(":") for part in specification.split(",")]
    for name, colon, path in parts:
        if not colon or ":" in path:
            raise OutputError(f"unexpected custom-columns spec: {name}{colon}{path}, expected <header>:<json-path-expr>")
    return [(name, _parsed(path)) for name, _, path in parts]


def columns_of_file(text):
    """The columns of a file: a line of headers, and below it a line of paths. Raises OutputError."""
    lines = text.splitlines()
    if len(lines) < 2:
        raise OutputError(f"invalid template, missing {'spec' if lines else 'header'} line. {EXPECTED}")
    headers, paths = lines[0].split(), lines[1].split()
    if len(headers) != len(paths):
        raise OutputError(f"number of headers ({len(headers)}) and field specifications ({len(paths)}) don't match")
    return [(name, _parsed(path)) for name, path in zip(headers, paths)]


def _parsed(path):
    try:
        return parse(relaxed(path))
    except JSONPathError as error:
        raise OutputError(str(error)) from None
