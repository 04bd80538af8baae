"""The pages to look things up: documents, glossary, kinds of messages, components, in both languages."""
import re

import pytest
from django.urls import reverse

from lifecycle import clusters, statements
from lifecycle.explanations.texts import texts
from lifecycle.glossary import entries, linking
from lifecycle.lessons import markup
from lifecycle.models import Cluster
from lifecycle.picture.component_map import component_map
from lifecycle.picture.sequence import length, sequence
from lifecycle.simulation.messages import ACTORS, Step

from .cast import a_browser

PAGES = ("documents", "glossary", "kinds", "components")
LANGUAGES = ("en", "zh-hans")

pytestmark = pytest.mark.django_db(transaction=True)


def page(client, name, language="en", *arguments):
    answer = client.get(reverse(name, args=arguments), headers={"accept-language": language})
    assert answer.status_code == 200
    return answer.content.decode()


def anchors(html):
    return re.findall(r'\sid="([^"]+)"', html)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_has_each_anchor_once_and_all_its_links_lead_somewhere(client, name, language):
    html = page(client, name, language)
    found = anchors(html)
    assert len(found) == len(set(found))
    assert [id for id in re.findall(r'href="#([^"]+)"', html) if id not in found] == []
    for other in PAGES:
        wanted = re.findall(rf'href="{reverse(other)}#([^"]+)"', html)
        assert set(wanted) <= set(anchors(page(client, other, language))), other


@pytest.mark.parametrize("name", PAGES)
def test_pages_have_no_inline_script_and_no_inline_style(client, name):
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", page(client, name))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_documents_page_says_every_statement_and_every_note(client, language):
    html = page(client, "documents", language)
    assert {each.id for each in (*statements.all(), *statements.points())} <= set(anchors(html))
    assert html.count('class="statement ') == 94
    for id, verdict in (("C1", "keep"), ("C2", "note"), ("C11", "fix")):
        assert re.search(rf'class="statement {verdict}" id="{id}"', html)


def test_the_documents_own_words_are_shown_in_chinese_and_translated_in_english(client):
    assert "更新方式：通过PATCH操作修改Pod定义" in page(client, "documents", "zh-hans")
    assert "How: it changes the definition of the Pod with a PATCH" in page(client, "documents", "en")


def test_what_looks_like_markup_in_a_document_is_shown_as_it_is(client):
    assert "kubectl delete pod &lt;pod-name&gt;" in page(client, "documents")


def test_a_statement_leads_to_its_messages_and_lessons(client):
    card = re.search(r'id="C11".*?</article>', page(client, "documents"), re.S)[0]
    assert f'{reverse("kinds")}#Create*Binding' in card and "/lessons/" in card


def test_the_glossary_and_the_kinds_are_complete(client):
    assert set(entries()) <= set(anchors(page(client, "glossary")))
    assert set(texts("en")) <= set(anchors(page(client, "kinds")))


def test_links_lead_to_where_the_pages_are():
    assert reverse("glossary") == linking.PAGE
    assert {kind: place.partition("#")[0] for kind, place in markup.PAGES.items()} == {
        "glossary": reverse("glossary"), "component": reverse("components"), "statement": reverse("documents")}


def test_no_name_of_a_fact_is_left_in_the_kinds(client):
    assert not re.search(r"\{\w*\}", page(client, "kinds"))


# -- diagrams --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["creation", "deletion"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_words_of_a_diagram_stay_in_the_picture(name, language):
    drawn = sequence(name, language)
    for arrow in drawn.arrows:
        assert arrow.text_x >= 0 and arrow.text_x + length(f"{arrow.id} {arrow.text}") <= drawn.width and arrow.y < drawn.height, arrow
    for frame in drawn.frames + drawn.notes:
        assert frame.x >= 0 and frame.x + frame.width <= drawn.width, frame


def test_a_frame_goes_around_its_messages():
    drawn = sequence("creation", "en")
    frame = next(frame for frame in drawn.frames if frame.id == "C4")
    inside = [arrow.id for arrow in drawn.arrows if frame.y < arrow.y < frame.y + frame.height]
    assert inside == ["C5", "C6", "C7"]
    assert all(frame.x < arrow.text_x for arrow in drawn.arrows if arrow.id in inside)


# -- components ------------------------------------------------------------------------------------------------------------
def test_the_map_has_every_component_and_counts_nothing_without_a_cluster():
    drawn = component_map()
    assert [box.actor for box in drawn.boxes] == list(ACTORS) and {box.sent for box in drawn.boxes} == {None}


def test_the_map_counts_what_was_sent_and_received():
    steps = [Step(number, 0, source, target, reason, None, None, None, {}) for number, (source, target, reason) in enumerate(
        [("user", "kubectl", "RunCommand"), ("kubectl", "apiserver", "CreatePod"), ("kubectl", "apiserver", "CreatePod"),
         ("apiserver", "kubectl", "Respond"), ("scheduler", "scheduler", "TakePod")], 1)]
    drawn = component_map(steps)
    counts = {box.actor: (box.sent, box.received) for box in drawn.boxes}
    assert counts["kubectl"] == (2, 2) and counts["scheduler"] == (1, 1) and counts["etcd"] == (0, 0)
    assert next(box.kinds for box in drawn.boxes if box.actor == "kubectl")[0] == ("CreatePod", "out", "API server", 2, 3)
    lines = {(line.first, line.second): (line.count, line.level) for line in drawn.lines}
    assert sorted(lines.values(), reverse=True)[:3] == [(3, 1), (1, 1), (0, 0)]


def test_a_cluster_has_a_map_of_its_own_with_links_to_its_messages():
    guest = a_browser(headers={"accept-language": "en"})
    guest.post(reverse("home"), {"name": "Ours", "nodes": "1"})
    pk = Cluster.objects.get().pk
    clusters.command(pk, "kubectl run web --image=nginx")
    with clusters.act(pk) as opened:
        opened.simulation.run_until(opened.simulation.clock.now + 20_000)
    assert reverse("cluster_components", args=[pk]) in page(guest, "components")
    html = page(guest, "cluster_components", "en", pk)
    last = Cluster.objects.get().messages
    assert f"{last} messages" in html and f'{reverse("cluster", args=[pk])}#m-' in html and "CreatePodBinding" in html


def test_nobody_else_sees_the_map_of_a_cluster(client):
    guest = a_browser()
    guest.post(reverse("home"), {"name": "Ours", "nodes": "1"})
    assert client.get(reverse("cluster_components", args=[Cluster.objects.get().pk])).status_code == 404
