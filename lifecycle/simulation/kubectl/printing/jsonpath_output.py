"""`-o jsonpath=TEMPLATE` (cli-runtime/pkg/printers/jsonpath.go)."""
from lifecycle.simulation.jsonpath import JSONPathError, find_results, parse

from .errors import OutputError
from .go_values import go_syntax, go_text
from .json_text import to_compact_json, to_json


class JSONPathPrinter:
    """Prints what a template finds: maps and lists as JSON, several values separated by spaces, no line end of its own."""

    def __init__(self, template, allow_missing=True, as_json=False):
        self.template, self.allow_missing, self.as_json = template, allow_missing, as_json
        try:
            self.nodes = parse(template)
        except JSONPathError as error:
            raise OutputError(f"error parsing jsonpath {template}, {error}") from None

    def print(self, thing):
        try:
            results = find_results(self.nodes, thing, self.allow_missing)
        except JSONPathError as error:
            raise OutputError(self._failure(error, thing)) from None
        if self.as_json:
            return "".join([to_json(values) + "\n" for values in results])
        return "".join([" ".join([_text(value) for value in values]) for values in results])

    def _failure(self, error, thing):
        return (f'error executing jsonpath "{self.template}": Error executing template: {error}. Printing more information for debugging the template:\n'
                f"\ttemplate was:\n\t\t{self.template}\n\tobject given to jsonpath engine was:\n\t\t{go_syntax(thing)}\n\n")


def _text(value):
    return to_compact_json(value) if isinstance(value, (dict, list)) else go_text(value)
