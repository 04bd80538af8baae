"""Faults by their buttons: what is broken is seen at once, and the choice of a Pod stays."""
import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_container_is_crashed_and_a_node_cut_off_and_connected_again(visit):
    lab = visit("en").make_cluster()
    lab.pace("real:10")
    lab.type("kubectl run web --image=nginx")
    expect(lab.page.locator("#nodes")).to_contain_text("Running")
    lab.tab("faults")
    faults = lab.page.locator("#faults")
    faults.locator("#fault-pod").fill("web")
    crash = faults.locator("#fault-container-defaultwebweb-crash")
    crash.click()
    expect(faults.locator(".sent")).to_contain_text("container default/web/web crash")
    expect(faults.locator("#fault-pod")).to_have_value("web")
    expect(crash).to_be_visible()
    expect(lab.page.locator("#messages .m[data-reason=RestartContainer]")).to_have_count(1)
    faults.locator("#fault-node").select_option("n2")
    faults.locator("#fault-node-n2-partition").click()
    broken = faults.locator(".broken")
    expect(broken).to_contain_text("cut off")
    broken.get_by_role("button", name="Mend").click()
    expect(broken).to_have_count(0)
