"""A guest goes through whole lessons in both languages, predicts wrongly, takes a wrong turn, and comes to the end; by ear, by keyboard and on a phone too."""
import re

import pytest
from playwright.sync_api import expect

from lifecycle.lessons.catalog import find
from lifecycle.lessons.playing import play
from lifecycle.simulation.cluster import Cluster

from .test_access import serious

FAST, BRISK = "real:60", "story:0.1"
# What is done wrong: before which task's solution, the lines, and how one comes back from it
WRONG = {
    "a-pod-is-born": ("store", ("kubectl run other --image=nginx:1.27",), ()),
    "crash-and-back-off": ("repair", ("kubectl create configmap settings --from-literal=size=1",), ("kubectl delete configmap settings",)),
    "deleting-a-deployment": ("foreground", ("kubectl apply -f web.yaml", "kubectl delete deployment web"), ()),
}


class Pupil:
    """Somebody in a lesson, in a Lab."""

    def __init__(self, lab, slug):
        self.lab, self.page, self.lesson = lab, lab.page, find(slug)
        self.outcomes = {each.id: each.outcome for each in play(self.lesson, Cluster(1)).predictions}

    def start(self):
        self.page.goto(f"{self.lab.server}/lessons/{self.lesson.slug}/")
        self.page.locator("main form .primary").click()
        self.lab.connected()
        return self

    def panel(self):
        self.lab.tab("lesson")

    def predict_wrongly(self, prediction):
        """Answer with an option that the run will not give."""
        self.panel()
        card = self.page.locator(f"#lesson-card-{prediction.id}")
        wrong = card.locator(f"input[type=radio]:not([value='{self.outcomes[prediction.id]}'])").first
        wrong.check()
        with self.page.expect_response(re.compile("/predict/$")):
            card.locator("button").first.click()
        expect(card.locator("[data-announce]")).to_be_attached()

    def do(self, line):
        """A line of a solution: typed, and its answer read, unless the cluster pauses before; or the task's own button. Time passes by itself."""
        act = self.page.locator(f".lesson-act:has(input[value='{line}']) button")
        if line.startswith("kubectl"):
            typed = self.page.locator("#commands .cmd").count()
            self.lab.type(line)
            self.page.wait_for_function("""typed => document.getElementById("head").dataset.pace === "paused"
                || document.querySelectorAll("#commands .cmd")[typed]?.querySelector("pre").textContent""", arg=typed)
        elif not line.startswith("wait"):
            self.panel()
            act.click()

    def until_done(self, id):
        """Let the cluster run on, past every stop, until a task is done."""
        done = f"#lesson-task-{id}.done"
        while not self.page.locator(done).count():
            self.page.wait_for_selector(f"{done}, #head[data-pace=paused]", state="attached")
            if not self.page.locator(done).count():
                self.page.locator("#play").click()
                self.page.wait_for_selector("#head:not([data-pace=paused])", state="attached")


@pytest.fixture
def pupil(visit):
    return lambda slug, *arguments, **options: Pupil(visit(*arguments, **options), slug)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("slug", WRONG)
def test_a_guest_goes_through_a_whole_lesson(pupil, slug, language):
    guest = pupil(slug, language).start()
    page, words = guest.page, guest.lesson.words[language]
    expect(page.locator("#lesson h2")).to_have_text(words["title"])
    guest.lab.pace(BRISK)
    wrong_task, wrong, back = WRONG[slug]
    for task in guest.lesson.tasks:
        if not page.locator(f"#lesson-task-{task.id}.done").count():
            for prediction in guest.lesson.predictions:
                if prediction.task == task.id and page.locator(f"#lesson-card-{prediction.id} form").count():
                    guest.predict_wrongly(prediction)
            if task.id == wrong_task:
                for line in wrong:
                    guest.do(line)
                expect(page.locator("#lesson-wrong p")).to_have_count(1)
                for line in back:
                    guest.do(line)
            for line in task.solution:
                guest.do(line)
            guest.until_done(task.id)
    guest.panel()
    expect(page.locator("#lesson-over")).to_contain_text(re.compile(r"\w"))
    marked = page.locator(".lesson-card:is(.mark-wrong, .mark-right, .mark-unanswered)")
    assert marked.count() == len(guest.lesson.predictions)
    assert page.locator(".lesson-card.mark-wrong").count() >= 1
    page.locator("#lesson-over a.primary").click()
    expect(page.locator(".seen .m").first).to_be_attached()
    steps = page.locator(".seen .seed").all_inner_texts()
    assert {"C1", "D1"} & set(" ".join(steps).split())
    for question in page.locator("form.question").all():
        question.locator("input[type=radio]").first.check()
        question.locator("button").click()
    expect(page.locator("form.question [role=status]")).to_have_count(3)
    page.locator(".lesson-next .primary").click()
    page.goto(f"{guest.lab.server}/lessons/")
    expect(page.locator(".course-lesson.finished")).to_have_count(1)


