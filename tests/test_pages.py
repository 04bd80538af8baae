"""The pages of a learner: clusters, the live page and its fragments, in both languages, without a line of script or style in them."""
import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse
from django.utils import translation

from lifecycle import clusters, looking_back
from lifecycle.models import Cluster
from lifecycle.picture import render_behind, render_push
from lifecycle.views.live import SCRIPTS
from lifecycle.views.panels import PANELS

from .cast import a_browser

pytestmark = pytest.mark.django_db(transaction=True)

POD = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: hello\nspec:\n  containers:\n  - name: app\n    image: nginx:1.27\n"


@pytest.fixture
def browser():
    """A guest with one new cluster."""
    guest = a_browser(headers={"accept-language": "en"})
    guest.post(reverse("home"), {"name": "Ours", "nodes": "2"})
    guest.cluster = Cluster.objects.get()
    return guest


def ask(browser, name, *arguments, **query):
    return browser.get(reverse(name, args=[browser.cluster.pk, *arguments]), query)


def act(browser, name, **fields):
    return browser.post(reverse(name, args=[browser.cluster.pk]), fields)


def text_of(answer):
    return answer.content.decode()


def settle(browser):
    """Run until nothing is left to do."""
    clusters.set_pace(browser.cluster.pk, "real", 1000)
    with clusters.act(browser.cluster.pk) as opened:
        opened.simulation.run_until_settled(opened.simulation.clock.now + 300_000)


def run(browser, line):
    clusters.command(browser.cluster.pk, line)
    settle(browser)


# -- home ------------------------------------------------------------------------------------------------------------------
def test_home_invites_to_make_the_first_cluster(client):
    answer = client.get("/")
    assert answer.status_code == 200 and "No clusters yet" in text_of(answer)


def test_a_new_cluster_opens_its_page(browser):
    answer = browser.post(reverse("home"), {"name": "Second", "nodes": "3"})
    assert answer.status_code == 302 and browser.get(answer.url).status_code == 200
    assert "Second" in text_of(browser.get("/"))


def test_a_wrong_number_of_nodes_is_said_beside_the_field(client):
    answer = client.post("/", {"name": "x", "nodes": "99"})
    assert answer.status_code == 422 and 'id="id_nodes_error"' in text_of(answer)


def test_a_cluster_can_be_deleted(browser):
    assert browser.post(reverse("delete_cluster", args=[browser.cluster.pk])).status_code == 302
    assert not Cluster.objects.exists()


# -- the live page ---------------------------------------------------------------------------------------------------------
def test_the_live_page_shows_nodes_and_waits_for_the_first_message(browser):
    page = text_of(ask(browser, "cluster"))
    assert 'id="node-n1"' in page and 'id="node-n2"' in page and "Nothing has been said yet" in page


def test_the_live_page_of_a_cluster_that_has_moved(browser):
    run(browser, "kubectl run hello --image=nginx:1.27")
    page = text_of(ask(browser, "cluster"))
    assert "hello" in page and 'id="m-1"' in page and "pod/hello created" in page and 'class="gap"' in page


@pytest.mark.parametrize("language, words", [("en", "Sequence diagram"), ("zh-hans", "时序图")])
def test_the_browser_decides_the_first_language(browser, language, words):
    page = text_of(browser.get(reverse("cluster", args=[browser.cluster.pk]), headers={"accept-language": language}))
    assert words in page and f'lang="{language}"' in page


def test_the_language_can_be_switched_on_every_page(browser):
    browser.post(reverse("set_language"), {"language": "zh-hans", "next": "/"})
    assert "我的集群" in text_of(browser.get("/"))


def test_every_text_of_the_pages_is_translated(browser):
    run(browser, "kubectl create deployment web --image=nginx:1.27 --replicas=2")
    with translation.override("zh-hans"):
        page = text_of(browser.get(reverse("cluster", args=[browser.cluster.pk]), headers={"accept-language": "zh-hans"}))
    for english in ("Ready-made", "Control plane", "Next message", "Show earlier", "Own YAML", "Keyboard"):
        assert english not in page


def test_pages_have_no_inline_script_and_no_inline_style(browser):
    run(browser, "kubectl run hello --image=nginx:1.27")
    pages = [browser.get("/"), ask(browser, "cluster"), ask(browser, "at", 5), *(ask(browser, "tab", name) for name in PANELS)]
    for page in map(text_of, pages):
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", page)


