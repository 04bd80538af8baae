"""`-o custom-columns=HEADER:PATH,...` (kubectl/pkg/cmd/get/customcolumn.go)."""
from lifecycle.simulation.jsonpath import JSONPathError, find_results, parse, relaxed

from .errors import OutputError
from .go_values import go_text
from .tables import MINIMUM, PADDING, escape_terminal
from .tabwriter import align


class CustomColumnsPrinter:
    """Prints one line an object; the header before the first."""

    def __init__(self, specification, headers=True):
        if not specification:
            raise OutputError("custom-columns format specified but no custom columns given")
        self.columns = [_column(part) for part in specification.split(",")]
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


def _column(part):
    name, colon, path = part.partition(":")
    if not colon or ":" in path:
        raise OutputError(f"unexpected custom-columns spec: {part}, expected <header>:<json-path-expr>")
    try:
        return name, parse(relaxed(path))
    except JSONPathError as error:
        raise OutputError(str(error)) from None
