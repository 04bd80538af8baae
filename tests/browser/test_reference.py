"""Looking things up with a browser: documents, glossary, kinds of messages, components."""
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

PAGES = ("/documents/", "/glossary/", "/messages/", "/components/")


@pytest.mark.parametrize("language, scheme, width", [("en", "light", 360), ("zh-hans", "dark", 1440)])
def test_everybody_can_use_the_pages(visit, language, scheme, width):
    lab = visit(language, width, color_scheme=scheme)
    page = lab.page
    for path in PAGES:
        page.goto(f"{lab.server}{path}")
        found = Axe().run(page)
        assert found.violations_count == 0, f"{path}: {found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def test_the_filter_leaves_what_fits_and_a_link_brings_the_rest_back(visit):
    lab = visit()
    page = lab.page
    page.goto(f"{lab.server}/glossary/")
    page.locator("#find").fill("优雅")
    expect(page.locator("#graceful-termination")).to_be_visible()
    expect(page.locator("#scheduler")).to_be_hidden()
    expect(page.locator("[data-group]:visible")).to_have_count(1)
    page.locator("#graceful-termination a[href='#grace-period']").last.click()
    expect(page.locator("#grace-period")).to_be_visible()
    page.locator("#find").fill("no such word")
    expect(page.locator("[data-filter] [role=status]")).to_have_text("Nothing fits.")


def test_the_choice_of_statements_leaves_what_kubernetes_does_differently(visit):
    lab = visit()
    page = lab.page
    page.goto(f"{lab.server}/documents/")
    page.locator("#only-fix").check()
    expect(page.locator("#C11")).to_be_visible()
    expect(page.locator("#C1")).to_be_hidden()
    page.locator("#only-all").check()
    expect(page.locator("#C1")).to_be_visible()


def test_from_a_message_to_the_documents_the_kinds_and_back_to_a_message(visit):
    lab = visit()
    lab.make_cluster(1)
    lab.pace("real:60")
    lab.type("kubectl run web --image=nginx")
    lab.at_rest()
    lab.row("CreatePodBinding").locator(".label").click()
    explanation = lab.page.locator("#explanation")
    expect(explanation.locator(".note.fix")).to_contain_text("C11")
    explanation.locator(".seed-tag").click()
    expect(lab.page.locator("#C11")).to_be_in_viewport()
    lab.page.locator("#C11 a", has_text="CreatePodBinding").click()
    expect(lab.page.locator("[id='Create*Binding']")).to_be_in_viewport()
    lab.page.go_back()
    lab.page.go_back()
    lab.page.goto(f"{lab.page.url.partition('#')[0]}components/")
    lab.page.locator("#scheduler summary").click()
    lab.page.locator("#scheduler tr", has_text="CreatePodBinding").locator("a").click()
    expect(lab.page.locator("#explanation h3")).to_contain_text("Bind Pod web")
