"""Learners are strangers to each other, and names are hostile text."""
import json
import logging
import re

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.urls import URLPattern, get_resolver, reverse

from lifecycle import clusters, log
from lifecycle.models import Cluster, Pod

from .cast import PASSWORD, a_browser, a_row, an_account, an_instructor

pytestmark = pytest.mark.django_db(transaction=True)

HOSTILE = '<script>alert("1")</script>\'"&{{ 7|add:7 }}'
ARGUMENTS = {"seq": 1, "name": "events", "reason": "CreatePod"}


def cluster_paths(pk):
    """The path of every page and action of a cluster."""
    for name, converters in named_patterns(get_resolver()):
        if "pk" in converters:
            yield reverse(name, kwargs={each: {**ARGUMENTS, "pk": pk}[each] for each in converters})


def named_patterns(resolver, above=()):
    """(name, converters) of our own URLs, those of included modules too."""
    for each in resolver.url_patterns:
        converters = (*above, *each.pattern.converters)
        if isinstance(each, URLPattern):
            yield each.name, converters
        elif not each.namespace:
            yield from named_patterns(each, converters)


# -- whose -----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("stranger", ["guest", "learner"])
def test_another_learners_cluster_is_404_everywhere(stranger):
    row = clusters.create("web", 1, owner=an_account("ben"))
    browser = a_browser(an_account("carla") if stranger == "learner" else None)
    found = list(cluster_paths(row.pk))
    assert len(found) >= 10
    for path in found:
        answers = {browser.get(path).status_code, browser.post(path).status_code}
        assert 404 in answers and answers <= {404, 405}, path
    assert Cluster.objects.filter(pk=row.pk).exists()


def test_who_opened_a_read_only_link_sees_and_cannot_act():
    row = clusters.create("web", 1, owner=an_account("ben"))
    Cluster.objects.filter(pk=row.pk).update(view_secret="a-secret")
    viewer = a_browser()
    assert viewer.get(row.get_absolute_url()).status_code == 404
    assert viewer.get("/share/another/").status_code == 404
    assert viewer.get("/share/a-secret/").status_code == 302
    assert viewer.get(row.get_absolute_url()).status_code == 200
    for path in cluster_paths(row.pk):
        assert viewer.post(path).status_code in (403, 405), path
    # It should be gone with the link
    Cluster.objects.filter(pk=row.pk).update(view_secret="")
    assert viewer.get(row.get_absolute_url()).status_code == 404


def test_a_session_remembers_only_so_many_links(monkeypatch):
    monkeypatch.setattr("lifecycle.permissions.MOST_SHARED", 2)
    viewer = a_browser()
    for number in range(3):
        a_row(view_secret=f"secret-{number}")
        viewer.get(f"/share/secret-{number}/")
    assert viewer.session["shared"] == ["secret-1", "secret-2"]


# -- forms and sockets -----------------------------------------------------------------------------------------------------
def test_every_form_wants_its_token():
    ben = an_account("ben")
    row = clusters.create("web", 1, owner=ben)
    browser = a_browser(ben, enforce_csrf_checks=True)
    others = [reverse(name) for name in ("home", "login", "signup", "logout", "password_change", "set_language")]
    for path in [*cluster_paths(row.pk), *others]:
        assert browser.post(path).status_code in (403, 405), path


def test_a_form_on_another_site_does_nothing_even_with_a_token():
    browser = a_browser(enforce_csrf_checks=True)
    browser.get(reverse("login"))
    token = browser.cookies["csrftoken"].value
    for origin, status in (("https://evil.example", 403), ("http://testserver", 302)):
        answer = browser.post(reverse("set_language"), {"language": "en", "csrfmiddlewaretoken": token}, headers={"origin": origin})
        assert answer.status_code == status


async def closed_with(path, cookie="", origin="http://127.0.0.1"):
    """The code with which a socket is closed; None if it is not, "refused" if it was never opened."""
    from lifecycle.asgi import application
    headers = [(b"origin", origin.encode()), (b"host", b"127.0.0.1"), (b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode())]
    socket = WebsocketCommunicator(application, path, headers=headers)
    try:
        opened, _ = await socket.connect()
        if not opened:
            return "refused"
        while True:
            message = await socket.receive_output(timeout=0.3)
            if message["type"] == "websocket.close":
                return message["code"]
    except TimeoutError:
        return None
    finally:
        await socket.disconnect()


@pytest.mark.asyncio
async def test_a_socket_of_another_site_is_refused_and_a_strangers_is_closed():
    ben, carla = await sync_to_async(an_account)("ben"), await sync_to_async(an_account)("carla")
    row = await sync_to_async(clusters.create)("web", 1, owner=ben)
    own, others = [(await sync_to_async(a_browser)(user)).cookies[settings.SESSION_COOKIE_NAME].value for user in (ben, carla)]
    path = f"/ws/clusters/{row.pk}/?since=0&lang=en"
    assert await closed_with(path, own, "https://evil.example") == "refused"
    assert await closed_with(path, others) == 4404
    assert await closed_with(path) == 4404


