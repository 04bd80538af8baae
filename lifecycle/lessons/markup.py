"""The part of Markdown that lessons are written in, with links to the glossary, the components and the documents."""
import re
from functools import lru_cache

from markdown_it import MarkdownIt

from .kinds import is_kind

PAGES = {"glossary": "/glossary/#{}", "component": "/components/#{}", "statement": "/documents/#{}"}
KIND = '<button type="button" class="plainly kind" data-kind="{0}" aria-describedby="kind-help"><code>{0}</code></button>'
GLUED = re.compile("(?<=[(（“])(?=<button)|(?<=</button>)(?=[,.;:?)，。；：？！）、”])")        # between a button and such signs a line may not break
SHORT = 24                     # letters of code that a line does not break at a hyphen
WORD_JOINER = "\u2060"
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@lru_cache(4096)
def block(text, kinds=False):
    """A text of paragraphs, lists and tables as HTML. What looks like HTML in it is shown, not obeyed.

    With `kinds` the names of kinds of messages are buttons (see static/js/lesson.js): for a page that has a diagram.
    """
    return _rendered(_markdown.parse(text), kinds)


@lru_cache(4096)
def inline(text, kinds=False):
    """One line as HTML, without a paragraph around it."""
    return _rendered(_markdown.parseInline(text), kinds)


def _rendered(tokens, kinds):
    linked = False
    for token in _all(tokens):
        linked = token.type == "link_open" or linked and token.type != "link_close"
        if token.type == "link_open":
            kind, _, id = token.attrs["href"].partition(":")
            if kind in PAGES:
                token.attrs = {"href": PAGES[kind].format(id), "class": "term"}
        elif kinds and not linked and token.type == "code_inline" and is_kind(token.content):
            token.type, token.content = "html_inline", KIND.format(token.content)
        elif token.type == "code_inline" and "-" in token.content and len(token.content) <= SHORT:
            token.attrs = {"class": "whole"}
    return GLUED.sub(WORD_JOINER, _markdown.renderer.render(tokens, _markdown.options, {}))


def targets(text):
    """(kind, id) of every link of a text: ("glossary", "pod"), ("https", "//...")."""
    return [tuple(token.attrs["href"].partition(":")[::2]) for token in _all(_markdown.parse(text)) if token.type == "link_open"]


def _all(tokens):
    for token in tokens:
        yield token
        yield from _all(token.children or ())
