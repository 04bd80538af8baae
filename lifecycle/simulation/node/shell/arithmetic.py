"""$(( )): whole numbers with C's operators (POSIX shell arithmetic)."""
import re

TOKEN = re.compile(r"\s*(?:(0[xX][0-9a-fA-F]+|\d+)|([A-Za-z_]\w*)|(<<=|>>=|&&|\|\||<<|>>|[<>=!+\-*/%&|^]=|\+\+|--|[-+*/%<>!~&|^?:()=,]))")
LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<=", ">=", "<", ">"), ("<<", ">>"), ("+", "-"), ("*", "/", "%"))


class ArithmeticProblem(Exception):
    """The expression is no arithmetic; the message is as ash prints it."""


def _divided(left, right):
    if right == 0:
        raise ArithmeticProblem("divide by zero")
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


OPERATIONS = {
    "||": lambda a, b: int(bool(a or b)), "&&": lambda a, b: int(bool(a and b)), "|": lambda a, b: a | b, "^": lambda a, b: a ^ b, "&": lambda a, b: a & b,
    "==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b), "<=": lambda a, b: int(a <= b), ">=": lambda a, b: int(a >= b),
    "<": lambda a, b: int(a < b), ">": lambda a, b: int(a > b), "<<": lambda a, b: a << min(b, 63), ">>": lambda a, b: a >> min(b, 63),
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": _divided, "%": lambda a, b: a - b * _divided(a, b)}


def evaluate(text, variables):
    """The number that an expression stands for; assignments change `variables` ({name: text}). Raises ArithmeticProblem."""
    evaluation = Evaluation(text, variables)
    result = evaluation.assignment()
    if evaluation.position < len(evaluation.tokens):
        raise ArithmeticProblem("arithmetic syntax error")
    return result


class Evaluation:
    def __init__(self, text, variables):
        self.tokens, self.position, self.variables = self._tokens(text.strip() or "0"), 0, variables

    @staticmethod
    def _tokens(text):
        found, position = [], 0
        while position < len(text.rstrip()):
            match = TOKEN.match(text, position)
            if not match:
                raise ArithmeticProblem("arithmetic syntax error")
            found.append(match.group().strip())
            position = match.end()
        return found

    def peek(self, offset=0):
        place = self.position + offset
        return self.tokens[place] if place < len(self.tokens) else ""

    def take(self):
        self.position += 1
        return self.tokens[self.position - 1]

    def assignment(self):
        operator = self.peek(1)
        if self.peek()[:1].isidentifier() and operator.endswith("=") and operator not in ("==", "!=", "<=", ">="):
            name = self.take()
            self.take()
            value = self.assignment()
            return self.store(name, value if operator == "=" else OPERATIONS[operator[:-1]](self.number(name), value))
        return self.conditional()

    def conditional(self):
        condition = self.binary(0)
        if self.peek() != "?":
            return condition
        self.take()
        yes = self.assignment()
        if self.peek() != ":":
            raise ArithmeticProblem("arithmetic syntax error")
        self.take()
        no = self.conditional()
        return yes if condition else no

    @staticmethod
    def wrapped(value):
        """The number as 64 bits hold it."""
        return (value + 2**63) % 2**64 - 2**63

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        value = self.binary(level + 1)
        while self.peek() in LEVELS[level]:
            value = self.wrapped(OPERATIONS[self.take()](value, self.binary(level + 1)))
        return value

    def unary(self):
        token = self.peek()
        if token in ("-", "+", "!", "~"):
            self.take()
            value = self.unary()
            return {"-": -value, "+": value, "!": int(not value), "~": ~value}[token]
        if token in ("++", "--"):
            self.take()
            name = self.take()
            return self.store(name, self.number(name) + (1 if token == "++" else -1))
        return self.primary()

    def primary(self):
        if self.position >= len(self.tokens):
            raise ArithmeticProblem("arithmetic syntax error")
        token = self.take()
        if token == "(":
            value = self.assignment()
            if self.peek() != ")":
                raise ArithmeticProblem("arithmetic syntax error")
            self.take()
            return value
        if token[0].isdigit():
            return self.literal(token)
        if not token.isidentifier():
            raise ArithmeticProblem("arithmetic syntax error")
        value = self.number(token)
        if self.peek() in ("++", "--"):
            self.store(token, value + (1 if self.take() == "++" else -1))
        return value

    def number(self, name):
        text = self.variables.get(name, "").strip() or "0"
        return self.literal(text) if text.lstrip("-")[:1].isdigit() else 0

    @staticmethod
    def literal(text):
        try:
            return Evaluation.wrapped(int(text, 8 if re.fullmatch(r"-?0[0-7]+", text) else 0 if text.lower().startswith("0x") else 10))
        except ValueError:
            raise ArithmeticProblem("arithmetic syntax error") from None

    def store(self, name, value):
        self.variables[name] = str(value)
        return value
