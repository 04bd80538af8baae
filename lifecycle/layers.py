"""Channel layers that need no service: one within a process, and one that reaches it from a child process over a Unix socket.

Lines of JSON go over the socket: [alias, "send" or "group_send", name, message] to the parent, and after [alias, "receive", channel, null] messages back.
Whoever can open the socket is trusted: it has to lie in a directory of the owner's own.
"""
import asyncio

import orjson
from channels.exceptions import ChannelFull
from channels.layers import BaseChannelLayer, InMemoryChannelLayer, get_channel_layer

CAPACITY = 100_000             # messages that may wait in a channel; they are hints of a few bytes


class LocalLayer(InMemoryChannelLayer):
    """Channels' in-memory layer without its search through all channels at every turn, and without expiry: what waits is read, however late."""

    def __init__(self, capacity=CAPACITY, **options):
        super().__init__(capacity=capacity, **options)

    def _clean_expired(self):
        pass

    async def group_send(self, group, message):
        for channel in list(self.groups.get(group, ())):
            try:
                await self.send(channel, message)
            except ChannelFull:
                self.groups[group].pop(channel)          # nobody listens there any more


class BridgedLayer(BaseChannelLayer):
    """The layer of that alias in the parent process that listens at `path`, as far as workers need it. Raises ConnectionError when the parent is gone."""

    extensions = ["groups"]

    def __init__(self, path, alias):
        super().__init__()
        self.path, self.alias = path, alias
        self.connection, self.receiving = None, set()

    async def send(self, channel, message):
        await self._say("send", channel, message)

    async def group_send(self, group, message):
        await self._say("group_send", group, message)

    async def receive(self, channel):
        if channel not in self.receiving:
            self.receiving.add(channel)
            await self._say("receive", channel, None)
        reader, _ = self.connection
        line = await reader.readline()
        if not line:
            raise ConnectionError("the server has ended")
        return orjson.loads(line)

    async def _say(self, *words):
        if self.connection is None:
            self.connection = await asyncio.open_unix_connection(self.path)
        _, writer = self.connection
        writer.write(line_of([self.alias, *words]))
        await writer.drain()


class Bridge:
    """The parent's end: `await Bridge().listen(path)`."""

    def __init__(self):
        self.pumps = set()

    async def listen(self, path):
        return await asyncio.start_unix_server(self.connected, path)

    async def connected(self, reader, writer):
        """Do what a child says until it is gone."""
        pumps = set()
        try:
            while line := await reader.readline():
                alias, kind, name, message = orjson.loads(line)
                layer = get_channel_layer(alias)
                if kind == "receive":
                    pumps.add(asyncio.create_task(self.pump(layer, name, writer)))
                else:
                    await {"send": layer.send, "group_send": layer.group_send}[kind](name, message)
        except (ConnectionError, asyncio.CancelledError):        # asyncio's streams take a connection's task that was cancelled for one that failed
            pass
        finally:
            for pump in pumps:
                pump.cancel()
            writer.close()

    async def pump(self, layer, channel, writer):
        """Hand on what arrives in a channel."""
        while True:
            writer.write(line_of(await layer.receive(channel)))
            await writer.drain()


def line_of(words):
    return orjson.dumps(words) + b"\n"
