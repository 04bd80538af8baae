"""`-o go-template=TEMPLATE`: the part of Go's text/template that people use to print objects.

Fields, variables, pipelines, `if`, `else`, `range`, `with`, `end`, and the functions of FUNCTIONS. Anything else is an OutputError.
"""
import re
from typing import NamedTuple

from .errors import OutputError
from .go_template_values import FUNCTIONS, is_true
from .go_values import go_text

ACTION = re.compile(r"\{\{(- )?(.*?)( -)?\}\}", re.DOTALL)
TOKEN = re.compile(r"""\s*(:=|[(|,]|\)(?:\.[\w-]+)*|"(?:\\.|[^"\\])*"|`[^`]*`|-?\d+(?:\.\d+)?|\$\w*(?:\.\w+)*|(?:\.[\w-]*)+|[A-Za-z_]\w*)""")


class Block(NamedTuple):
    """`{{if}}`, `{{range}}` or `{{with}}`: `body` is what holds, `otherwise` what stands behind `{{else}}`."""

    word: str
    tokens: tuple
    body: list
    otherwise: list


class GoTemplate:
    """Prints objects through a template."""

    def __init__(self, template, allow_missing=True):
        self.template, self.allow_missing = template, allow_missing
        self.nodes, rest = self._parse(self._tokens(template))
        if rest is not None:
            raise self._error(f"unexpected {{{{{rest[0]}}}}}")

    def print(self, thing):
        return self._run(self.nodes, thing, {"$": thing})

    # -- reading ---------------------------------------------------------------------------------------------------------------
    def _tokens(self, template):
        """Texts and actions in order; an action is a tuple of its tokens."""
        position, trim = 0, False
        for match in ACTION.finditer(template):
            text = template[position:match.start()]
            text = text.lstrip() if trim else text
            yield text.rstrip() if match[1] else text
            position, trim = match.end(), bool(match[3])
            if not match[2].strip().startswith("/*"):
                yield self._action(match[2].strip())
        if "{{" in template[position:]:
            raise self._error("unclosed action")
        yield template[position:].lstrip() if trim else template[position:]

    def _action(self, text):
        tokens, position = [], 0
        while position < len(text):
            match = TOKEN.match(text, position)
            if match is None:
                raise self._error(f'unexpected "{text[position]}" in command')
            tokens.append(match[1])
            position = match.end()
        return tuple(tokens)

    def _parse(self, tokens):
        """(nodes up to `{{end}}` or `{{else}}`, the action that ended them or None)."""
        nodes = []
        for token in tokens:
            if isinstance(token, str):
                nodes.append(token)
            elif token[:1] in (("end",), ("else",)):
                return nodes, token
            elif token[:1] in (("if",), ("range",), ("with",)):
                nodes.append(self._block(token, tokens))
            else:
                nodes.append(token)
        return nodes, None

    def _block(self, token, tokens):
        body, ended = self._parse(tokens)
        otherwise = []
        if ended and ended[:2] == ("else", "if"):
            return Block(token[0], token[1:], body, [self._block(ended[1:], tokens)])
        if ended == ("else",):
            otherwise, ended = self._parse(tokens)
        if ended != ("end",):
            raise self._error("unexpected EOF")
        return Block(token[0], token[1:], body, otherwise)

    def _error(self, text):
        return OutputError(f"error parsing template {self.template}, template: output:1: {text}")

    # -- running ---------------------------------------------------------------------------------------------------------------
    def _run(self, nodes, dot, names):
        return "".join([self._text(node, dot, names) for node in nodes])

    def _text(self, node, dot, names):
        if isinstance(node, str):
            return node
        return self._block_text(node, dot, names) if isinstance(node, Block) else self._value_text(node, dot, names)

    def _value_text(self, tokens, dot, names):
        if tokens[1:2] == (":=",):
            names[tokens[0]] = self.pipeline(tokens[2:], dot, names)
            return ""
        value = self.pipeline(tokens, dot, names)
        return "<no value>" if value is None else go_text(value)

    def _block_text(self, block, dot, names):
        tokens, declared = block.tokens, []
        if ":=" in tokens:
            place = tokens.index(":=")
            declared, tokens = [token for token in tokens[:place] if token != ","], tokens[place + 1:]
        value = self.pipeline(tokens, dot, names)
        if not is_true(value):
            return self._run(block.otherwise, dot, dict(names))
        if block.word == "range":
            return self._range(block, value, declared, names)
        return self._run(block.body, value if block.word == "with" else dot, {**names, **dict.fromkeys(declared[:1], value)})

    def _range(self, block, value, declared, names):
        pairs = [(key, value[key]) for key in sorted(value)] if isinstance(value, dict) else list(enumerate(value))
        texts = []
        for pair in pairs:
            own = dict(zip(declared, pair if len(declared) == 2 else pair[1:]))
            texts.append(self._run(block.body, pair[1], {**names, **own}))
        return "".join(texts)

    def pipeline(self, tokens, dot, names):
        value, first = None, True
        for command in _split(tokens):
            value = self._command(command, dot, names, () if first else (value,))
            first = False
        return value

    def _command(self, tokens, dot, names, last):
        values = _Arguments(self, tokens, dot, names)
        if tokens and tokens[0] in FUNCTIONS:
            return self._call(tokens[0], [*values.after(1), *last])
        found = values.after(0)
        if len(found) != 1 or last:
            raise OutputError(f"error executing template \"{self.template}\": can't give argument to non-function {' '.join(tokens)}")
        return found[0]

    def _call(self, name, arguments):
        try:
            return FUNCTIONS[name](*arguments)
        except (TypeError, ValueError, KeyError, IndexError) as error:
            raise OutputError(f'error executing template "{self.template}": error calling {name}: {error}') from None

    def operand(self, token, dot, names):
        """The value of one token that is no function."""
        if token[0] in "\"`":
            return token[1:-1].encode().decode("unicode_escape") if token[0] == '"' else token[1:-1]
        if token in ("true", "false", "nil"):
            return {"true": True, "false": False, "nil": None}[token]
        if token[0] == "$":
            name, _, path = token.partition(".")
            if name not in names:
                raise self._error(f'undefined variable "{name}"')
            return self.field(names[name], path)
        if token[0] == ".":
            return self.field(dot, token[1:])
        if token.lstrip("-")[0].isdigit():
            return float(token) if "." in token else int(token)
        raise self._error(f'function "{token}" not defined')

    def field(self, value, path):
        for name in [part for part in path.split(".") if part]:
            if value is None:
                return None
            if not isinstance(value, dict):
                raise OutputError(f"error executing template \"{self.template}\": can't evaluate field {name} in type interface {{}}")
            if name not in value and not self.allow_missing:
                raise OutputError(f'error executing template "{self.template}": map has no entry for key "{name}"')
            value = value.get(name)
        return value


class _Arguments:
    """The values of a command's tokens, with parentheses as pipelines of their own."""

    def __init__(self, template, tokens, dot, names):
        self.template, self.tokens, self.dot, self.names = template, tokens, dot, names

    def after(self, place):
        """The values from the token at `place` on."""
        values = []
        while place < len(self.tokens):
            if self.tokens[place] == "(":
                end = _closing(self.tokens, place)
                value = self.template.pipeline(self.tokens[place + 1:end], self.dot, self.names)
                values.append(self.template.field(value, self.tokens[end][1:]))
                place = end
            else:
                values.append(self.template.operand(self.tokens[place], self.dot, self.names))
            place += 1
        return values


def _closing(tokens, place):
    depth = 0
    for position in range(place, len(tokens)):
        depth += _nesting(tokens[position])
        if depth == 0:
            return position
    raise OutputError("unclosed left paren")


def _nesting(token):
    return {"(": 1, ")": -1}.get(token[0], 0)


def _split(tokens):
    """The commands of a pipeline."""
    commands, depth = [[]], 0
    for token in tokens:
        depth += _nesting(token)
        if token == "|" and not depth:
            commands.append([])
        else:
            commands[-1].append(token)
    return commands
