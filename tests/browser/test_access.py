"""Keyboard alone, a phone, light and dark, and what axe-core says of every page."""
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

FAST = "real:60"
TABS = ("delete", "faults", "control-plane", "etcd", "events", "objects", "logs", "timeline", "progress", "request", "change")


def serious(page):
    """[(rule, element)] of what axe-core finds serious or critical."""
    found = Axe().run(page).response["violations"]
    bad = [rule for rule in found if rule["impact"] in ("serious", "critical")]
    return [(rule["id"], node["html"][:120], node.get("failureSummary")) for rule in bad for node in rule["nodes"]]


@pytest.mark.parametrize("language, scheme, width", [("en", "light", 1440), ("zh-hans", "dark", 1440), ("zh-hans", "light", 360), ("en", "dark", 360)])
def test_axe_finds_nothing_serious(visit, language, scheme, width):
    lab = visit(language, width, 800, color_scheme=scheme)
    lab.page.goto(f"{lab.server}/")
    assert serious(lab.page) == []
    lab.make_cluster()
    assert serious(lab.page) == []
    lab.pace(FAST)
    lab.page.evaluate("() => fetch(location.pathname + 'command/', {method: 'POST', headers: JSON.parse(document.body.getAttribute('hx-headers')), "
                      "body: new URLSearchParams({line: 'kubectl create deployment web --image=nginx:1.27 --replicas=2'})})")
    lab.wait_for_seq(40)
    lab.at_rest()
    assert serious(lab.page) == []
    for name in TABS if width > 1000 else ():
        lab.tab(name)
        expect(lab.page.locator(f"#p-{name} .waiting")).to_have_count(0)
        assert serious(lab.page) == [], name


def test_everything_by_keyboard(visit):
    lab = visit().make_cluster()
    page = lab.page
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    page.keyboard.press("Space")
    page.wait_for_selector("#head[data-pace=paused]", state="attached")
    page.keyboard.press("c")
    expect(page.locator("#example")).to_be_focused()
    page.locator("#example").select_option("pod")
    page.locator("#create-form .primary").press("Enter")
    lab.wait_for_seq(1)
    page.locator("#scroller").focus()
    for _ in range(13):
        before = lab.seq()
        page.keyboard.press("ArrowRight")
        lab.wait_for_seq(before + 1)
    newest = lab.seq()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#counter")).to_contain_text(f"{newest - 1} /")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("#counter")).to_contain_text(f"{newest - 11} /")
    page.keyboard.press("Home")
    expect(page.locator("#counter")).to_contain_text("1 /")
    page.keyboard.press("End")
    expect(page.locator("#live")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("k")
    expect(page.locator("#command")).to_be_focused()
    page.keyboard.type("kubectl get nodes")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("Space")
    expect(page.locator("#console")).to_contain_text("NAME")
    page.keyboard.press("d")
    expect(page.locator("#t-delete")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#t-faults")).to_be_focused()


def test_on_a_phone_one_part_at_a_time(visit):
    lab = visit("zh-hans", 360, 740).make_cluster()
    page, tabs = lab.page, lab.page.locator(".phone-tabs")
    tabs.get_by_text("操作").click()
    expect(page.locator("#manifest")).to_be_visible()
    expect(page.locator("#diagram")).to_be_hidden()
    page.locator("#create-form .primary").click()
    tabs.get_by_text("消息").click()
    expect(page.locator("#m-1")).to_be_visible()
    expect(page.locator("#m-1 .route")).to_have_text("用户 → kubectl")
    tabs.get_by_text("集群").click()
    expect(page.locator("#node-n1")).to_be_visible()
    tabs.get_by_text("控制台").click()
    expect(page.locator("#command")).to_be_visible()
    # It should never scroll sideways.
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360


def test_the_theme_is_the_systems_until_it_is_chosen(visit):
    lab = visit(color_scheme="dark")
    lab.page.goto(f"{lab.server}/")
    root = lab.page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    lab.page.locator("#theme").click()
    expect(root).to_have_attribute("data-theme", "light")
    lab.page.reload()
    expect(root).to_have_attribute("data-theme", "light")


def test_the_language_is_switched_where_one_is(visit):
    lab = visit().make_cluster()
    lab.page.get_by_role("button", name="中文").click()
    lab.connected()
    expect(lab.page.locator("#t-create")).to_have_text("创建")
    assert lab.page.url.endswith("/") and "/clusters/" in lab.page.url


def test_many_messages_are_fetched_in_windows(visit):
    lab = visit().make_cluster()
    lab.pace(FAST)
    lab.type("kubectl create deployment web --image=nginx:1.27 --replicas=8")
    expect(lab.page.locator("#nodes .pod.good")).to_have_count(8)
    lab.at_rest()
    lab.page.reload()
    lab.connected()
    newest = lab.seq()
    assert len(lab.rows()) == 200 < newest
    lab.page.keyboard.press("Home")
    expect(lab.page.locator("#m-1")).to_be_visible()
    expect(lab.page.locator(".explain[data-seq='1']")).to_be_visible()
    lab.page.locator("[data-more=after]").click()
    expect(lab.page.locator(f"#m-{lab.rows()[-1][0]}")).to_be_attached()
    lab.page.keyboard.press("End")
    expect(lab.page.locator(f"#m-{newest}")).to_be_visible()
    lab.page.locator("#fold-pods").check()
    folded = lab.page.locator("#messages .m.folded")
    expect(folded.first).to_be_hidden()
    expect(lab.page.locator("#messages .m[data-count]").first).to_be_attached()


def test_on_a_phone_a_message_opens_its_explanation(visit):
    lab = visit("en", 360, 740).make_cluster()
    lab.pace("real:60")
    lab.page.locator(".phone-tabs").get_by_text("Do").click()
    lab.page.locator("#create-form .primary").click()
    lab.page.locator(".phone-tabs").get_by_text("Messages").click()
    lab.wait_for_seq(30)
    lab.page.locator("#m-3 .label").click()
    expect(lab.page.locator(".explain[data-seq='3']")).to_be_visible()
    lab.page.locator("#live").click()
    expect(lab.page.locator(".explain")).to_be_hidden()


def test_the_list_of_what_can_be_deleted_follows_the_cluster(visit):
    lab = visit().make_cluster(1)
    lab.pace("real:60")
    lab.tab("delete")
    expect(lab.page.locator("#delete-form")).to_contain_text("node")
    lab.type("kubectl run hello --image=nginx:1.27")
    expect(lab.page.locator("#id_target option", has_text="hello")).to_be_attached()
    lab.type("kubectl delete pod hello --now")
    expect(lab.page.locator("#id_target option", has_text="hello")).to_have_count(0)
