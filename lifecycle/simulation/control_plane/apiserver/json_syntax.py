"""Why a text is no JSON, in the words of Go's encoding/json scanner."""
import re

END = "unexpected end of JSON input"
TOO_DEEP = "exceeded max depth"
SPACE = re.compile(r"[ \t\n\r]*")
NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
LITERALS = {"t": "true", "f": "false", "n": "null"}


class _Wrong(Exception):
    """Ends the scan with what was found."""


def problem(text):
    """What is wrong with a text, or None if it is JSON."""
    try:
        at = _value(text, 0)
        _expect_end(text, at)
    except _Wrong as wrong:
        return str(wrong)
    except RecursionError:
        return TOO_DEEP
    return None


def _skip(text, at):
    return SPACE.match(text, at).end()


def _next(text, at):
    """The next visible character, which has to be there."""
    at = _skip(text, at)
    if at >= len(text):
        raise _Wrong(END)
    return at, text[at]


def _invalid(character, where):
    quoted = {"'": "'\\''", '"': "'\"'", "\n": "'\\n'", "\t": "'\\t'"}.get(character, f"'{character}'")
    return _Wrong(f"invalid character {quoted} {where}")


def _expect_end(text, at):
    at = _skip(text, at)
    if at < len(text):
        raise _invalid(text[at], "after top-level value")


def _value(text, at):
    """The place behind the value that begins at or after `at`."""
    at, character = _next(text, at)
    if character == "{":
        return _object(text, at + 1)
    if character == "[":
        return _array(text, at + 1)
    if character == '"':
        return _string(text, at)
    if character in LITERALS:
        return _literal(text, at, LITERALS[character])
    found = NUMBER.match(text, at)
    if not found:
        raise _invalid(character, "looking for beginning of value")
    return found.end()


def _object(text, at):
    at, character = _next(text, at)
    if character == "}":
        return at + 1
    while True:
        at, character = _next(text, at)
        if character != '"':
            raise _invalid(character, "looking for beginning of object key string")
        at, character = _next(text, _string(text, at))
        if character != ":":
            raise _invalid(character, "after object key")
        at, character = _next(text, _value(text, at + 1))
        if character == "}":
            return at + 1
        if character != ",":
            raise _invalid(character, "after object key:value pair")
        at += 1


def _array(text, at):
    at, character = _next(text, at)
    if character == "]":
        return at + 1
    while True:
        at, character = _next(text, _value(text, at))
        if character == "]":
            return at + 1
        if character != ",":
            raise _invalid(character, "after array element")
        at += 1


def _string(text, at):
    found = STRING.match(text, at)
    if found:
        return found.end()
    for place in range(at + 1, len(text)):
        if text[place] < " ":
            raise _invalid(text[place], "in string literal")
        if text[place] == "\\" and text[place + 1:place + 2] not in tuple('"\\/bfnrtu'):
            raise _invalid(text[place + 1:place + 2] or " ", "in string escape code")
    raise _Wrong(END)


def _literal(text, at, word):
    for number, wanted in enumerate(word):
        if at + number >= len(text):
            raise _Wrong(END)
        if text[at + number] != wanted:
            raise _invalid(text[at + number], f"in literal {word} (expecting '{wanted}')")
    return at + len(word)
