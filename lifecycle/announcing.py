"""Telling other processes that something was committed. What is told is only a hint: the truth is in the rows, and a lost hint is made up for by sweeps.

Two channel layers: `default` carries wake-ups, each to one worker; `viewers` carries news, each to every server with viewers.
"""
import asyncio
import logging

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

ENGINE = "engine"              # the channel on which workers listen
logger = logging.getLogger(__name__)
_loop = None                   # the event loop that owns this process's channel layers, if threads of our own announce


def use_loop(loop):
    """From now on, announcements from plain threads are made in this loop."""
    global _loop
    _loop = loop


def announce(row):
    """Tell everybody who looks at a cluster that there is more to see."""
    _send(get_channel_layer("viewers").group_send, row.group_name, {"type": "steps.added", "cluster": row.pk, "upto": row.messages, "version": row.version})


def wake(pk):
    """Tell a worker that a cluster may be due."""
    _send(get_channel_layer().send, ENGINE, {"type": "cluster.wake", "cluster": pk})


def _send(function, *arguments):
    if _loop is not None and not _loop.is_closed() and not _in_loop():
        asyncio.run_coroutine_threadsafe(_tried(function, *arguments), _loop)
    else:
        async_to_sync(_tried)(function, *arguments)


async def _tried(function, *arguments):
    """Failing to tell is no failure of what was done."""
    try:
        await function(*arguments)
    except Exception:
        logger.exception("not announced", extra={"to": arguments[0]})


def _in_loop():
    try:
        return asyncio.get_running_loop() is _loop
    except RuntimeError:
        return False
