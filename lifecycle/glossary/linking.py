"""Finds the words of the glossary in a text. Everything is escaped, so that the result can stand in a page as it is."""
import re
from functools import lru_cache
from html import escape

from .loading import entries

PAGE = "/glossary/"


@lru_cache(4096)
def linked(text, language, without=""):
    """HTML of a text: the first place of each word of the glossary becomes a link to its entry, and what stands between backticks becomes code.

    The entry `without` is not linked. A "{name}" in the text stays as it is, to be filled in later with something that is escaped.
    """
    seen = {without}
    parts = text.split("`")
    return "".join(code(part, language, seen) if number % 2 else prose(part, language, seen) for number, part in enumerate(parts))


def prose(text, language, seen):
    made, place = [], 0
    for found in pattern(language).finditer(text):
        id = meaning(found[0], language)
        if id not in seen:
            seen.add(id)
            made += [escape(text[place:found.start()]), link(id, escape(found[0]))]
            place = found.end()
    return "".join([*made, escape(text[place:])])


def code(text, language, seen):
    """Code is linked as a whole or not at all."""
    html = f"<code>{escape(text)}</code>"
    id = spellings_in_code().get(text) or meaning(text, language)
    if id is None or id in seen:
        return html
    seen.add(id)
    return link(id, html)


def link(id, html):
    return f'<a class="term" href="{PAGE}#{id}">{html}</a>'


@lru_cache(None)
def spellings(language):
    """{word: id} of everything that is linked, with both cases of a first letter that is small."""
    found = {word: entry.id for entry in entries().values() for word in entry.words[language]}
    return {word[:1].upper() + word[1:]: id for word, id in found.items()} | found


@lru_cache(None)
def spellings_in_code():
    return {word: entry.id for entry in entries().values() for word in entry.code}


@lru_cache(None)
def pattern(language):
    """Longer words first; Latin words stand alone, and may have the plural's s."""
    words = sorted(spellings(language), key=len, reverse=True)
    return re.compile(rf"(?<![\w{{./-])(?:{'|'.join(map(re.escape, words))})s?(?![\w-]|\.\w)" if language == "en" else
                      rf"(?<![A-Za-z0-9_{{./-])(?:{'|'.join(map(re.escape, words))})(?![A-Za-z0-9_-]|\.\w)")


def meaning(word, language):
    """The id of the entry for a word as it stands in a text, or None."""
    known = spellings(language)
    return known.get(word) or known.get(word.removesuffix("s"))

