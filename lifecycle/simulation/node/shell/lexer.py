"""Splits shell text into words and operators (POSIX shell grammar, token recognition)."""
from typing import NamedTuple

OPERATORS = ("&&", "||", ";;", "<<-", "<<", ">>", ">&", "<&", ">|", "<>", "&", "|", ";", "<", ">", "(", ")", "\n")
BLANK = " \t\r"
STOPS = BLANK + "\n&|;<>()"


class ShellSyntaxError(Exception):
    """The text is no shell program; the message is as ash prints it."""


class Word(NamedTuple):
    """`parts` are (kind, text): "plain", "single" (quoted, literal) or "double" (quoted, with expansions)."""

    parts: tuple

    @property
    def literal(self):
        """The text if nothing in it is quoted, else None: only such words can be keywords."""
        return self.parts[0][1] if len(self.parts) == 1 and self.parts[0][0] == "plain" else None


class Operator(str):
    """One of OPERATORS."""


def tokens(text):
    """The Words and Operators of a text, in order. Raises ShellSyntaxError."""
    found, position, pending = [], 0, []
    while position < len(text):
        char = text[position]
        if char in BLANK:
            position += 1
        elif text.startswith("\\\n", position):
            position += 2
        elif char == "#":
            position = _end_of_line(text, position)
        else:
            operator = next((operator for operator in OPERATORS if text.startswith(operator, position)), None)
            token, position = (Operator(operator), position + len(operator)) if operator else _word(text, position)
            position = _here_documents(text, position, found, token, pending)
    return found


def _here_documents(text, position, found, token, pending):
    """Append a token; after a newline, replace the words that named here-documents by the documents. Returns the new position."""
    if found and found[-1] in ("<<", "<<-") and isinstance(token, Word):
        pending.append((len(found), found[-1] == "<<-"))
    found.append(token)
    if token == "\n":
        for index, strip in pending:
            found[index], position = _document(text, position, found[index], strip)
        pending.clear()
    return position


def _document(text, position, word, strip):
    end = "".join(part for _, part in word.parts)
    lines = []
    while position < len(text):
        stop = _end_of_line(text, position)
        line, position = text[position:stop], stop + 1
        line = line.lstrip("\t") if strip else line
        if line == end:
            break
        lines.append(line + "\n")
    return Word((("double" if word.literal else "single", "".join(lines)),)), position


def _end_of_line(text, position):
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _word(text, position):
    parts, plain = [], ""
    while position < len(text) and text[position] not in STOPS:
        char = text[position]
        if char == "'":
            end = _find(text, "'", position + 1)
            parts, plain = [*parts, ("plain", plain), ("single", text[position + 1:end])], ""
            position = end + 1
        elif char == '"':
            inside, position = double_quoted(text, position + 1)
            parts, plain = [*parts, ("plain", plain), ("double", inside)], ""
        elif char == "\\":
            parts, plain = [*parts, ("plain", plain), ("single", text[position + 1:position + 2])], ""
            position += 2
        elif char in "$`":
            end = expansion_end(text, position)
            plain += text[position:end]
            position = end
        else:
            plain += char
            position += 1
    kept = tuple(part for part in (*parts, ("plain", plain)) if part[1] or part[0] != "plain")
    return Word(kept or (("plain", ""),)), position


def double_quoted(text, position):
    """(text inside double quotes from `position` on, position after the closing quote)"""
    start = position
    while position < len(text) and text[position] != '"':
        if text[position] == "\\":
            position += 2
        elif text[position] in "$`":
            position = expansion_end(text, position)
        else:
            position += 1
    if position >= len(text):
        raise ShellSyntaxError("syntax error: unterminated quoted string")
    return text[start:position], position + 1


def expansion_end(text, position):
    """Where the expansion that begins at `position` with $ or ` ends."""
    if text[position] == "`":
        return _find(text, "`", position + 1) + 1
    if text.startswith("$((", position):
        return _balanced(text, position + 1, "()")
    following = text[position + 1:position + 2]
    if following == "(":
        return _balanced(text, position + 1, "()")
    if following == "{":
        return _balanced(text, position + 1, "{}")
    if following and following in "?$!#@*-0123456789":
        return position + 2
    end = position + 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return end


def _balanced(text, position, pair):
    """The position after the bracket that closes the one at `position`; quotes inside are skipped."""
    depth = 0
    while position < len(text):
        char = text[position]
        if char == "\\":
            position += 1
        elif char == "'":
            position = _find(text, "'", position + 1)
        elif char == '"':
            position = double_quoted(text, position + 1)[1] - 1
        elif char == pair[0]:
            depth += 1
        elif char == pair[1]:
            depth -= 1
            if depth == 0:
                return position + 1
        position += 1
    raise ShellSyntaxError("syntax error: unterminated quoted string")


def _find(text, char, position):
    found = text.find(char, position)
    if found < 0:
        raise ShellSyntaxError("syntax error: unterminated quoted string")
    return found
