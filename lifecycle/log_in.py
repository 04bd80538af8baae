"""Log-in with a limit: who guesses passwords is told to wait, by the name of the account and by where the guesses come from.

Attempts are counted in Django's cache, before the password is looked at, so that guesses at the same time are counted too. The count ends a minute after its
first attempt: nobody can keep somebody else out for longer than that.
"""
from contextlib import suppress
from hashlib import sha256
from ipaddress import ip_address, ip_network

from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MINUTE = 60                    # seconds
MOST = {"account": 5, "address": 30}         # attempts in a minute that did not succeed; a classroom may share an address


class Limited:
    """For a form like AuthenticationForm: more attempts than MOST are refused, whatever the password."""

    def clean(self):
        name, password = (self.cleaned_data.get(field) for field in ("username", "password"))
        if name is None or not password:
            return super().clean()
        keys = keys_of(name, address_of(self.request))
        counts = {kind: _count(key) for kind, key in keys.items()}
        if any(count > MOST[kind] for kind, count in counts.items()):
            raise ValidationError(_("Too many attempts to sign in. Wait a minute, then try again."), code="too_many")
        cleaned = super().clean()
        forget(keys)
        return cleaned


class LogInForm(Limited, AuthenticationForm):
    """Of the page for everybody."""


class AdminLogInForm(Limited, AdminAuthenticationForm):
    """Of the panel of instructors."""


def keys_of(name, address):
    """{kind of MOST: key of the cache}; names may be long, and are nobody's business."""
    return {kind: f"log-in:{kind}:{sha256(value.encode()).hexdigest()}" for kind, value in (("account", name.casefold()), ("address", address))}


def forget(keys):
    """An attempt succeeded: it does not count, and what was guessed at the account before does not either."""
    cache.delete(keys["account"])
    with suppress(ValueError):           # the minute is over
        cache.decr(keys["address"])


def address_of(request):
    """Where a request comes from: an IPv4 address, or the IPv6 network that is one customer's."""
    address = request.META.get("REMOTE_ADDR") or ""
    if settings.BEHIND_PROXY:            # the last entry is the proxy's; those before it are whatever the client says
        address = request.headers.get("X-Forwarded-For", address).rpartition(",")[2].strip()
    with suppress(ValueError):
        if ip_address(address).version == 6:
            return str(ip_network((address, 64), strict=False))
    return address


def _count(key):
    """Count an attempt; returns how many there are in its minute."""
    if cache.add(key, 1, MINUTE):
        return 1
    try:
        return cache.incr(key)
    except ValueError:                   # the minute has just ended
        return 1
