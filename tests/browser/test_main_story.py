"""The main job of a learner, in a real browser, in both languages."""
import re

import pytest
from playwright.sync_api import expect

FAST = "real:60"
DEPLOYMENT, POD = "/registry/deployments/default/web", "/registry/pods/default/hello"
WORDS = {
    "en": {"bind": "Bind Pod", "change": "Change", "sent": "Sent: kubectl apply", "line": "Line 6", "unknown": "unknown field"},
    "zh-hans": {"bind": "绑定到节点", "change": "变化", "sent": "已发送：kubectl apply", "line": "第 6 行", "unknown": "未知字段"},
}
CREATION = [f"C{number}" for number in range(1, 24)]
NOW = re.compile(r"\bnow\b")


@pytest.fixture(params=["en", "zh-hans"])
def language(request):
    return request.param


def test_a_deployment_is_born_message_by_message(visit, language):
    lab, words = visit(language).make_cluster(), WORDS[language]
    lab.pace(FAST)
    lab.create("deployment")
    expect(lab.page.locator("#create-form .sent")).to_contain_text(words["sent"])
    expect(lab.page.locator("#nodes .pod.good")).to_have_count(3)
    lab.at_rest()
    # It should have shown every message, in order, each once.
    numbers = [seq for seq, _ in lab.rows()]
    assert numbers == list(range(1, lab.seq() + 1))
    # It should have shown C1 to C23, the order of the document as far as it is Kubernetes'.
    seen = [seed for seed in lab.seeds() if seed.startswith("C")]
    assert set(CREATION) - {"C17"} <= set(seen)
    assert [seed for seed in seen if seed in CREATION[:13]] == CREATION[:13]
    # It should explain an arrow, with the request and the change of the stored object.
    row = lab.row("CreatePodBinding")
    row.locator(".label").click()
    expect(lab.page.locator(".explain h3")).to_contain_text(words["bind"])
    lab.tab("request")
    expect(lab.page.locator("#p-request .wire")).to_contain_text("POST /api/v1/namespaces/default/pods/web-")
    lab.tab("change")
    expect(lab.page.locator("#p-change ins").filter(has_text="nodeName")).to_have_count(1)
    # It should show the cluster as it was then: this Pod on no node yet, or waiting.
    assert "Running" not in lab.statuses()
    lab.page.locator("#live").click()
    expect(lab.page.locator("#nodes .pod.good")).to_have_count(3)


@pytest.mark.parametrize("cascade, seeds", [
    ("background", {"D1", "D2", "D6", "D7", "D8"}), ("foreground", {"D1", "D2", "D4", "D21", "D22", "D23"}), ("orphan", {"D1", "D2"})])
def test_a_deployment_is_deleted_with_each_policy(visit, cascade, seeds):
    lab = visit().make_cluster()
    lab.pace(FAST)
    lab.create("deployment")
    expect(lab.page.locator("#nodes .pod.good")).to_have_count(3)
    lab.at_rest()
    lab.delete(DEPLOYMENT, cascade)
    expect(lab.page.locator("#console")).to_contain_text('deployment.apps "web" deleted')
    if cascade == "orphan":
        lab.at_rest()
        expect(lab.page.locator("#nodes .pod.good")).to_have_count(3)
    else:
        expect(lab.page.locator("#nodes .pod")).to_have_count(0)
        lab.at_rest()
        seeds = seeds | {"D3", "D5", "D9", "D10", "D12", "D13", "D16", "D18", "D20"}
    assert seeds <= set(lab.seeds())


def test_a_pod_is_deleted_with_grace_and_the_idle_time_is_folded(visit, language):
    lab = visit(language).make_cluster(1)
    lab.pace("story:0.1")
    lab.create("stubborn")
    expect(lab.page.locator("#nodes .pod.good")).to_have_count(1)
    lab.at_rest()
    lab.delete("/registry/pods/default/stubborn")
    expect(lab.page.locator("#nodes .pod.ending")).to_have_count(1)
    expect(lab.page.locator("#nodes .pod")).to_have_count(0)
    lab.at_rest()
    # It should have waited the ten seconds of grace in virtual time, folded into a line, and then killed.
    kill = lab.row("SendSIGKILL")
    expect(kill).to_have_count(1)
    gaps = lab.page.locator("#messages .gap").all_inner_texts()
    assert any("10.0" in gap or "9." in gap for gap in gaps), gaps


def test_step_by_step_forwards_and_back(visit):
    lab = visit().make_cluster()
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
    expect(lab.page.locator(".explain h3")).to_contain_text("Run kubectl apply")
    expect(lab.page.locator("#nodes .pod")).to_have_count(0)
    lab.page.locator("#live").click()
    expect(lab.page.locator(f"#m-{newest}")).to_have_class(NOW)


def test_a_node_is_killed_half_way(visit):
    lab = visit().make_cluster(2)
    lab.pace("story:0.1")
    lab.create("deployment")
    expect(lab.page.locator("#messages .m[data-reason=PullImage]").first).to_be_visible()
    lab.tab("faults")
    lab.page.locator("#faults button", has_text="Power down").first.click()
    expect(lab.page.locator("#faults .sent")).to_contain_text("node n1 down")
    lab.pace(FAST)
    expect(lab.page.locator("#node-n1.not-ready")).to_have_count(1)
    lab.tab("faults")
    lab.page.locator("#faults button", has_text="Power up").click()
    expect(lab.page.locator("#node-n1:not(.not-ready)")).to_have_count(1)


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


def test_the_console_prints_what_kubectl_prints(visit):
    lab = visit().make_cluster()
    lab.pace(FAST)
    lab.type("kubectl create deployment web --image=nginx:1.27 --replicas=2")
    expect(lab.page.locator("#console")).to_contain_text("deployment.apps/web created")
    expect(lab.page.locator("#nodes .pod.good")).to_have_count(2)
    lab.type("kubectl get nodes")
    expect(lab.page.locator("#commands .cmd").last).to_contain_text("NAME")
    lab.type("ls")
    expect(lab.page.locator("#prompt-error")).to_contain_text("Only kubectl")


def test_every_panel_shows_something(visit):
    lab = visit().make_cluster()
    lab.pace(FAST)
    lab.create("deployment")
    expect(lab.page.locator("#nodes .pod.good")).to_have_count(3)
    for name, words in {"events": "ScalingReplicaSet", "objects": "Deployment", "logs": "nginx", "timeline": "web-", "progress": "successfully rolled out",
                        "control-plane": "How the scheduler chose", "etcd": "/registry/deployments/default/web"}.items():
        lab.tab(name)
        expect(lab.page.locator(f"#p-{name}")).to_contain_text(words)
    lab.page.locator("#p-etcd [data-object='/registry/deployments/default/web']").click()
    expect(lab.page.locator("#object-text")).to_contain_text("kind: Deployment")
