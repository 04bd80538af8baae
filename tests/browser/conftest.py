"""Browsers that look at the product's own server: `manage.py serve` on a port and a database file of its own, with its worker, or whatever SERVER names."""
import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.processes import free_port, serve, wait_until

PATIENCE = 20_000                  # ms that a condition may take on a busy machine
CHROMIUM = "/usr/bin/chromium"
SERVER = "LIFECYCLE_TEST_SERVER"   # environment: the address of an installation that runs already


def pytest_collection_modifyitems(items):
    """Browsers use the network of this machine: their tests can be left out with -m "not browser"."""
    for item in items:
        if Path(__file__).parent in Path(item.path).parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The address of a running server, with the settings of a fresh machine."""
    if SERVER in os.environ:
        yield os.environ[SERVER]
        return
    place, port = tmp_path_factory.mktemp("pages"), free_port()
    environment = {"DATABASE_URL": f"sqlite:///{place / 'db.sqlite3'}", "STATIC_ROOT": str(place / "static"), "DJANGO_SETTINGS_MODULE": "lifecycle.settings",
                   "CLUSTERS_PER_LEARNER": "100"}
    process = serve(port, environment, place / "log")
    yield f"http://127.0.0.1:{port}"
    process.stop()


@pytest.fixture(scope="module")
def chromium():
    """A browser. It ends with the module: while its driver lives, an event loop counts as running in this process, and other tests want one of their own."""
    if not Path(CHROMIUM).exists():
        pytest.skip(f"there is no {CHROMIUM}: apt-get install chromium fonts-noto-cjk")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Lab:
    """A page of somebody who looks at a cluster, and what they do there."""

    def __init__(self, page: Page, server):
        self.page, self.server = page, server

    # -- going there -----------------------------------------------------------------------------------------------------------
    def make_cluster(self, nodes=3):
        self.page.goto(f"{self.server}/")
        self.page.locator("#id_name").fill("Classroom")
        self.page.locator("#id_nodes").fill(str(nodes))
        self.page.locator("main form .primary").last.click()
        self.connected()
        return self

    def open(self, address):
        self.page.goto(address)
        self.connected()
        return self

    def connected(self):
        self.page.wait_for_selector(".lab[data-connected]", state="attached")

    def pace(self, choice):
        with self.page.expect_response(re.compile("/pace/$")):
            self.page.locator("#pace-choice").select_option(choice)
        kind, _, speed = choice.partition(":")
        self.page.wait_for_selector(f"#head[data-pace='{kind}'][data-speed='{speed}']", state="attached")

    # -- doing something -------------------------------------------------------------------------------------------------------
    def create(self, example=None, text=None):
        self.tab("create")
        if example:
            with self.page.expect_response(re.compile(f"/examples/{example}/")) as answer:
                self.page.locator("#example").select_option(example)
            expect(self.page.locator("#manifest")).to_have_value(answer.value.text())
        if text is not None:
            self.page.locator("#manifest").fill(text)
        with self.page.expect_response(re.compile("/create/$")):
            self.page.locator("#create-form .primary").click()

    def delete(self, key, cascade="background", **options):
        self.tab("faults")                   # so that the form is drawn anew
        with self.page.expect_response(re.compile("/tab/delete/")):
            self.tab("delete")
        form = self.page.locator("#delete-form")
        form.locator("#id_target").select_option(key)
        form.locator(f"input[name=cascade][value={cascade}]").check()
        for name, value in options.items():
            form.locator(f"[name={name}]").fill(value)
        with self.page.expect_response(re.compile("/delete/$")):
            form.locator(".primary").click()
        expect(self.page.locator("#delete-form .sent")).to_contain_text("kubectl delete")

    def type(self, line):
        self.tab("console")
        self.page.locator("#command").fill(line)
        with self.page.expect_response(re.compile("/command/$")):
            self.page.locator("#command").press("Enter")

    def fault(self, words):
        """Break or mend something: "node n1 down"."""
        with self.page.expect_response(re.compile("/tab/faults/")):
            self.tab("faults")
        self.page.locator(f"#fault-{words.replace(' ', '-')}").click()
        expect(self.page.locator("#faults .sent")).to_contain_text(words)

    def tab(self, name):
        self.page.locator(f"#t-{name}").click()

    # -- doing it without a mouse ----------------------------------------------------------------------------------------------
    def keys(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, selector, most=60):
        """Press Tab until something has the focus."""
        for _ in range(most):
            if self.page.locator(f"{selector}:focus").count():
                return
            self.keys("Tab")
        raise AssertionError(f"the keyboard does not come to {selector}")

    def choose(self, selector, value, most=60):
        """Come to a list by Tab and go down in it until a value is chosen."""
        self.tab_to(selector)
        self.keys("Home")
        for _ in range(most):
            if self.page.locator(selector).input_value() == value:
                return
            self.keys("ArrowDown")
        raise AssertionError(f"{selector} does not offer {value}")

    # -- seeing something ------------------------------------------------------------------------------------------------------
    def seq(self):
        return int(self.page.locator("#head").get_attribute("data-seq"))

    def wait_for_seq(self, seq):
        self.page.wait_for_function("seq => Number(document.getElementById('head').dataset.seq) >= seq", arg=seq)

    def at_rest(self):
        """Until the server says that nothing is left to do, and everything said is shown."""
        wait_until(lambda: self.page.evaluate("""async () => {
            const answer = await (await fetch(location.pathname)).text(), head = new DOMParser().parseFromString(answer, "text/html").getElementById("head");
            return /^(静止|At rest)/.test(head.textContent) && head.dataset.seq === document.getElementById("head").dataset.seq
        }"""), "the cluster to come to rest")

    def unroll(self):
        """Fetch all that was said before the rows that are shown."""
        earlier = self.page.locator("[data-more=before]")
        while earlier.count():
            first = self.rows()[0][0]
            earlier.click()
            self.page.wait_for_function("first => Number(document.querySelector('#messages .m').dataset.seq) < first", arg=first)

    def rows(self):
        """[(seq, steps of the source documents)] of the rows that are shown."""
        return [(int(seq), seeds) for seq, seeds in self.page.evaluate(
            "() => [...document.querySelectorAll('#messages .m')].map(row => [row.dataset.seq, row.querySelector('.seed')?.textContent || ''])")]

    def seeds(self, document=""):
        """The steps of the source documents, or of one ("C", "D"), in the order in which they were seen first."""
        return list(dict.fromkeys(seed for _, seeds in self.rows() for seed in seeds.split() if seed.startswith(document)))

    def shows_everything(self):
        """Every message is there, in order, each once."""
        assert [seq for seq, _ in self.rows()] == list(range(1, self.seq() + 1))

    def row(self, reason):
        return self.page.locator(f"#messages .m[data-reason={reason}]").first

    def statuses(self):
        return self.page.locator("#nodes .pod .status").all_inner_texts()


@pytest.fixture
def visit(chromium, server):
    """visit(language="en", width=1440, height=900, **more) -> Lab: a new browser, which must not say anything bad while it is looked at."""
    contexts, complaints = [], []

    def visit(language="en", width=1440, height=900, **more):
        locale, viewport = {"en": "en-US", "zh-hans": "zh-CN"}[language], {"width": width, "height": height}
        context = chromium.new_context(locale=locale, viewport=viewport, reduced_motion="reduce", **more)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: message.type == "error" and not is_expected(message.text) and complaints.append(message.text))
        return Lab(page, server)

    expect.set_options(timeout=PATIENCE)
    yield visit
    for context in contexts:
        context.close()
    assert complaints == []


def is_expected(text):
    """Forms answer 422 with their errors in words; everything else that a browser complains about is a mistake."""
    return "422" in text