def test_scripts_and_styles_are_small():
    htmx = ["django_htmx/htmx-2.min.js", "django_htmx/ext/hx-ws-2.min.js"]
    names = [*SCRIPTS, *htmx, "js/theme.js", "css/base.css", "css/lab.css", "css/diagram.css", "icons.svg"]
    assert sum(len(gzip.compress(Path(finders.find(name)).read_bytes())) for name in names) < 150_000


# -- messages --------------------------------------------------------------------------------------------------------------
def test_a_window_of_messages_can_be_asked_for(browser):
    run(browser, "kubectl create deployment web --image=nginx:1.27 --replicas=6")
    newest = Cluster.objects.get().messages
    assert newest > 250
    page = text_of(ask(browser, "messages", before=50))
    assert 'id="m-49"' in page and 'id="m-50"' not in page and 'data-more="after"' in page
    assert 'id="m-51"' in text_of(ask(browser, "messages", after=50))
    assert f'id="m-{newest}"' in text_of(ask(browser, "messages", at="nonsense"))


def test_a_message_is_explained_with_its_request_and_its_change(browser):
    run(browser, "kubectl run hello --image=nginx:1.27")
    binding = next(step for step in looking_back.messages(browser.cluster.pk) if step.reason == "CreatePodBinding")
    page = text_of(ask(browser, "message", binding.seq))
    assert "Bind Pod hello" in page and "POST /api/v1/namespaces/default/pods/hello/binding" in page and "<ins>+   nodeName: n" in page and "201" in page
    assert ask(browser, "message", 99_999).status_code == 404


def test_looking_back_shows_the_cluster_as_it_was(browser):
    run(browser, "kubectl run hello --image=nginx:1.27")
    steps = looking_back.messages(browser.cluster.pk)
    pulling = next(step for step in steps if step.reason == "PullImage")
    assert "ContainerCreating" in text_of(ask(browser, "at", pulling.seq))
    assert "Running" in text_of(ask(browser, "at", 0))
    assert "nodeName" not in text_of(ask(browser, "tab", "objects", at=steps[3].seq, key="/registry/pods/default/hello"))
    assert ask(browser, "at", 99_999).status_code == 404


@pytest.mark.parametrize("name", PANELS)
def test_every_panel_answers_before_and_after_there_is_something(browser, name):
    assert ask(browser, "tab", name).status_code == 200
    run(browser, "kubectl create deployment web --image=nginx:1.27 --replicas=2")
    assert ask(browser, "tab", name).status_code == 200 and ask(browser, "tab", name, at=30).status_code == 200


def test_there_is_no_other_panel(browser):
    assert ask(browser, "tab", "secrets").status_code == 404


def test_logs_are_what_had_been_printed_at_that_moment(browser):
    clusters.command(browser.cluster.pk, "kubectl run talk --image=busybox:1.36 --restart=Never -- sh -c 'echo one; sleep 5; echo two'")
    with clusters.act(browser.cluster.pk) as opened:
        opened.simulation.run_until(opened.simulation.clock.now + 3000)
    run(browser, "kubectl get pods")
    page = text_of(ask(browser, "tab", "logs", key="/registry/pods/default/talk", container="talk"))
    assert "one" in page and "two" in page
    asked = next(step for step in looking_back.messages(browser.cluster.pk) if step.reason.startswith("List"))
    page = text_of(ask(browser, "tab", "logs", key="/registry/pods/default/talk", container="talk", at=asked.seq))
    assert "one</span>" in page and "two</span>" not in page


# -- actions ---------------------------------------------------------------------------------------------------------------
def test_creating_sends_kubectl_apply(browser):
    answer = act(browser, "create", manifest=POD, verb="apply")
    assert answer.status_code == 200 and "Sent: kubectl apply -f manifest.yaml" in text_of(answer)
    settle(browser)
    assert "hello" in text_of(ask(browser, "tab", "objects"))


def test_a_wrong_manifest_is_not_sent_and_marks_its_line(browser):
    answer = act(browser, "create", manifest=POD.replace("image:", "imag:"), verb="apply")
    assert answer.status_code == 422 and 'data-line="8"' in text_of(answer) and Cluster.objects.get().messages == 0


def test_deleting_uses_the_chosen_way(browser):
    run(browser, "kubectl run hello --image=nginx:1.27")
    answer = act(browser, "delete", target="/registry/pods/default/hello", cascade="background", now="on", wait="on")
    assert "Sent: kubectl delete pod hello --now" in text_of(answer)
    settle(browser)
    assert "hello" not in text_of(ask(browser, "tab", "etcd")).replace("events/default/hello", "")


