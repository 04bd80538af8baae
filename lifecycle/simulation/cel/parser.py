"""From text to a tree of tuples: (operator, operand, ...); leaves are ("value", v) and ("name", n)."""
import re

from .errors import CelError

TOKEN = re.compile(r"""\s*(?:
    (?P<number>\d+\.\d+(?:e[+-]?\d+)?|0x[0-9a-fA-F]+|\d+)u?
  | (?P<text>[rR]?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<symbol>&&|\|\||==|!=|<=|>=|[-+*/%<>!?:.,()\[\]{}])
)""", re.VERBOSE)
LEVELS = (("||",), ("&&",), ("==", "!=", "<=", ">=", "<", ">", "in"), ("+", "-"), ("*", "/", "%"))
WORDS = {"true": True, "false": False, "null": None}
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def parse(text):
    """The tree of an expression. Raises CelError."""
    parser = _Parser(_tokens(text))
    tree = parser.ternary()
    if parser.peek() is not None:
        raise CelError(f"Syntax error: mismatched input '{parser.peek()[1]}' expecting <EOF>")
    return tree


def _tokens(text):
    found, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise CelError(f"Syntax error: token recognition error at: '{text[at:].strip()[:1]}'")
        found.append((match.lastgroup, match.group(match.lastgroup)))
        at = match.end()
    return found


class _Parser:
    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self):
        token = self.peek()
        if token is None:
            raise CelError("Syntax error: unexpected end of expression")
        self.at += 1
        return token

    def accept(self, *words):
        """The next token's text if it is one of these, else None."""
        token = self.peek()
        if token is not None and token[0] in ("symbol", "name") and token[1] in words:
            self.at += 1
            return token[1]
        return None

    def expect(self, word):
        if not self.accept(word):
            raise CelError(f"Syntax error: missing '{word}'")

    def ternary(self):
        condition = self.binary(0)
        if not self.accept("?"):
            return condition
        yes = self.binary(0)
        self.expect(":")
        return ("?:", condition, yes, self.ternary())

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        tree = self.binary(level + 1)
        while operator := self.accept(*LEVELS[level]):
            tree = (operator, tree, self.binary(level + 1))
        return tree

    def unary(self):
        if operator := self.accept("!", "-"):
            return ("not" if operator == "!" else "negative", self.unary())
        return self.member(self.primary())

    def member(self, tree):
        """Selections, indexes and method calls behind something."""
        while symbol := self.accept(".", "["):
            if symbol == "[":
                tree = ("index", tree, self.ternary())
                self.expect("]")
                continue
            name = self.take()[1]
            tree = ("method", name, tree, *self.arguments()) if self.accept("(") else ("field", tree, name)
        return tree

    def primary(self):
        kind, text = self.take()
        if kind == "number":
            return ("value", float(text) if "." in text else int(text, 0))
        if kind == "text":
            return ("value", _string(text))
        if kind == "name":
            return self.named(text)
        return self.bracketed(text)

    def named(self, text):
        if text in WORDS:
            return ("value", WORDS[text])
        return ("call", text, *self.arguments()) if self.accept("(") else ("name", text)

    def bracketed(self, symbol):
        if symbol == "(":
            tree = self.ternary()
            self.expect(")")
            return tree
        if symbol == "[":
            return ("list", *self.until("]"))
        if symbol == "{":
            return ("map", *self.entries())
        raise CelError(f"Syntax error: unexpected '{symbol}'")

    def arguments(self):
        return self.until(")")

    def until(self, closing):
        found = []
        while not self.accept(closing):
            found.append(self.ternary())
            if not self.accept(","):
                self.expect(closing)
                break
        return found

    def entries(self):
        found = []
        while not self.accept("}"):
            key = self.ternary()
            self.expect(":")
            found.append((key, self.ternary()))
            if not self.accept(","):
                self.expect("}")
                break
        return found


def _string(text):
    if text[0] in "rR":
        return text[2:-1]
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match.group(1), match.group(1)), text[1:-1])
