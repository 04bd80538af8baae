"""Several browsers, lost and dead sockets: everybody sees the same, nothing is lost and nothing comes twice."""
import re

from playwright.sync_api import expect

from tests.processes import Line

FAST = "real:60"
SLEEP, PATIENCE = "01:00", "00:12"          # longer than the page waits for a word, and for an answer


def read_only_link(lab):
    lab.page.locator("#share button").first.click()
    return lab.page.locator("#share a").get_attribute("href")


def shared_visitor(lab, visit):
    """Somebody else who opened the cluster's read-only link."""
    return visit("zh-hans").open(read_only_link(lab))


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
    lab.shows_everything()
    assert len(sockets) > 1


def test_a_laptop_that_slept_while_the_server_went_away_catches_up(visit):
    learner = visit().make_cluster()
    learner.pace(FAST)
    with Line(int(learner.server.rpartition(":")[2])) as line:
        sleeper = visit()
        sleeper.page.clock.install()
        sleeper.open(read_only_link(learner).replace(learner.server, f"http://127.0.0.1:{line.port}"))
        # Nobody tells the browser that its socket carries nothing any more; meanwhile things happen.
        line.cut()
        learner.type("kubectl run hello --image=nginx:1.27")
        expect(learner.page.locator("#nodes .pod.good")).to_have_count(1)
        learner.at_rest()
        sleeper.page.clock.fast_forward(SLEEP)
        sleeper.page.clock.fast_forward(PATIENCE)
        expect(sleeper.page.locator("#connection")).to_have_text("Connection lost. Trying again…")
        assert sleeper.seq() == 0
        # It should go on trying, and get all of it as soon as the server is there again.
        sleeper.page.clock.fast_forward(PATIENCE)
        line.mend()
        sleeper.page.clock.fast_forward(PATIENCE)
        sleeper.connected()
        sleeper.wait_for_seq(learner.seq())
        expect(sleeper.page.locator("#connection")).to_be_empty()
        expect(sleeper.page.locator("#nodes .pod.good")).to_have_count(1)
        assert sleeper.rows() == learner.rows()


def test_a_quiet_socket_is_kept(visit):
    lab, sockets = visit(), []
    lab.page.on("websocket", lambda socket: sockets.append(socket))
    lab.page.clock.install()
    lab.make_cluster(1)
    for _ in range(5):
        with sockets[0].expect_event("framereceived", lambda frame: frame.startswith("{")):
            lab.page.clock.fast_forward("00:30")
    assert len(sockets) == 1


def test_a_link_that_is_taken_back_closes_the_pages_that_it_opened(visit):
    learner = visit().make_cluster()
    watcher = shared_visitor(learner, visit)
    learner.page.locator("#share button[name=revoke]").click()
    connection = watcher.page.locator("#connection")
    expect(connection).to_have_text(connection.get_attribute("data-refused"))
    assert watcher.page.request.get(learner.page.url).status == 404
    # It should leave the owner's page as it is.
    learner.pace(FAST)


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


def test_what_is_said_while_a_part_of_the_diagram_is_fetched_is_not_lost(visit):
    lab, held = visit().make_cluster(), []
    lab.pace(FAST)
    lab.type("kubectl create deployment web --image=nginx:1.27 --replicas=8")
    expect(lab.page.locator("#nodes .pod.good")).to_have_count(8)
    lab.at_rest()
    lab.page.reload()
    lab.connected()
    lab.page.keyboard.press("Home")
    expect(lab.page.locator("#m-1")).to_be_visible()
    # The newest messages are fetched, and before they are here more of them are pushed.
    lab.page.route(re.compile(r"/messages/\?$"), lambda route: held.append((route, route.fetch())))
    newest = lab.seq()
    with lab.page.expect_request(re.compile(r"/messages/\?$")):
        lab.page.locator("#live").click()
    lab.type("kubectl get nodes")
    lab.wait_for_seq(newest + 4)
    route, answer = held[0]
    route.fulfill(response=answer)
    expect(lab.page.locator(f"#m-{newest + 4}")).to_be_visible()
    lab.unroll()
    lab.shows_everything()


def test_a_stranger_gets_not_found(visit):
    lab = visit().make_cluster()
    answer = visit().page.request.get(lab.page.url)
    assert answer.status == 404
