"""Answers in parts, through Daphne and Twisted as they are: who does not read is waited for."""
import asyncio

import pytest
from twisted.internet.error import ConnectionDone
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure

from lifecycle.server import Server  # isort: skip

from daphne.http_protocol import HTTPFactory

pytestmark = pytest.mark.asyncio

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


class Transport(StringTransport):
    """Tells its producer with every write that it is full, as a real one does while its client does not read."""

    is_full = False

    def writeSequence(self, data):
        super().writeSequence(data)
        if self.is_full:
            self.producer.pauseProducing()


class Connection:
    """A connection on which a request has come that an application answers in three parts; `sent` are those that it was let to send."""

    def __init__(self):
        server = Server(worker="none", application=self.application, endpoints=["tcp:port=0"])
        server.connections, self.sent, self.transport = {}, [], Transport()
        self.protocol = HTTPFactory(server).buildProtocol(None)
        self.protocol.makeConnection(self.transport)
        self.protocol.dataReceived(REQUEST)

    async def application(self, scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for part in (b"one", b"two", b"three"):
            await send({"type": "http.response.body", "body": part, "more_body": part != b"three"})
            self.sent.append(part)

    async def is_full(self):
        """The client does not read."""
        self.transport.is_full = True
        await asyncio.sleep(0.01)
        return self

    async def is_free(self):
        self.transport.is_full = False
        self.transport.producer.resumeProducing()
        await asyncio.sleep(0.01)
        return self


async def test_parts_wait_until_the_client_reads():
    connection = await Connection().is_full()
    assert connection.sent == [] and connection.transport.value().endswith(b"one\r\n")
    assert (await connection.is_free()).sent == [b"one", b"two", b"three"]
    assert connection.transport.value().endswith(b"three\r\n0\r\n\r\n")


async def test_nobody_waits_for_a_client_that_is_gone():
    connection = await Connection().is_full()
    connection.transport.producer.stopProducing()
    connection.protocol.connectionLost(Failure(ConnectionDone()))
    await asyncio.sleep(0.01)
    assert connection.sent == [b"one", b"two", b"three"]


async def test_a_connection_goes_on_after_an_answer_in_parts():
    connection = await (await Connection().is_full()).is_free()
    connection.transport.clear()
    connection.protocol.dataReceived(REQUEST)
    await asyncio.sleep(0.01)
    assert connection.transport.value().startswith(b"HTTP/1.1 200 OK") and len(connection.sent) == 6
