"""port-forward over a websocket: connections of a client to ports of a Pod, in either of the two ways in which clients speak it."""
import struct
from time import monotonic
from urllib.parse import parse_qs

from ..caller import Caller
from . import rows
from .connection import LARGEST, OVER, TOO_BIG, WRONG, Connection
from .http_server import BAD, HttpConnection, response
from .serving import threads
from .spdy import Data, Opened, Reset, Spdy

TUNNEL = "SPDY/3.1+portforward.k8s.io"
CHANNELS = ("v4.channel.k8s.io", "v5.channel.k8s.io")
MOST = 100                     # connections at a time


class PortForwardConsumer(Connection):
    """pods/NAME/portforward. HTTP is what is spoken behind every port that listens."""

    async def connect(self):
        self.pk, _, self.path = self.place
        offered = self.scope["subprotocols"]
        asked = parse_qs(self.scope["query_string"].decode("latin-1")).get("ports", ())          # given again and again, or as a list with commas
        chosen = next((name for name in offered if name == TUNNEL or name in CHANNELS), None)
        self.speaker = Tunnel(self) if chosen == TUNNEL else Channels(self, ",".join(asked).split(","))
        if offered and chosen is None or not await self.is_let_in() or not await self.has_pod():
            return await self.close()
        await self.accept(chosen)
        self.start()
        await self.guarded(self.speaker.begin())

    async def has_pod(self):
        """Whether there is a Pod to which ports can be forwarded."""
        return (await threads().run(rows.open_stream, self.pk, self.path, {}, Caller.of(self.scope["headers"]))).code == rows.OPEN

    async def receive(self, text_data=None, bytes_data=None):
        message = bytes_data if bytes_data is not None else text_data.encode()
        self.spoke = monotonic()
        if len(message) > LARGEST:
            return await self.close(TOO_BIG)
        await self.guarded(self.take(message))

    async def take(self, message):
        try:
            await self.speaker.take(message)
        except ValueError as problem:
            await self.close(WRONG, str(problem))

    # -- the Pod -----------------------------------------------------------------------------------------------------------
    async def dial(self, port):
        """None, or the sentence that says why there is no connection."""
        return await threads().run(rows.dial, self.pk, self.path, port)

    async def exchange(self, connection, port, data):
        """(bytes to send back, whether the connection goes on) for bytes that came."""
        out = b""
        for method, path, keeps in connection.requests(data):
            if path is None:
                return out + response("GET", BAD, False), False
            answer = await threads().run(rows.ask, self.pk, self.path, port, path)
            if answer is None:
                return out, False
            out += response(method, answer, keeps)
            if not keeps:
                return out, False
        return out, True


class Tunnel:
    """kubectl: SPDY inside the messages, a stream for data and one for errors for each connection, which belong together by their request id."""

    def __init__(self, consumer):
        self.consumer, self.spdy, self.errors, self.connections = consumer, Spdy(), {}, {}          # errors: {request id: stream}

    async def begin(self):
        pass

    async def take(self, message):
        for event in self.spdy.receive(message):
            if isinstance(event, Opened):
                await self.opened(event)
            elif isinstance(event, Data) and event.stream in self.connections:
                await self.data(event)
            elif isinstance(event, Reset):
                self.connections.pop(event.stream, None)
        await self.flush()

    async def flush(self):
        out = self.spdy.take_out()
        if out:
            await self.consumer.send(bytes_data=out)

    async def opened(self, event):
        port, request = event.headers.get("port", ""), event.headers.get("requestid", "")
        if not port.isdecimal() or len(self.connections) >= MOST:
            raise ValueError("there is no such port, or there are too many connections")
        self.spdy.accept(event.stream)
        if event.headers.get("streamtype") == "error":
            self.errors[request] = event.stream
            return
        self.connections[event.stream] = HttpConnection(), int(port), request
        problem = await self.consumer.dial(int(port))
        if problem:
            self.end(event.stream, problem)

    async def data(self, event):
        connection, port, _ = self.connections[event.stream]
        out, goes_on = await self.consumer.exchange(connection, port, event.data)
        if out:
            self.spdy.send(event.stream, out)
        if event.fin or not goes_on:
            self.end(event.stream)

    def end(self, stream, problem=""):
        """Close a connection on our side: the error stream says what was wrong, or nothing."""
        *_, request = self.connections.pop(stream)
        self.spdy.send(stream, b"", fin=True)
        if request in self.errors:
            self.spdy.send(self.errors.pop(request), problem.encode(), fin=True)


class Channels:
    """Client libraries: a connection for each port that was asked for, on a channel for data and one for errors. The first message on each is the port."""

    def __init__(self, consumer, ports):
        self.consumer, self.ports = consumer, [int(port) for port in ports if port.isdecimal()][:MOST]
        self.connections = {}

    async def begin(self):
        for number, port in enumerate(self.ports):
            for channel in (2 * number, 2 * number + 1):
                await self.consumer.send(bytes_data=bytes([channel]) + struct.pack("<H", port & 0xFFFF))
            self.connections[2 * number] = HttpConnection(), port
            problem = await self.consumer.dial(port)
            if problem:
                await self.consumer.send(bytes_data=bytes([2 * number + 1]) + problem.encode())
                del self.connections[2 * number]

    async def take(self, message):
        if message[:1] and message[0] in self.connections:
            channel = message[0]
            out, goes_on = await self.consumer.exchange(*self.connections[channel], message[1:])
            if out:
                await self.consumer.send(bytes_data=bytes([channel]) + out)
            if not goes_on:
                del self.connections[channel]
                if not self.connections:
                    await self.consumer.close(OVER)
