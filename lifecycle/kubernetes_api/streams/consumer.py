"""exec, attach and logs over a websocket.

Nothing about a stream is kept here but how far it was sent: what came out is read from the rows when the cluster says that it has moved, what comes in is
handed on in transactions. So it does not matter which process moves the cluster.
"""
import asyncio
from contextlib import suppress
from time import monotonic

import orjson

from ...models import Cluster
from ...simulation.control_plane.apiserver.http import options_of
from ..caller import Caller
from . import rows, statuses
from .connection import LARGEST, OVER, TOO_BIG, Connection
from .framing import CLOSE, COMMANDS, LOGS, STATUS, STDIN, dialect
from .serving import threads

PENDING = 1 << 20              # bytes that wait to be handed on
A_SECOND = 20                  # times that input is handed on and output is read, at most
LOOK = 2                       # seconds until a look for output that nobody announced
KEPT = 200                     # pieces after which the cluster is told that they have arrived
FULL = "more input waits than this connection takes"


class StreamConsumer(Connection):
    """pods/NAME/exec, attach and log. What is wrong with the address is refused in the handshake; everything else is said in a Status."""

    channel_layer_alias = "viewers"
    stream = None

    async def connect(self):
        self.pk, _, self.path = self.place
        self.options = options_of(self.path, self.scope["query_string"].decode("latin-1"))
        self.speech = dialect(LOGS if self.path.endswith("/log") else COMMANDS, self.scope["subprotocols"])
        self.moved, self.input, self.pending, self.last, self.sent = asyncio.Event(), asyncio.Event(), [], False, 0
        if self.speech is None or not await self.is_let_in():
            return await self.close()
        await self.accept(self.speech.name)
        await self.guarded(self.open())

    async def open(self):
        """Open the stream in the cluster, or say why there is none."""
        await self.channel_layer.group_add(f"cluster.{self.pk}", self.channel_name)
        answer = await threads().run(rows.open_stream, self.pk, self.path, self.options, Caller.of(self.scope["headers"]))
        if answer.code != rows.OPEN:
            return await self.end(answer.body if not answer.ok else statuses.failure("there is nothing to connect to"))
        self.stream = answer.body["stream"]
        self.moved.set()
        self.start(self.send_output(), self.hand_on_input())

    # -- out ---------------------------------------------------------------------------------------------------------------
    async def steps_added(self, message):
        """The cluster has moved (announcing.announce)."""
        self.moved.set()

    async def send_output(self):
        """Send what comes out, until the end."""
        told = 0
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.moved.wait(), LOOK)
            self.moved.clear()
            news = await threads().run(rows.read, self.pk, self.stream, self.sent)
            if news is None:
                return await self.broken("the connection was closed: the container is not what it was")
            for channel, data in news.pieces:
                self.spoke = monotonic()
                await self.say(channel, data)
            self.sent = news.next
            if news.ended:
                return await self.end(statuses.of_exit(news.exit, self.command()))
            if self.sent - told > KEPT:
                told = self.sent
                await threads().run(rows.feed, self.pk, self.stream, b"", False, told)
            await asyncio.sleep(1 / A_SECOND)

    def command(self):
        words = self.options.get("command") or []
        return [words] if isinstance(words, str) else words

    async def say(self, channel, data):
        for message in self.speech.messages(channel, data):
            await self.send(message) if isinstance(message, str) else await self.send(bytes_data=message)

    async def broken(self, why):
        await self.end(statuses.failure(why))

    async def end(self, status):
        """Say how it ended, and close."""
        if self.speech.channels or self.stream is None:          # a log has no channel for it, and only then no place where it would disturb
            await self.say(STATUS, orjson.dumps(status))
        await self.close(OVER)

    # -- in ----------------------------------------------------------------------------------------------------------------
    async def receive(self, text_data=None, bytes_data=None):
        message = bytes_data if bytes_data is not None else text_data
        if len(message) > LARGEST:
            return await self.close(TOO_BIG)
        taken = self.speech.taken(message) if self.stream and self.speech.channels else None
        if taken is None:
            return
        channel, data = taken
        if channel == STDIN and not self.last:
            self.pending.append(data)
            if sum(map(len, self.pending)) > PENDING:
                await self.end(statuses.failure(FULL))
        elif channel == CLOSE and data[:1] == bytes([STDIN]):
            self.last = True
        else:
            return
        self.spoke = monotonic()
        self.input.set()

    async def hand_on_input(self):
        """Hand on what came in, all that waits at a time."""
        over = False
        while not over:
            await self.input.wait()
            self.input.clear()
            data, over = b"".join(self.pending), self.last
            self.pending.clear()
            try:
                await threads().run(rows.feed, self.pk, self.stream, data, over, self.sent)
            except ValueError as refused:
                return await self.end(statuses.failure(str(refused)))
            self.moved.set()
            await asyncio.sleep(1 / A_SECOND)

    async def left(self):
        if self.stream:
            await self.channel_layer.group_discard(f"cluster.{self.pk}", self.channel_name)
            with suppress(Cluster.DoesNotExist):
                await threads().run(rows.close, self.pk, self.stream)