# -- hostile text ----------------------------------------------------------------------------------------------------------
def test_hostile_names_are_escaped_on_every_page():
    ben = an_account("ben")
    row = clusters.create(HOSTILE, 1, owner=ben)
    clusters.command(row.pk, f"kubectl create configmap web --from-literal='a={HOSTILE}'".replace('"', ""))
    clusters.command(row.pk, f"kubectl run web --image=nginx --annotations='note=<script>alert(1)</script>' --env=A={HOSTILE.split(chr(39))[0]}")
    owner, panel = a_browser(ben), a_browser(an_instructor())
    pages = [(owner, "/"), *((owner, path) for path in cluster_paths(row.pk)), (panel, reverse("admin:lifecycle_cluster_changelist")),
             (panel, reverse("admin:lifecycle_cluster_change", args=[row.pk])), (panel, reverse("admin:lifecycle_steps_changelist"))]
    pages += [(panel, reverse("admin:lifecycle_pod_change", args=[pod.pk])) for pod in Pod.objects.all()]
    seen = "".join(answer.content.decode() for browser, path in pages if (answer := browser.get(path)).status_code == 200)
    assert "&lt;script&gt;alert(" in seen
    assert "<script>alert(" not in seen


def test_a_hostile_manifest_is_text_in_the_panel():
    from lifecycle.admin.manifests import pretty
    html = pretty({"metadata": {"name": "web", "annotations": {"<img src=x onerror=alert(1)>": "</pre><script>alert(1)</script>"}}})
    assert not re.search(r"<(?!/?(pre|b|span)\b)", html)


# -- headers ---------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/admin/login/", "/nowhere/"])
def test_every_page_forbids_what_is_inline_and_what_is_from_elsewhere(path):
    answer = a_browser().get(path)
    policy = dict(part.split(" ", 1) for part in answer["Content-Security-Policy"].split("; "))
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["default-src"] == policy["frame-ancestors"] == "'none'"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"


def test_no_page_needs_what_the_policy_forbids():
    ben = an_account("ben")
    row = clusters.create("web", 1, owner=ben)
    clusters.command(row.pk, "kubectl run web --image=nginx")
    visits = [(a_browser(), path) for path in ("/", reverse("login"), reverse("signup"))] + [(a_browser(ben), path) for path in cluster_paths(row.pk)]
    panel = a_browser(an_instructor())
    visits += [(panel, reverse(f"admin:lifecycle_{name}_changelist")) for name in ("cluster", "node", "pod", "resource", "steps")]
    visits += [(panel, reverse("admin:lifecycle_cluster_change", args=[row.pk])), (panel, reverse("admin:index"))]
    for browser, path in visits:
        page = browser.get(path).content.decode()
        assert not re.search(r"<[^>]+\s(style|on[a-z]+)\s*=", page), path
        assert not re.search(r"<style\b", page), path
        inline = [script for script in re.findall(r"<script\b[^>]*>", page) if "src=" not in script and "application/json" not in script]
        assert not inline, path


def test_the_session_cookie_is_not_for_scripts():
    browser = a_browser()
    an_account("ben")
    browser.post(reverse("login"), {"username": "ben", "password": PASSWORD})
    cookie = browser.cookies[settings.SESSION_COOKIE_NAME]
    assert cookie["httponly"] and cookie["samesite"] == "Lax"


# -- logs ------------------------------------------------------------------------------------------------------------------
def test_a_request_is_one_line_of_json_without_the_secret_of_a_link(caplog):
    caplog.set_level(logging.INFO, "lifecycle.requests")
    a_row(view_secret="a-secret")
    a_browser().get("/share/a-secret/")
    lines = [json.loads(log.JSONLines().format(record)) for record in caplog.records if record.name == "lifecycle.requests"]
    assert [line["message"] for line in lines] == ["GET /share/.../ 302"]
    assert lines[0]["level"] == "info" and lines[0]["milliseconds"] >= 0


def test_an_exception_stays_one_line():
    try:
        raise ValueError("two\nlines")
    except ValueError as error:
        record = logging.LogRecord("lifecycle", logging.ERROR, "here", 1, "it broke: %s", ("x",), (type(error), error, error.__traceback__))
    line = log.JSONLines().format(record)
    assert "\n" not in line
    assert json.loads(line)["message"] == "it broke: x" and "ValueError" in json.loads(line)["exception"]


@pytest.mark.parametrize("wrong", [{"format": "xml"}, {"level": "loud"}])
def test_a_wrong_log_setting_is_said_at_the_start(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong.values()))):
        log.configuration(**wrong)
