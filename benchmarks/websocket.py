"""A small websocket client over asyncio: enough to look at clusters as a browser does, thousands of times."""
import asyncio
import base64
import os
import struct
from contextlib import suppress

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Closed(Exception):
    """The server closed the socket, with `code` and `reason` (1006 without a word)."""

    def __init__(self, code, reason=""):
        super().__init__(f"{code} {reason}")
        self.code, self.reason = code, reason


class WebSocket:
    """`async with await WebSocket.open(port, path, cookie) as socket`: `await socket.receive()` until Closed."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port, path, cookie="", host="127.0.0.1"):
        """Connect. Raises OSError when nobody listens, Closed when the server refuses."""
        reader, writer = await asyncio.open_connection(host, port)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write((f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: http://{host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                      f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nCookie: {cookie}\r\n\r\n").encode())
        socket = cls(reader, writer)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            head = b"HTTP/1.1 1006 no answer"
        if int(head.split()[1]) != 101:
            await socket.close()
            raise Closed(int(head.split()[1]))
        return socket

    async def __aenter__(self):
        return self

    async def __aexit__(self, *error):
        await self.close()

    async def receive(self):
        """The next text. Raises Closed."""
        while True:
            try:
                kind, data = await self._frame()
            except (asyncio.IncompleteReadError, ConnectionError):
                raise Closed(1006) from None
            if kind == TEXT:
                return data.decode()
            if kind == PING:
                self._send(PONG, data)
            if kind == CLOSE:
                raise Closed(struct.unpack(">H", data[:2])[0] if data else 1005, data[2:].decode())

    def send(self, text):
        self._send(TEXT, text.encode())

    async def close(self):
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()

    async def _frame(self):
        first, length = await self.reader.readexactly(2)
        if length == 126:
            length, = struct.unpack(">H", await self.reader.readexactly(2))
        elif length == 127:
            length, = struct.unpack(">Q", await self.reader.readexactly(8))
        return first & 15, await self.reader.readexactly(length)

    def _send(self, kind, data):
        """One masked frame; the mask is of zeros, which masks nothing."""
        length = len(data)
        head = bytes([0x80 | length]) if length < 126 else struct.pack(">BH", 0x80 | 126, length) if length < 65536 else struct.pack(">BQ", 0x80 | 127, length)
        self.writer.write(bytes([0x80 | kind]) + head + bytes(4) + data)