def test_a_screen_reader_is_told_what_happens(pupil):
    guest = pupil("crash-and-back-off").start()
    page, news = guest.page, guest.page.get_by_role("log", name="News of the lesson")
    expect(news).to_have_attribute("aria-live", "polite")
    expect(news).to_be_empty()
    expect(page.get_by_role("tab", name="Lesson")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("progressbar", name="Tasks done")).to_be_visible()
    checks = page.get_by_role("list", name="What is to be seen").get_by_role("listitem")
    expect(checks.first.get_by_role("img", name="not yet")).to_be_visible()
    words = guest.lesson.words["en"]
    page.get_by_role("group", name=re.compile("^Predict")).get_by_role("radio").first.check()
    page.get_by_role("button", name="Submit my prediction").press("Enter")
    expect(news).to_contain_text("Noted.")
    guest.lab.pace(FAST)
    guest.lab.type("kubectl apply -f painter.yaml")
    expect(news).to_contain_text(f"done: {words['tasks']['crash']['title']}")
    expect(news).to_contain_text("The cluster says:")


def test_new_messages_are_announced(pupil):
    guest = pupil("a-pod-is-born").start()
    newest = guest.page.get_by_role("status", name="Newest message")
    expect(newest).to_have_attribute("aria-live", "polite")
    expect(newest).to_be_empty()
    guest.lab.type("kubectl get nodes")
    expect(newest).to_contain_text("kubectl → User Print the result")


def test_what_was_half_answered_stays_while_the_cluster_moves(pupil):
    guest = pupil("crash-and-back-off").start()
    page = guest.page
    choice = page.locator("#lesson-card-phase input[type=radio]").nth(1)
    choice.focus()
    choice.check()
    with page.expect_response(re.compile("/hint/$")):
        page.evaluate("() => document.getElementById('lesson-more-hints').closest('form').requestSubmit()")
    expect(page.locator(".lesson-hints li")).to_have_count(1)
    expect(choice).to_be_checked()
    expect(choice).to_be_focused()


def test_a_lessons_manifest_goes_into_the_editor(pupil):
    guest = pupil("crash-and-back-off").start()
    guest.lab.tab("create")
    guest.page.locator("#manifest").fill("")
    guest.panel()
    guest.page.locator("[data-manifest]").first.click()
    expect(guest.page.locator("#manifest")).to_have_value(re.compile("name: painter"))
    expect(guest.page.locator("#manifest")).to_be_focused()


def test_a_kind_of_message_in_the_text_leads_to_the_newest_one(pupil):
    guest = pupil("crash-and-back-off").start()
    page = guest.page
    kind = page.get_by_role("button", name="RestartContainer")
    expect(kind).to_have_accessible_description(re.compile("newest message of this kind"))
    kind.press("Enter")
    expect(page.locator("#lesson [role=status]")).to_have_text(re.compile("no such message yet"))
    guest.lab.pace(FAST)
    guest.lab.type("kubectl apply -f painter.yaml")
    guest.until_done("loop")
    guest.panel()
    page.locator("#lesson-task-loop [data-kind=RestartContainer]").first.press("Enter")
    lit = page.locator("#messages .m.now[data-reason=RestartContainer]")
    expect(lit).to_be_visible()
    newest = int(lit.get_attribute("data-seq"))
    page.locator("#lesson-task-loop [data-kind=RestartContainer]").first.press("Enter")
    page.wait_for_function("newest => Number(document.querySelector('#messages .m.now').dataset.seq) < newest", arg=newest)
    expect(lit).to_be_visible()


def test_starting_over_is_one_press(pupil):
    guest = pupil("crash-and-back-off").start()
    page = guest.page
    guest.lab.pace(FAST)
    guest.lab.type("kubectl apply -f painter.yaml")
    guest.until_done("crash")
    guest.panel()
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator(".lesson-foot button").click()
    guest.lab.connected()
    expect(page.locator("#lesson-task-crash.open")).to_be_attached()
    expect(page.locator("#nodes .pod")).to_have_count(0)


def test_on_a_phone_the_lesson_has_its_own_tab(pupil):
    guest = pupil("crash-and-back-off", "zh-hans", 360, 740).start()
    page, tabs = guest.page, guest.page.locator(".phone-tabs button")
    expect(page.locator("#lesson-task-crash h3")).to_be_visible()
    tabs.nth(1).click()
    expect(page.locator("#manifest")).to_be_visible()
    tabs.nth(2).click()
    expect(page.locator("#diagram")).to_be_visible()
    tabs.nth(0).click()
    expect(page.locator("#lesson-task-crash h3")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    for address in ("/", "/lessons/", "/lessons/progress/", "/lessons/components/"):
        page.goto(guest.lab.server + address)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360, address


@pytest.mark.parametrize("language, scheme, width", [("en", "light", 1440), ("zh-hans", "dark", 360)])
def test_axe_finds_nothing_serious_in_a_lesson(pupil, language, scheme, width):
    guest = pupil("a-pod-is-born", language, width, 800, color_scheme=scheme)
    page = guest.page
    for address in ("/lessons/", "/lessons/progress/", "/lessons/a-pod-is-born/"):
        page.goto(guest.lab.server + address)
        assert serious(page) == [], address
    guest.start()
    page.locator("#lesson-more-hints").click()
    expect(page.locator(".lesson-hints li")).to_have_count(1)
    assert serious(page) == []
    page.goto(f"{guest.lab.server}/lessons/progress/")
    assert serious(page) == []
