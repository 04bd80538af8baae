"""Parses shell text into a tree of commands (POSIX shell grammar)."""
import re
from functools import lru_cache

from .lexer import Operator, ShellSyntaxError, Word, tokens
from .tree import AndOr, Case, For, Function, Group, If, Loop, Pipeline, Redirected, Sequence, Simple

ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
REDIRECTIONS = ("<", ">", ">>", "<<", "<<-", ">&", "<&", ">|", "<>")
CLOSERS = ("then", "fi", "do", "done", "elif", "else", "esac", "}", "in")


@lru_cache(1024)
def parse(text):
    """The Sequence that a text is. Raises ShellSyntaxError."""
    return Parser(tokens(text)).program()


class Parser:
    def __init__(self, stream):
        self.stream, self.position = stream, 0

    # -- tokens ------------------------------------------------------------------------------------------------------------
    @property
    def token(self):
        return self.stream[self.position] if self.position < len(self.stream) else None

    def operator(self, *wanted):
        return isinstance(self.token, Operator) and self.token in wanted

    def keyword(self, *wanted):
        return isinstance(self.token, Word) and self.token.literal in wanted

    def take(self):
        token = self.token
        self.position += 1
        return token

    def expect(self, word):
        if not (self.keyword(word) or self.operator(word)):
            self.fail(word)
        return self.take()

    def fail(self, wanted=None):
        token = self.token
        shown = "end of file" if token is None else "newline" if token == "\n" else f'"{token if isinstance(token, Operator) else token.literal or "word"}"'
        raise ShellSyntaxError(f"syntax error: unexpected {shown}" + (f' (expecting "{wanted}")' if wanted else ""))

    def newlines(self):
        while self.operator("\n"):
            self.take()

    # -- lists -------------------------------------------------------------------------------------------------------------
    def program(self):
        result = self.sequence()
        if self.token is not None:
            self.fail()
        return result

    def sequence(self):
        """Commands until a token that closes a compound command."""
        items = []
        while True:
            while self.operator("\n", ";"):
                self.take()
            if self.token is None or self.keyword(*CLOSERS) or self.operator(")", ";;"):
                return Sequence(tuple(items))
            command = self.and_or()
            background = self.operator("&")
            if background or self.operator(";", "\n"):
                self.take()
            elif self.token is not None and not self.operator(")", ";;") and not self.keyword(*CLOSERS):
                self.fail()
            items.append((command, background))

    def and_or(self):
        first, rest = self.pipeline(), []
        while self.operator("&&", "||"):
            operator = str(self.take())
            self.newlines()
            rest.append((operator, self.pipeline()))
        return AndOr(first, tuple(rest)) if rest else first

    def pipeline(self):
        negated = False
        while self.keyword("!"):
            self.take()
            negated = not negated
        commands = [self.command()]
        while self.operator("|"):
            self.take()
            self.newlines()
            commands.append(self.command())
        return Pipeline(tuple(commands), negated) if negated or len(commands) > 1 else commands[0]

    # -- commands ----------------------------------------------------------------------------------------------------------
    def command(self):
        compound = {"if": self.if_, "while": self.loop, "until": self.loop, "for": self.for_, "case": self.case, "{": self.braces}
        word = self.token.literal if isinstance(self.token, Word) else None
        if word in compound:
            return self.redirected(compound[word]())
        if self.operator("("):
            self.take()
            body = self.sequence()
            self.expect(")")
            return self.redirected(Group(body, True))
        return self.simple()

    def redirected(self, command):
        redirections = self.redirections()
        return Redirected(command, redirections) if redirections else command

    def redirections(self):
        found = []
        while True:
            redirection = self.redirection()
            if redirection is None:
                return tuple(found)
            found.append(redirection)

    def redirection(self):
        """(descriptor, operator, target) or None."""
        number = None
        following = self.stream[self.position + 1] if self.position + 1 < len(self.stream) else None
        if isinstance(self.token, Word) and self.token.literal in ("0", "1", "2") and isinstance(following, Operator) and following in REDIRECTIONS:
            number = int(self.take().literal)
        if not self.operator(*REDIRECTIONS):
            return None
        operator = str(self.take())
        if not isinstance(self.token, Word):
            self.fail()
        return (0 if operator.startswith("<") else 1) if number is None else number, operator, self.take()

    def simple(self):
        assignments, words, redirections = [], [], []
        while True:
            redirection = self.redirection()
            if redirection:
                redirections.append(redirection)
            elif isinstance(self.token, Word):
                self.word(assignments, words)
            elif self.operator("(") and len(words) == 1 and not assignments:
                return self.function(words[0].literal)
            else:
                break
        if not (assignments or words or redirections):
            self.fail()
        return Simple(tuple(assignments), tuple(words), tuple(redirections))

    def word(self, assignments, words):
        token = self.take()
        kind, text = token.parts[0]
        found = ASSIGNMENT.match(text) if kind == "plain" and not words else None
        if not found:
            words.append(token)
            return
        rest = tuple(part for part in (("plain", text[found.end():]), *token.parts[1:]) if part[1] or part[0] != "plain")
        assignments.append((found.group()[:-1], Word(rest or (("plain", ""),))))

    def function(self, name):
        self.take()
        self.expect(")")
        self.newlines()
        return Function(name, self.command())

    def if_(self):
        branches, otherwise = [], None
        while self.keyword("if", "elif"):
            self.take()
            condition = self.sequence()
            self.expect("then")
            branches.append((condition, self.sequence()))
        if self.keyword("else"):
            self.take()
            otherwise = self.sequence()
        self.expect("fi")
        return If(tuple(branches), otherwise)

    def loop(self):
        until = self.take().literal == "until"
        condition = self.sequence()
        return Loop(condition, self.do(), until)

    def do(self):
        self.expect("do")
        body = self.sequence()
        self.expect("done")
        return body

    def for_(self):
        self.take()
        name, words = self.take().literal, None
        self.newlines()
        if self.keyword("in"):
            self.take()
            words = []
            while isinstance(self.token, Word):
                words.append(self.take())
            words = tuple(words)
        while self.operator(";", "\n"):
            self.take()
        return For(name, words, self.do())

    def case(self):
        self.take()
        subject, branches = self.take(), []
        self.newlines()
        self.expect("in")
        self.newlines()
        while not self.keyword("esac"):
            branches.append(self.branch())
            self.newlines()
        self.take()
        return Case(subject, tuple(branches))

    def branch(self):
        if self.operator("("):
            self.take()
        patterns = [self.take()]
        while self.operator("|"):
            self.take()
            patterns.append(self.take())
        self.expect(")")
        body = self.sequence()
        if self.operator(";;"):
            self.take()
        return tuple(patterns), body

    def braces(self):
        self.take()
        body = self.sequence()
        self.expect("}")
        return Group(body, False)
