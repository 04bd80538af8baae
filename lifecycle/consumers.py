"""Sockets: who may look joins the hub and gets what was missed."""
from urllib.parse import parse_qs

import orjson
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.http import Http404
from django.utils.translation import get_supported_language_variant

from .hub import GONE, NO_CLUSTER, hub
from .permissions import cluster_for
from .viewers import Viewer, access_of

GARBAGE = 4400                 # code of a socket that says what is not understood
WORDS = ("since", "answer")    # that a client may say


class ClusterConsumer(AsyncWebsocketConsumer):
    """`/ws/clusters/<pk>/?since=SEQ&lang=LANGUAGE`: fragments of HTML for everything after message SEQ, for ever.

    The client may say {"since": SEQ}: it has shown everything up to there; or {"answer": SEQ}, which is sent back, so that it knows that somebody is there.
    Closes with 4404 whoever may not see the cluster, with 4400 whoever says something else, both with a reason.
    """

    channel_layer_alias = "none"       # the hub listens for all
    viewer = None

    async def connect(self):
        # A socket that is refused before it is accepted only tells the browser to try again.
        await self.accept()
        self.pk = self.scope["url_route"]["kwargs"]["pk"]
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        since = number(query.get("since", ["0"])[0])
        if since is None:
            return await self.close(GARBAGE, "since is not a number")
        try:
            cluster = await database_sync_to_async(cluster_for)(self.scope, self.pk)
        except Http404:
            return await self.close(GONE, NO_CLUSTER)
        self.viewer = Viewer(self, language(query.get("lang", [""])[0]), since, access_of(cluster))
        await hub().join(self.pk, self.viewer)

    async def disconnect(self, code):
        if self.viewer:
            await hub().leave(self.pk, self.viewer)

    async def receive(self, text_data=None, bytes_data=None):
        word, shown = said(text_data)
        if word is None:
            return await self.close(GARBAGE, 'expected {"since": number}')
        if self.viewer:
            hub().shown(self.pk, self.viewer, shown)
        if word == "answer":
            await self.send(text_data)


def number(text):
    """A message's number, or None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else None


def said(text):
    """(word, number) of {"since": number} or {"answer": number}; Nones for anything else."""
    try:
        message = orjson.loads(text or "")
    except orjson.JSONDecodeError:
        return None, None
    word, seq = next(iter(message.items())) if isinstance(message, dict) and len(message) == 1 else (None, None)
    return (word, seq) if word in WORDS and type(seq) is int and seq >= 0 else (None, None)


def language(code):
    """One of our languages."""
    try:
        return get_supported_language_variant(code)
    except LookupError:
        return settings.LANGUAGE_CODE
