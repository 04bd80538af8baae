"""/healthz says that the process answers, /readyz that it can serve: to any prober, by any name."""
import pytest
from django.db import connection
from django.test import AsyncClient

from lifecycle import health

from .cast import a_browser

pytestmark = pytest.mark.django_db


def failing():
    raise health.NotReady("no database at db.internal:5432")


def test_a_process_that_answers_is_alive():
    answer = a_browser().get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok")


def test_a_server_that_reaches_everything_is_ready():
    answer = a_browser().get("/readyz?verbose")
    assert answer.status_code == 200
    assert answer.content.decode().splitlines() == ["[+]ping ok", "[+]database ok", "[+]migrations ok", "[+]channel-layers ok", "readyz check passed"]


def test_a_server_without_its_database_is_alive_but_not_ready(monkeypatch, caplog):
    monkeypatch.setitem(health.READY, "database", failing)
    assert a_browser().get("/healthz").status_code == 200
    answer = a_browser().get("/readyz")
    assert answer.status_code == 503
    assert "[-]database failed: reason withheld" in answer.content.decode()
    # It should tell the log, not strangers, what is wrong
    assert "db.internal" not in answer.content.decode()
    assert "db.internal" in caplog.records[0].reason


def test_a_probe_may_use_any_host_name():
    assert a_browser(HTTP_HOST="10.244.1.7:8000").get("/readyz").status_code == 200
    assert a_browser(HTTP_HOST="10.244.1.7:8000").get("/").status_code == 400


def test_a_probe_is_not_sent_to_https(settings):
    settings.SECURE_SSL_REDIRECT = True
    assert a_browser().get("/healthz").status_code == 200
    assert a_browser().get("/").status_code == 301


def test_a_probe_is_a_get():
    assert a_browser().post("/healthz").status_code == 405


def test_being_alive_needs_no_database(django_assert_num_queries):
    with django_assert_num_queries(0, connection=connection):
        a_browser().get("/healthz")


@pytest.mark.asyncio
async def test_the_asynchronous_server_answers_alike():
    assert (await AsyncClient().get("/healthz")).content == b"ok"
