"""A guest becomes a learner, and an instructor helps from the panel: what is done there is seen at once on the learner's page."""
import re

import pytest
from playwright.sync_api import expect

from .test_access import serious

LISTS = ("cluster", "node", "pod", "resource", "steps")
NEW_PASSWORD = "another horse 7"


@pytest.fixture(scope="module")
def password(server, tmp_path_factory):
    """What the first start printed."""
    log = next(tmp_path_factory.getbasetemp().glob("pages*/log"))
    return re.search(r"user instructor, password (\S+)", log.read_text())[1]


def sign_up(page, server, name):
    page.goto(f"{server}/accounts/signup/")
    page.locator("#id_username").fill(name)
    page.locator("#id_password1").fill(NEW_PASSWORD)
    page.locator("#id_password2").fill(NEW_PASSWORD)
    page.locator("main .primary").click()
    page.wait_for_url(f"{server}/")


def the_panel(visit, password, **options):
    lab = visit(**options)
    lab.page.goto(f"{lab.server}/admin/")
    lab.page.locator("#id_username").fill("instructor")
    lab.page.locator("#id_password").fill(password)
    lab.page.locator("#id_password").press("Enter")
    lab.page.wait_for_selector("#user-tools")
    return lab


def test_a_guest_signs_up_and_keeps_the_cluster(visit):
    lab = visit().make_cluster()
    address = lab.page.url
    sign_up(lab.page, lab.server, "ben")
    expect(lab.page.locator(".card-link")).to_have_attribute("href", address.removeprefix(lab.server))
    lab.page.locator(".tools").get_by_role("button", name="Sign out").click()
    # It should be gone from this browser, and there again after signing in
    expect(lab.page.locator(".card-link")).to_have_count(0)
    lab.page.goto(f"{lab.server}/accounts/login/")
    lab.page.locator("#id_username").fill("ben")
    lab.page.locator("#id_password").fill(NEW_PASSWORD)
    lab.page.locator("#id_password").press("Enter")
    expect(lab.page.locator(".card-link")).to_have_count(1)


def test_what_an_instructor_does_is_seen_on_the_learners_page(visit, password):
    learner = visit().make_cluster(2)
    number = learner.page.url.rstrip("/").rpartition("/")[2]
    panel = the_panel(visit, password).page
    panel.goto(f"{learner.server}/admin/lifecycle/cluster/{number}/change/")
    panel.locator("button[value=pause]").click()
    expect(panel.locator(".messagelist")).to_contain_text("Pause: done (1)")
    learner.page.wait_for_selector("#head[data-pace=paused]", state="attached")
    panel.locator("button[value=set_pace]").click()
    panel.locator("#id_pace").select_option("real")
    panel.locator("#id_speed").fill("60")
    panel.locator(".submit-row button").click()
    learner.page.wait_for_selector("#head[data-pace=real][data-speed='60']", state="attached")
    panel.goto(f"{learner.server}/admin/lifecycle/node/?cluster={number}&q=n2")
    panel.locator(".action-select").check()
    panel.locator("select[name=action]").select_option("drain")
    panel.locator(".actions button[name=index]").click()
    learner.wait_for_seq(3)
    expect(learner.page.locator("#messages")).to_contain_text("kubectl drain n2")


@pytest.mark.parametrize("language, scheme, width", [("en", "light", 1440), ("zh-hans", "dark", 360)])
def test_axe_finds_nothing_serious_in_the_panel(visit, password, language, scheme, width):
    visit().make_cluster()
    # axe-core copies the style sheets that others import into the page, which the policy forbids; the other tests obey it.
    lab = the_panel(visit, password, language=language, width=width, color_scheme=scheme, bypass_csp=True)
    for path in ("", *(f"lifecycle/{name}/" for name in LISTS), "auth/user/"):
        lab.page.goto(f"{lab.server}/admin/{path}")
        assert serious(lab.page) == [], path
        assert lab.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    for name in ("cluster", "node", "resource"):
        lab.page.goto(f"{lab.server}/admin/lifecycle/{name}/")
        lab.page.locator("#result_list th a").first.click()
        lab.page.wait_for_selector(".readonly")
        assert serious(lab.page) == [], name


@pytest.mark.parametrize("language, scheme, width", [("en", "light", 360), ("zh-hans", "dark", 1440)])
def test_axe_finds_nothing_serious_in_the_pages_of_accounts(visit, language, scheme, width):
    lab = visit(language, width, color_scheme=scheme)
    for path in ("login", "signup"):
        lab.page.goto(f"{lab.server}/accounts/{path}/")
        lab.page.locator("main .primary").click()
        assert serious(lab.page) == [], path
    sign_up(lab.page, lab.server, f"carla-{width}")
    lab.page.goto(f"{lab.server}/accounts/password/")
    assert serious(lab.page) == []
    assert lab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
