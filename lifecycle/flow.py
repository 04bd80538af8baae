"""Answers that are sent in parts wait while their client does not read, so that nobody's unread bytes fill the server's memory.

Daphne alone takes every part at once, however many wait already.
"""
import asyncio

from twisted.internet.interfaces import IPushProducer
from zope.interface import implementer


@implementer(IPushProducer)
class Flow:
    """Stands for whoever sends the parts of one answer; Twisted tells it whether the connection takes more."""

    def __init__(self):
        self.is_free = asyncio.Event()
        self.is_free.set()

    def pauseProducing(self):
        self.is_free.clear()

    def resumeProducing(self):
        self.is_free.set()

    stopProducing = resumeProducing          # the connection is gone: there is nothing to wait for


def has_more(message):
    """Whether an ASGI message is a part of an answer after which another one comes."""
    return message["type"] == "http.response.body" and bool(message.get("more_body"))


def begin(request):
    """The Flow of a request (daphne.http_protocol.WebRequest) of whose answer another part comes; None if the connection is gone."""
    if request.finished or request.channel is None:
        return None
    if request.producer is None:
        request.registerProducer(Flow(), True)
    return request.producer


def end(request):
    """The last part of an answer comes: nobody waits any more."""
    if isinstance(getattr(request, "producer", None), Flow) and request.channel is not None:
        request.unregisterProducer()
