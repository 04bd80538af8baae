"""The language of label selectors on the command line and in URLs: "a=b,c!=d,e in (x, y),!f" (apimachinery/pkg/labels/selector.go)."""
import re

from lifecycle.simulation.label_syntax import label_value_problems, qualified_name_problems

_TOKENS = re.compile(r"\s*(?:(==|!=|[=!<>,()])|([^\s=!<>,()]+))")
_OPERATORS = {"=": "In", "==": "In", "in": "In", "!=": "NotIn", "notin": "NotIn", ">": "Gt", "<": "Lt"}
_BINARY = "in, notin, =, ==, !=, gt, lt"


class SelectorError(ValueError):
    """The text is no selector; the message is the API server's own."""


def parsed_requirements(text):
    """A list of (key, operator, values) with the operators of LabelSelectorRequirement. Raises SelectorError."""
    parser = _Parser(text)
    requirements = []
    while parser.ahead():
        if not parser.is_identifier() and parser.ahead() != "!":
            raise SelectorError(f"found '{parser.ahead()}', expected: !, identifier, or 'end of string'")
        try:
            requirements.append(parser.requirement())
        except SelectorError as error:
            raise SelectorError(f"unable to parse requirement: {error}") from None
        parser.comma()
    return requirements


class _Parser:
    """Tokens of a selector's text, read from the left; "" is the end."""

    def __init__(self, text):
        self.tokens = [symbol or word for symbol, word in _TOKENS.findall(text)]
        self.place = 0

    def ahead(self):
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self):
        token = self.ahead()
        self.place += 1
        return token

    def is_identifier(self):
        return _is_identifier(self.ahead())

    def comma(self):
        """What follows a requirement: the end, or a comma and another requirement."""
        token = self.take()
        if token not in ("", ","):
            raise SelectorError(f"found '{token}', expected: ',' or 'end of string'")
        if token == "," and not self.is_identifier() and self.ahead() != "!":
            raise SelectorError(f"found '{self.ahead()}', expected: identifier after ','")

    def requirement(self):
        absent = self.ahead() == "!" and bool(self.take())
        key = self.take()
        if not _is_identifier(key):
            raise SelectorError(f"found '{key}', expected: identifier")
        _check_key(key)
        if absent or self.ahead() in ("", ","):
            return key, "DoesNotExist" if absent else "Exists", ()
        symbol = self.take()
        if symbol not in _OPERATORS:
            raise SelectorError(f"found '{symbol}', expected: {_BINARY}")
        values = self.values() if symbol in ("in", "notin") else [self.value()]
        _check_values(key, symbol, values)
        return key, _OPERATORS[symbol], values

    def value(self):
        if self.ahead() in ("", ","):
            return ""
        token = self.take()
        if not _is_identifier(token):
            raise SelectorError(f"found '{token}', expected: identifier")
        return token

    def values(self):
        """"(a, b)": a list in parentheses, in which an empty place is an empty value."""
        token = self.take()
        if token != "(":
            raise SelectorError(f"found '{token}' expected: '('")
        if self.ahead() != ")" and self.ahead() != "," and not self.is_identifier():
            raise SelectorError(f"found '{self.ahead()}', expected: ',', ')' or identifier")
        values = []
        while self.ahead() != ")":
            values.append(self.take() if self.is_identifier() else "")
            if self.ahead() == ",":
                self.take()
                if self.ahead() == ")":
                    values.append("")
            elif self.ahead() != ")":
                raise SelectorError(f"found '{self.ahead()}', expected: ',' or ')'")
        self.take()
        return sorted(set(values))


def _is_identifier(token):
    return token != "" and token[0] not in "=!<>,()"


def _check_key(key):
    problems = qualified_name_problems(key)
    if problems:
        raise SelectorError(f'key: Invalid value: "{key}": {"; ".join(problems)}')


def _check_values(key, symbol, values):
    if symbol in ("in", "notin") and not values:
        raise SelectorError("values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty")
    if symbol in "<>" and not re.fullmatch(r"[-+]?[0-9]+", values[0]):
        raise SelectorError(f'values[0]: Invalid value: "{values[0]}": for \'Gt\', \'Lt\' operators, the value must be an integer')
    for place, text in enumerate(values):
        problems = label_value_problems(text)
        if problems:
            raise SelectorError(f'values[{place}][{key}]: Invalid value: "{text}": {"; ".join(problems)}')
