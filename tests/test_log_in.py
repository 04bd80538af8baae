"""Who guesses passwords has to wait a minute; nobody else has to."""
import time

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import translation

from lifecycle.log_in import MOST, address_of

from .cast import PASSWORD, a_browser, an_account, an_instructor

pytestmark = pytest.mark.django_db
PAGES = ("login", "admin:login")


@pytest.fixture(autouse=True)
def no_attempts_yet():
    cache.clear()
    yield
    cache.clear()


def log_in(name="ben", password=PASSWORD, page="login", address="192.0.2.1", **more):
    return a_browser().post(reverse(page), {"username": name, "password": password}, REMOTE_ADDR=address, **more)


def guess(times, **options):
    """Wrong passwords; returns the last answer."""
    return [log_in(password=f"guess {number}", **options) for number in range(times)][-1]


def is_let_in(answer):
    return answer.status_code == 302


def has_to_wait(answer, words="Wait a minute"):
    return answer.status_code == 200 and words in answer.content.decode()


@pytest.mark.parametrize("page", PAGES)
def test_after_a_few_wrong_passwords_even_the_right_one_has_to_wait(page):
    an_instructor("ben")
    assert not has_to_wait(guess(MOST["account"], page=page))
    assert has_to_wait(log_in(page=page))
    # It should be the same account on both pages, however its name is written and wherever the guesses come from
    for other in PAGES:
        assert has_to_wait(log_in("BEN", page=other, address="198.51.100.7"))


def test_it_is_said_in_the_readers_language():
    guess(MOST["account"])
    with translation.override("zh-hans"):
        expected = translation.gettext("Too many attempts to sign in. Wait a minute, then try again.")
    assert has_to_wait(log_in(HTTP_ACCEPT_LANGUAGE="zh-CN"), expected)


def test_a_minute_later_it_is_forgotten(settings, monkeypatch):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}          # tells the time by ours
    an_account()
    guess(MOST["account"])
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 59)
    assert has_to_wait(log_in())
    # It should not count from the last attempt, so that nobody can be kept out for ever
    monkeypatch.setattr(time, "time", lambda: now + 61)
    assert is_let_in(log_in())


def test_others_log_in_meanwhile_from_the_same_address():
    an_account("ada")
    guess(MOST["account"])
    assert is_let_in(log_in("ada"))


def test_whoever_logs_in_may_err_again():
    an_account()
    for _ in range(3):
        guess(MOST["account"] - 1)
        assert is_let_in(log_in())


def test_many_accounts_are_not_guessed_at_from_one_address():
    an_account()
    for number in range(MOST["address"]):
        guess(1, name=f"name-{number}")
    assert has_to_wait(log_in())
    assert is_let_in(log_in(address="192.0.2.2"))


def test_a_class_that_logs_in_at_once_behind_one_address_does_not_wait():
    for number in range(MOST["address"] + 5):
        an_account(f"learner-{number}")
        assert is_let_in(log_in(f"learner-{number}"))


def test_a_form_without_a_password_is_no_attempt():
    an_account()
    for _ in range(MOST["account"]):
        log_in(password="")
    assert is_let_in(log_in())


@pytest.mark.parametrize("address, same, other", [
    ("192.0.2.1", "192.0.2.1", "192.0.2.2"), ("2001:db8:1:2::3", "2001:db8:1:2:ffff::4", "2001:db8:1:3::3"), ("", "", "::1")])
def test_an_address_is_a_customers(rf, address, same, other):
    found = [address_of(rf.get("/", REMOTE_ADDR=each)) for each in (address, same, other)]
    assert found[0] == found[1] != found[2]


def test_behind_a_proxy_the_address_is_what_the_proxy_says(rf, settings):
    request = rf.get("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="1.2.3.4, 192.0.2.9")
    assert address_of(request) == "10.0.0.1"
    settings.BEHIND_PROXY = True
    assert address_of(request) == "192.0.2.9"
    assert address_of(rf.get("/", REMOTE_ADDR="10.0.0.1")) == "10.0.0.1"
