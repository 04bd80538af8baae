"""The main job of a learner, in a real browser, in both languages."""
import re

import pytest
from playwright.sync_api import expect

from .document_order import CREATION, DELETION, steps

FAST, SLOW = "real:60", "story:0.1"
DEPLOYMENT = "/registry/deployments/default/web"
WORDS = {
    "en": {"run": "Run kubectl apply", "bind": "Bind Pod", "sent": "Sent: kubectl apply", "line": "Line 6", "unknown": "unknown field"},
    "zh-hans": {"run": "执行 kubectl apply", "bind": "绑定到节点", "sent": "已发送：kubectl apply", "line": "第 6 行", "unknown": "未知字段"},
}
NOW = re.compile(r"\bnow\b")


@pytest.fixture(params=WORDS)
def language(request):
    return request.param


def with_pods(lab, count, node=""):
    """Wait until so many Pods are well, on all nodes or on one."""
    expect(lab.page.locator(f"#{node or 'nodes'} .pod.good")).to_have_count(count)


def everything_was_shown(lab):
    lab.at_rest()
    lab.unroll()
    lab.shows_everything()


@pytest.mark.parametrize("policy", DELETION)
def test_a_deployment_is_born_and_dies_message_by_message(visit, language, policy):
    lab = visit(language).make_cluster()
    lab.pace(FAST)
    lab.create("whole")
    expect(lab.page.locator("#create-form .sent")).to_contain_text(WORDS[language]["sent"])
    with_pods(lab, 3)
    everything_was_shown(lab)
    assert lab.seeds("C") == steps(CREATION)
    assert set(lab.seeds("C")) == {f"C{number}" for number in range(1, 24)}
    lab.delete(DEPLOYMENT, policy)
    expect(lab.page.locator("#console")).to_contain_text('deployment.apps "web" deleted')
    expect(lab.page.locator("#nodes .pod")).to_have_count(3 if policy == "orphan" else 0)
    everything_was_shown(lab)
    assert lab.seeds("D") == steps(DELETION[policy])


def test_a_process_that_ignores_its_signal_is_killed_after_its_grace(visit, language):
    lab = visit(language).make_cluster(1)
    lab.pace(SLOW)
    lab.create("stubborn")
    with_pods(lab, 1)
    lab.at_rest()
    lab.delete("/registry/pods/default/stubborn")
    expect(lab.page.locator("#nodes .pod.ending")).to_have_count(1)
    expect(lab.page.locator("#nodes .pod")).to_have_count(0)
    everything_was_shown(lab)
    assert [step for step in lab.seeds("D") if step in ("D13", "D14", "D16")] == ["D13", "D14", "D16"]
    # It should have waited the ten seconds of grace in virtual time, folded into a line.
    gaps = lab.page.locator("#messages .gap").all_inner_texts()
    assert any("10.0" in gap or "9." in gap for gap in gaps), gaps


def test_a_message_is_explained_with_its_request_and_its_change(visit, language):
    lab = visit(language).make_cluster()
    lab.pace(FAST)
    lab.create("deployment")
    with_pods(lab, 3)
    lab.at_rest()
    lab.row("CreatePodBinding").locator(".label").click()
    expect(lab.page.locator(".explain h3")).to_contain_text(WORDS[language]["bind"])
    lab.tab("request")
    expect(lab.page.locator("#p-request .wire")).to_contain_text("POST /api/v1/namespaces/default/pods/web-")
    lab.tab("change")
    expect(lab.page.locator("#p-change ins").filter(has_text="nodeName")).to_have_count(1)
    # It should show the cluster as it was then: no Pod ran yet.
    assert "Running" not in lab.statuses()
    lab.page.locator("#live").click()
    with_pods(lab, 3)


def test_step_by_step_forwards_and_back(visit, language):
    lab = visit(language).make_cluster()
    lab.page.locator("#play").click()
    lab.page.wait_for_selector("#head[data-pace=paused]", state="attached")
    lab.create("pod")
    lab.wait_for_seq(1)
    for _ in range(10):
        before = lab.seq()
        lab.page.locator("#next").click()
        lab.wait_for_seq(before + 1)
    newest = lab.seq()
    lab.page.locator("#previous").click()
    expect(lab.page.locator(f"#m-{newest - 1}")).to_have_class(NOW)
    expect(lab.page.locator("#counter")).to_contain_text(f"{newest - 1} / {newest}")
    lab.page.locator("#to-first").click()
    expect(lab.page.locator(".explain h3")).to_contain_text(WORDS[language]["run"])
    expect(lab.page.locator("#nodes .pod")).to_have_count(0)
    lab.page.locator("#live").click()
    expect(lab.page.locator(f"#m-{newest}")).to_have_class(NOW)


def test_a_node_is_killed_half_way_and_its_pods_are_made_anew_elsewhere(visit, language):
    lab = visit(language).make_cluster(2)
    lab.pace(SLOW)
    lab.create("deployment")
    expect(lab.page.locator("#messages .m[data-reason=PullImage]").first).to_be_visible()
    lab.fault("node n1 down")
    lab.pace(FAST)
    expect(lab.page.locator("#node-n1.not-ready")).to_have_count(1)
    with_pods(lab, 3, "node-n2")
    lab.fault("node n1 up")
    expect(lab.page.locator("#node-n1:not(.not-ready)")).to_have_count(1)
    expect(lab.page.locator("#nodes .pod")).to_have_count(3)
    everything_was_shown(lab)


