"""Is the process alive, and can it serve? Answered as Kubernetes' own components do, before hosts, sessions and languages matter.

`/healthz` says whether the process answers at all; `/readyz` whether it reaches what it needs. `?verbose` names every check.
"""
import asyncio
import functools
import logging

from asgiref.sync import async_to_sync, iscoroutinefunction, sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpResponse, HttpResponseNotAllowed
from django.utils.decorators import sync_and_async_middleware

PATIENCE = 2                   # seconds that a channel layer may take

logger = logging.getLogger(__name__)


class NotReady(Exception):
    """Something that serving needs is missing; the text says what."""


def check_ping():
    """The process answers."""


def check_database():
    """The database answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def check_migrations():
    """The database has the tables that this code expects; asked until it is so."""
    if not _is_migrated():
        _is_migrated.cache_clear()
        raise NotReady("there are migrations to apply")


@functools.cache
def _is_migrated():
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def check_channel_layers():
    """Every channel layer takes a message."""
    async_to_sync(_send_to_nobody)()


async def _send_to_nobody():
    for alias in settings.CHANNEL_LAYERS:
        await asyncio.wait_for(get_channel_layer(alias).group_send("readyz", {"type": "ready"}), PATIENCE)


LIVE = {"ping": check_ping}
READY = {"ping": check_ping, "database": check_database, "migrations": check_migrations, "channel-layers": check_channel_layers}
PATHS = {"/healthz": LIVE, "/readyz": READY}


@sync_and_async_middleware
def health(get_response):
    """The first middleware: answers these two paths itself, whatever Host the prober names and without a redirect to https."""
    if iscoroutinefunction(get_response):
        async def middleware(request):
            checks = PATHS.get(request.path)
            return await get_response(request) if checks is None else await sync_to_async(answer)(request, checks)
    else:
        def middleware(request):
            checks = PATHS.get(request.path)
            return get_response(request) if checks is None else answer(request, checks)
    return middleware


def answer(request, checks):
    """200 and "ok", or 503 and a line for every check."""
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    name = request.path.strip("/")
    failed, lines = False, []
    for check, ask in checks.items():
        passed = _passes(check, ask)
        failed |= not passed
        lines.append(f"[+]{check} ok" if passed else f"[-]{check} failed: reason withheld")
    lines.append(f"{name} check {'failed' if failed else 'passed'}")
    text = "\n".join(lines) + "\n" if failed or "verbose" in request.GET else "ok"
    return HttpResponse(text, status=503 if failed else 200, content_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-store"})


def _passes(name, ask):
    """Whether a check passes; why not is for the log, not for strangers."""
    try:
        ask()
    except Exception as error:
        logger.warning("not ready", extra={"check": name, "reason": f"{type(error).__name__}: {error}"})
        return False
    return True
