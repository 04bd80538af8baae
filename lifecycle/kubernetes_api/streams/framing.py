"""What goes over the websocket of a remote command: messages whose first byte is a channel, in the dialects that clients offer as subprotocols
(apimachinery/pkg/util/httpstream/wsstream, apimachinery/pkg/util/remotecommand/constants.go).
"""
import base64
import binascii
from typing import NamedTuple

STDIN, STDOUT, STDERR, STATUS, RESIZE, CLOSE = 0, 1, 2, 3, 4, 255
LARGEST = 32 << 10             # bytes of a message that we send


class Dialect(NamedTuple):
    """`name` is what is answered as the chosen subprotocol, None if none was offered. `channels`: messages begin with one; `base64`: messages are text."""

    name: str | None
    channels: bool = True
    base64: bool = False

    def messages(self, channel, data):
        """The messages, bytes or text, that carry some bytes on a channel."""
        for place in range(0, len(data), LARGEST):
            part = data[place:place + LARGEST]
            yield self._packed(channel, part)

    def _packed(self, channel, part):
        if not self.base64:
            return bytes([channel]) + part if self.channels else part
        coded = base64.b64encode(part).decode()
        return f"{channel}{coded}" if self.channels else coded

    def taken(self, message):
        """(channel, bytes) of a message that came, or None if it is none: bytes, or text, which some clients send for bytes."""
        if self.base64:
            return _taken_apart(message if isinstance(message, str) else message.decode("latin-1"))
        data = message.encode() if isinstance(message, str) else message
        return (data[0], data[1:]) if data else None


def _taken_apart(text):
    try:
        return int(text[:1]), base64.b64decode(text[1:], validate=True)
    except (ValueError, binascii.Error):
        return None


COMMANDS = {name: Dialect(name) for name in ("v5.channel.k8s.io", "v4.channel.k8s.io", "channel.k8s.io")} | {
    "base64.channel.k8s.io": Dialect("base64.channel.k8s.io", base64=True), None: Dialect(None)}
LOGS = {"binary.k8s.io": Dialect("binary.k8s.io", channels=False), "base64.binary.k8s.io": Dialect("base64.binary.k8s.io", channels=False, base64=True),
        None: Dialect(None, channels=False)}


def dialect(known, offered):
    """The first Dialect of a table that a client offers; None if it offers only others."""
    return next((known[name] for name in offered or [None] if name in known), None)
