"""Several browsers, reloads and lost sockets: everybody sees the same, nothing is lost and nothing comes twice."""
import re

from playwright.sync_api import expect

FAST = "real:60"


def shared_visitor(lab, visit):
    """Somebody else who opened the cluster's read-only link."""
    lab.page.locator("#share button").first.click()
    address = lab.page.locator("#share a").get_attribute("href")
    return visit("zh-hans").open(address)


def same_rows(first, second):
    first.at_rest()
    second.wait_for_seq(first.seq())
    assert [seq for seq, _ in first.rows()] == [seq for seq, _ in second.rows()] == list(range(1, first.seq() + 1))


def test_two_browsers_stay_in_step(visit):
    learner = visit().make_cluster()
    watcher = shared_visitor(learner, visit)
    learner.pace(FAST)
    learner.create("deployment")
    expect(learner.page.locator("#nodes .pod.good")).to_have_count(3)
    expect(watcher.page.locator("#nodes .pod.good")).to_have_count(3)
    same_rows(learner, watcher)
    assert learner.page.locator("#console").inner_text().splitlines()[:2] == watcher.page.locator("#console").inner_text().splitlines()[:2]
    # It should let the watcher look, and no more.
    expect(watcher.page.locator("#create-form")).to_have_count(0)


def test_a_reload_in_the_middle_goes_on_where_it_was(visit):
    lab = visit().make_cluster()
    lab.pace("story:0.1")
    lab.create("deployment")
    lab.wait_for_seq(20)
    lab.page.reload()
    lab.connected()
    lab.wait_for_seq(40)
    lab.pace(FAST)
    expect(lab.page.locator("#nodes .pod.good")).to_have_count(3)
    lab.at_rest()
    assert [seq for seq, _ in lab.rows()] == list(range(1, lab.seq() + 1))


def test_a_lost_socket_catches_up(visit):
    lab, sockets = visit(), []

    def remember(socket):
        socket.connect_to_server()
        sockets.append(socket)

    lab.page.route_web_socket(re.compile("/ws/clusters/"), remember)
    lab.make_cluster().pace("story:0.1")
    lab.create("deployment")
    lab.wait_for_seq(10)
    sockets[0].close(code=1012, reason="the server goes down")
    expect(lab.page.locator("#connection")).to_have_text("Connection lost. Trying again…")
    lab.connected()
    expect(lab.page.locator("#connection")).to_be_empty()
    lab.pace(FAST)
    expect(lab.page.locator("#nodes .pod.good")).to_have_count(3)
    lab.at_rest()
    assert len(sockets) > 1
    assert [seq for seq, _ in lab.rows()] == list(range(1, lab.seq() + 1))


def test_who_looks_back_is_not_pulled_forward(visit):
    lab = visit().make_cluster()
    lab.pace("story:0.1")
    lab.create("deployment")
    lab.wait_for_seq(10)
    lab.page.locator("#m-4 .label").click()
    title = lab.page.locator(".explain[data-seq='4'] h3")
    expect(title).to_be_visible()
    lab.wait_for_seq(lab.seq() + 10)
    expect(title).to_be_visible()
    expect(lab.page.locator("#m-4")).to_have_class(re.compile(r"\bnow\b"))
    expect(lab.page.locator("#nodes .pod")).to_have_count(0)
    lab.page.locator("#live").click()
    expect(lab.page.locator("#live")).to_have_attribute("aria-pressed", "true")


def test_a_stranger_gets_not_found(visit):
    lab = visit().make_cluster()
    answer = visit().page.request.get(lab.page.url)
    assert answer.status == 404
