"""The glossary, and how its words are found in texts."""
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifecycle.explanations.texts import LANGUAGES, texts
from lifecycle.glossary import components, entries, get, linked
from lifecycle.lessons.catalog import catalog
from lifecycle.lessons.markup import targets
from lifecycle.simulation.messages import ACTORS
from lifecycle.statements import get as statement

ENTRIES = list(entries().values())


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_every_entry_is_complete_and_leads_only_to_what_is_there(entry):
    assert set(entry.term) == set(entry.text) == set(LANGUAGES)
    assert re.search("[\u4e00-\u9fff]", entry.text["zh-hans"]) and not re.search("[\u4e00-\u9fff]", entry.text["en"])
    assert entry.page.endswith("/") and not entry.page.startswith("/")
    assert set(entry.see) <= set(entries()) - {entry.id}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_spelling_means_two_things(language):
    spellings = [word for entry in ENTRIES for word in entry.words[language]]
    assert len(spellings) == len(set(spellings))


def test_an_unknown_id_is_refused():
    with pytest.raises(KeyError):
        get("nothing")


# -- linking ---------------------------------------------------------------------------------------------------------------
def test_the_first_place_of_a_word_becomes_a_link():
    assert linked("The kubelet asks. The kubelet waits.", "en") == 'The <a class="term" href="/glossary/#kubelet">kubelet</a> asks. The kubelet waits.'


def test_chinese_words_are_found_without_spaces_between_them():
    assert linked("由调度器绑定", "zh-hans") == '由<a class="term" href="/glossary/#scheduler">调度器</a>绑定'


@pytest.mark.parametrize("text, id", [("Taints", "taint"), ("two taints", "taint"), ("the garbage collector", "garbage-collector"),
                                      ("`deletionTimestamp`", "deletion-timestamp"), ("`requests`", "request")])
def test_capitals_plurals_longer_words_and_code_are_found(text, id):
    assert re.findall("#([a-z-]+)", linked(text, "en")) == [id]


@pytest.mark.parametrize("text", ["tainted", "spec.nodeName", "kubelet-config", "{node}", "two requests are sent", "`kubelet --help`"])
def test_parts_of_words_of_paths_and_of_code_are_left_alone(text):
    assert "<a" not in linked(text, "en")


def test_an_entry_does_not_link_to_itself():
    assert "#scheduler" not in linked("The scheduler of the scheduler", "en", "scheduler")


@given(st.text(alphabet="<>&\"'`{} taint调度器", max_size=60), st.sampled_from(LANGUAGES))
def test_everything_is_escaped_and_nothing_is_lost(text, language):
    html = linked(text, language)
    bare = re.sub(r'</?code>|<a class="term" href="/glossary/#[a-z-]+">|</a>', "", html)
    assert "<" not in bare and ">" not in bare and '"' not in bare
    unescaped = bare.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&#x27;", "'").replace("&amp;", "&")
    assert unescaped == text.replace("`", "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_that_explanations_link_to_exists_and_many_do(language):
    ids = {id for found in texts(language).values() for part in found.values() for id in re.findall(r"/glossary/#([a-z-]+)", linked(part, language))}
    assert ids <= set(entries()) and len(ids) > 60


# -- components and lessons ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("actor", ACTORS)
def test_every_component_is_described_in_both_languages(actor):
    found = components()["actors"][actor]
    assert set(found["does"]) == set(found["never"]) == set(LANGUAGES)
    assert get(found["entry"]) and all(statement(id) for id in found["statements"])
    assert any(actor in link["between"] for link in components()["links"])


def test_the_links_of_the_lessons_lead_somewhere():
    lost = []
    for slug, lesson in catalog().items():
        for language, words in lesson.words.items():
            lost += [(slug, language, *target) for text in strings(words) for target in targets(text) if not leads_somewhere(*target)]
    assert lost == []


def strings(words):
    if isinstance(words, str):
        yield words
    elif isinstance(words, (dict, list)):
        for each in words.values() if isinstance(words, dict) else words:
            yield from strings(each)


def leads_somewhere(kind, id):
    if kind == "statement":
        try:
            return bool(statement(id))
        except KeyError:
            return False
    return {"glossary": entries(), "component": ACTORS}.get(kind, [id]).__contains__(id)
