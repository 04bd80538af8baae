"""Simulations stay in memory only as long as they are new, used, and not too large."""
from lifecycle import cache as module
from lifecycle.cache import Cache


def test_what_is_kept_is_given_back_once():
    cache = Cache()
    cache.keep(1, 5, "web", 10)
    assert cache.take(1, 5) == "web"
    assert cache.take(1, 5) is None


def test_what_is_older_than_its_row_is_dropped():
    cache = Cache()
    cache.keep(1, 5, "web", 10)
    assert cache.take(1, 6) is None
    assert len(cache) == 0


def test_the_longest_unused_goes_when_there_is_no_room():
    cache = Cache(most=100)
    for pk in (1, 2):
        cache.keep(pk, 1, pk, 40)
    cache.keep(1, 2, 1, 40)
    cache.keep(3, 1, 3, 40)
    assert [cache.take(pk, version) for pk, version in ((1, 2), (2, 1), (3, 1))] == [1, None, 3]


def test_what_alone_is_too_large_is_not_kept():
    cache = Cache(most=100)
    cache.keep(1, 1, "large", 1000)
    assert len(cache) == 0


def test_what_nobody_uses_is_dropped_after_a_while(monkeypatch):
    now = [0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    cache = Cache(unused=60)
    cache.keep(1, 1, "web", 10)
    now[0] = 50
    cache.keep(2, 1, "api", 10)
    now[0] = 70
    cache.forget_unused()
    assert (cache.take(1, 1), cache.take(2, 1)) == (None, "api")