def test_faults_break_and_mend(browser):
    assert "Done: node n2 down" in text_of(act(browser, "fault", words="node n2 down"))
    assert "node n2 up" in text_of(ask(browser, "tab", "faults"))
    assert act(browser, "fault", words="component scheduler stop").status_code == 200
    assert "stopped" in text_of(ask(browser, "tab", "control-plane"))
    # Looking back, it should not pass off as past what is so now
    run(browser, "kubectl get nodes")
    past = text_of(ask(browser, "tab", "control-plane", at=1))
    assert "live only" in past and '<span class="bad">stopped' not in past and "waiting</span>" not in past
    answer = act(browser, "fault", words="moon down")
    assert answer.status_code == 422 and "errors" in text_of(answer)


def test_a_command_that_is_not_kubectl_is_refused_beside_the_prompt(browser):
    answer = act(browser, "command", line="ls")
    assert answer.status_code == 422 and "Only kubectl is here" in text_of(answer)


def test_pace_and_next(browser):
    assert act(browser, "pace", choice="paused").status_code == 204 and Cluster.objects.get().pace == "paused"
    assert act(browser, "pace", choice="warp:9").status_code == 422
    assert act(browser, "next").status_code == 205
    act(browser, "command", line="kubectl get pods")


def test_limits_are_said_in_the_form(browser, settings):
    settings.LIFECYCLE_CLUSTERS = 1
    answer = browser.post(reverse("home"), {"name": "Too many", "nodes": "1"})
    assert answer.status_code == 422 and "Delete one first" in text_of(answer)


# -- sharing ---------------------------------------------------------------------------------------------------------------
def test_a_read_only_link_shows_everything_and_changes_nothing(browser):
    run(browser, "kubectl run hello --image=nginx:1.27")
    act(browser, "make_link")
    secret = Cluster.objects.get().view_secret
    visitor = a_browser()
    visitor.cluster = browser.cluster
    assert ask(visitor, "cluster").status_code == 404
    page = text_of(visitor.get(reverse("share", args=[secret]), follow=True))
    assert "hello" in page and 'id="create-form"' not in page and 'id="prompt"' not in page and "read only" in page
    assert act(visitor, "command", line="kubectl get pods").status_code == 403
    act(browser, "make_link", revoke="1")
    assert ask(visitor, "cluster").status_code == 404


# -- pushes ----------------------------------------------------------------------------------------------------------------
def pushed(browser, steps, language="en"):
    row = Cluster.objects.get()
    return render_push(row, steps, looking_back.snapshot(row.pk), language)


def test_every_pushed_fragment_says_where_it_goes(browser):
    run(browser, "kubectl run hello --image=nginx:1.27")
    html = pushed(browser, looking_back.messages(browser.cluster.pk))
    for place in ("head", "messages", "explanation", "commands", "out-1", "nodes"):
        assert re.search(rf'<\w+ id="{place}"[^>]*hx-swap-oob=', html), place
    assert 'data-from="0"' in html


def test_a_push_speaks_the_viewers_language(browser):
    run(browser, "kubectl run hello --image=nginx:1.27")
    steps = looking_back.messages(browser.cluster.pk)
    assert "创建 Pod hello" in pushed(browser, steps, "zh-hans") and "Create Pod hello" in pushed(browser, steps, "en")


def test_only_the_nodes_that_changed_are_pushed(browser):
    run(browser, "kubectl run hello --image=nginx:1.27")
    row = Cluster.objects.get()
    snapshot = looking_back.snapshot(row.pk)
    key = "/registry/pods/default/hello"
    html = render_push(row, looking_back.messages(row.pk)[-1:], snapshot._replace(changed=frozenset([key])), "en")
    node = snapshot.objects[key]["spec"]["nodeName"]
    assert re.findall(r'id="node-(n\d)"', html) == [node]


def test_a_viewer_who_is_far_behind_is_told_to_fetch(browser):
    run(browser, "kubectl run hello --image=nginx:1.27")
    html = render_behind(Cluster.objects.get(), "en")
    assert "data-behind" in html and f'data-seq="{Cluster.objects.get().messages}"' in html


def test_a_change_of_pace_alone_is_pushed(browser):
    clusters.set_pace(browser.cluster.pk, "paused")
    html = render_push(Cluster.objects.get(), [], looking_back.snapshot(browser.cluster.pk)._replace(changed=frozenset()), "en")
    assert 'data-pace="paused"' in html and "At rest" in html and 'id="messages"' not in html