def test_a_mistake_in_the_yaml_is_marked_at_its_line(visit, language):
    lab, words = visit(language).make_cluster(), WORDS[language]
    text = lab.page.locator("#manifest").input_value()
    lab.create(text=text.replace("replicas:", "replica:"))
    errors = lab.page.locator("#manifest-errors")
    expect(errors).to_contain_text(words["line"])
    expect(errors).to_contain_text(words["unknown"])
    expect(lab.page.locator("#editor .mark")).to_be_visible()
    errors.locator("button").click()
    selected = "() => { const box = document.getElementById('manifest'); return box.value.slice(box.selectionStart, box.selectionEnd) }"
    assert lab.page.evaluate(selected) == "  replica: 3"
    lab.create(text=text)
    expect(lab.page.locator("#create-form .sent")).to_contain_text(words["sent"])


def test_the_manifest_is_that_of_the_last_choice_whichever_comes_last(visit):
    lab, held = visit().make_cluster(1), []
    manifest = lab.page.locator("#manifest")
    lab.page.route(re.compile("/examples/pod/"), lambda route: held.append((route, route.fetch())))
    with lab.page.expect_request(re.compile("/examples/pod/")):
        lab.page.locator("#example").select_option("pod")
    lab.page.locator("#example").select_option("service")
    expect(manifest).to_have_value(re.compile("kind: Service"))
    with lab.page.expect_response(re.compile("/examples/pod/")):
        held[0][0].fulfill(response=held[0][1])
    lab.page.locator("#t-faults").click()
    expect(manifest).to_have_value(re.compile("kind: Service"))


def test_a_reload_in_the_middle_goes_on_where_it_was(visit, language):
    lab = visit(language).make_cluster()
    lab.pace(SLOW)
    lab.create("whole")
    lab.wait_for_seq(20)
    lab.page.reload()
    lab.connected()
    lab.wait_for_seq(40)
    lab.pace(FAST)
    with_pods(lab, 3)
    everything_was_shown(lab)
    assert lab.seeds("C") == steps(CREATION)


def test_the_whole_story_by_keyboard_alone(visit, language):
    lab = visit(language).make_cluster()
    lab.keys("Space")
    lab.page.wait_for_selector("#head[data-pace=paused]", state="attached")
    lab.keys("c")
    lab.choose("#example", "whole")
    expect(lab.page.locator("#manifest")).to_have_value(re.compile("^apiVersion: v1\nkind: ConfigMap"))
    lab.tab_to("#create-form .primary")
    lab.keys("Enter")
    lab.wait_for_seq(1)
    lab.keys("Escape")
    lab.tab_to("#scroller")
    # It should go on and back by the arrows, and explain where it stands.
    for _ in range(12):
        before = lab.seq()
        lab.keys("ArrowRight")
        lab.wait_for_seq(before + 1)
    lab.keys("Home")
    expect(lab.page.locator(".explain[data-seq='1'] h3")).to_contain_text(WORDS[language]["run"])
    stored = int(lab.row("EtcdCreate").get_attribute("data-seq"))
    for place in range(2, stored + 1):
        lab.keys("ArrowRight")
        expect(lab.page.locator(f".explain[data-seq='{place}']")).to_be_visible()
    lab.tab_to("#t-meaning")
    for tab in ("request", "change"):
        lab.keys("ArrowRight")
        expect(lab.page.locator(f"#t-{tab}")).to_be_focused()
    expect(lab.page.locator("#p-change ins").filter(has_text="kind: ConfigMap")).to_have_count(1)
    lab.keys("End")
    expect(lab.page.locator("#live")).to_have_attribute("aria-pressed", "true")
    # It should choose the pace, go on, and delete.
    lab.choose("#pace-choice", FAST)
    lab.page.wait_for_selector("#head[data-pace=real]", state="attached")
    with_pods(lab, 3)
    everything_was_shown(lab)
    assert lab.seeds("C") == steps(CREATION)
    lab.keys("Escape", "d")
    expect(lab.page.locator("#t-delete")).to_be_focused()
    lab.choose("#id_target", DEPLOYMENT)
    lab.tab_to("#delete-form input[name=cascade]")
    lab.keys("ArrowDown")
    expect(lab.page.locator("#delete-form input[value=foreground]")).to_be_checked()
    lab.tab_to("#delete-form .primary")
    lab.keys("Enter")
    expect(lab.page.locator("#nodes .pod")).to_have_count(0)
    everything_was_shown(lab)
    assert lab.seeds("D") == steps(DELETION["foreground"])


def test_the_console_prints_what_kubectl_prints(visit):
    lab = visit().make_cluster()
    lab.pace(FAST)
    lab.type("kubectl create deployment web --image=nginx:1.27 --replicas=2")
    expect(lab.page.locator("#console")).to_contain_text("deployment.apps/web created")
    with_pods(lab, 2)
    lab.type("kubectl get nodes")
    expect(lab.page.locator("#commands .cmd").last).to_contain_text("NAME")
    lab.type("ls")
    expect(lab.page.locator("#prompt-error")).to_contain_text("Only kubectl")


def test_every_panel_shows_something(visit):
    lab = visit().make_cluster()
    lab.pace(FAST)
    lab.create("deployment")
    with_pods(lab, 3)
    for name, words in {"events": "ScalingReplicaSet", "objects": "Deployment", "logs": "nginx", "timeline": "web-", "progress": "successfully rolled out",
                        "control-plane": "How the scheduler chose", "etcd": "/registry/deployments/default/web"}.items():
        lab.tab(name)
        expect(lab.page.locator(f"#p-{name}")).to_contain_text(words)
    lab.page.locator(f"#p-etcd [data-object='{DEPLOYMENT}']").click()
    expect(lab.page.locator("#object-text")).to_contain_text("kind: Deployment")
