"""What words become: parameters, command substitution, arithmetic, splitting into fields, file name patterns (POSIX shell word expansions).

Everything here is a generator, because a command substitution can take virtual time; `shell` is the Shell that expands.
"""
import re
from fnmatch import fnmatchcase

from . import arithmetic
from .lexer import double_quoted, expansion_end

PARAMETER = re.compile(r"(#?)([A-Za-z_]\w*|[0-9]+|[?$!#@*-])(?:(:?[-=+?]|%%?|##?)(.*))?", re.DOTALL)


def words(shell, found):
    """The fields of several words."""
    fields = []
    for word in found:
        fields.extend((yield from fields_of(shell, word)))
    return fields


def fields_of(shell, word):
    """The fields that one word becomes: none, one or more."""
    pieces = yield from _pieces(shell, word.parts)
    fields, current, open_field = [], [], False
    for text, quoted in pieces:
        if quoted is not None:
            current.append((text, quoted))
            open_field = True
            continue
        split = text.split()
        if text[:1].isspace() and open_field:
            fields, current, open_field = [*fields, current], [], False
        for number, part in enumerate(split):
            if number and open_field:
                fields, current = [*fields, current], []
            current.append((part, False))
            open_field = True
        if text[-1:].isspace() and split:
            fields, current, open_field = [*fields, current], [], False
    if open_field:
        fields.append(current)
    return [name for field in fields for name in _paths(shell, field)]


def text_of(shell, word):
    """The word as one text: no splitting, no file names (assignments, redirections, case)."""
    pieces = yield from _pieces(shell, word.parts)
    return "".join(text for text, _ in pieces)


def pattern_of(shell, word):
    """The word as a pattern for `case`: what is quoted stands for itself."""
    pieces = yield from _pieces(shell, word.parts)
    return "".join(_escaped(text) if quoted else text for text, quoted in pieces)


def _escaped(text):
    return re.sub(r"([*?[])", r"[\1]", text)


def _paths(shell, field):
    """The file names that match a field with an unquoted pattern, else the field itself."""
    text = "".join(text for text, _ in field)
    if not any(not quoted and set(part) & set("*?[") for part, quoted in field):
        return [text]
    pattern = "".join(_escaped(part) if quoted else part for part, quoted in field)
    return shell.files.matching(pattern, shell.cwd) or [text]


def _pieces(shell, parts):
    """[(text, quoted)]: quoted is True or False for what the word itself says, None for an unquoted expansion's result, which is to be split."""
    pieces = []
    for kind, text in parts:
        if kind == "single":
            pieces.append((text, True))
        elif kind == "plain":
            for literal, value in (yield from _expanded(shell, text, quoted=False)):
                pieces.append((value, False if literal else None))
            if pieces and text.startswith("~") and pieces[0][0].startswith("~"):
                pieces[0] = (shell.variables.get("HOME", "/root") + pieces[0][0][1:], False)
        else:
            found = yield from _expanded(shell, text, quoted=True)
            pieces.append(("".join(value for _, value in found), True))
    return pieces


def _expanded(shell, text, quoted):
    """[(whether it was literal, text)] of a text with expansions."""
    found, position, literal = [], 0, ""
    while position < len(text):
        char = text[position]
        if char == "\\" and quoted:
            following = text[position + 1:position + 2]
            literal += following if following in '$`"\\' else "" if following == "\n" else char + following
            position += 2
            continue
        end = expansion_end(text, position) if char in "$`" else position + 1
        if char not in "$`" or end == position + 1:
            literal += char
        else:
            found, literal = [*found, (True, literal), (False, (yield from _expansion(shell, text[position:end])))], ""
        position = end
    return [*found, (True, literal)]


def _expansion(shell, text):
    """The value of one expansion such as $x, ${x:-y}, $(cmd), $((1+1))."""
    if text.startswith("$(("):
        inner = yield from _flat(shell, text[3:-2])
        return str(arithmetic.evaluate(inner, shell.variables))
    if text.startswith(("$(", "`")):
        return (yield from shell.substitute(text[2:-1] if text[0] == "$" else text[1:-1].replace("\\`", "`")))
    if text.startswith("${"):
        return (yield from _parameter(shell, text[2:-1]))
    return shell.parameter(text[1:]) or ""


def _flat(shell, text):
    pieces = yield from _expanded(shell, text, quoted=True)
    return "".join(value for _, value in pieces)


def _parameter(shell, text):
    """The value inside ${ }."""
    match = PARAMETER.fullmatch(text)
    if not match:
        shell.complain("bad substitution")
    length, name, operator, argument = match.groups()
    value = shell.parameter(name)
    if length:
        return str(len(value or ""))
    if not operator:
        return value or ""
    absent = value is None or operator.startswith(":") and value == ""
    return (yield from _modified(shell, name, value or "", operator.lstrip(":"), argument, absent))


def _modified(shell, name, value, operator, argument, absent):
    if operator == "+":
        return "" if absent else (yield from _flat(shell, _unquoted(argument)))
    if operator in ("-", "=", "?"):
        if not absent:
            return value
        text = yield from _flat(shell, _unquoted(argument))
        if operator == "=":
            shell.assign(name, text)
        if operator == "?":
            shell.complain(f"{name}: {text or 'parameter not set'}")
        return text
    pattern = yield from _flat(shell, argument)
    return _trimmed(value, operator, pattern)


def _unquoted(text):
    """A default value without the quotes around it."""
    if text.startswith('"') and double_quoted(text, 1)[1] == len(text):
        return text[1:-1]
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text


def _trimmed(value, operator, pattern):
    """${x#p}, ${x##p}, ${x%p}, ${x%%p}."""
    lengths = range(len(value) + 1)
    ends = operator[0] == "%"
    for length in reversed(lengths) if len(operator) == 2 else lengths:
        part = value[len(value) - length:] if ends else value[:length]
        if fnmatchcase(part, pattern):
            return value[:len(value) - length] if ends else value[length:]
    return value
