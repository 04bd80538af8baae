"""The SPDY/3.1 framing that kubectl sends through its websocket for port-forward (draft-mbelshe-httpbis-spdy-00), as far as it is used: streams, data, pings.

Nothing here reads or writes a socket: bytes go in and events come out, and the other way round.
"""
import struct
import zlib
from typing import NamedTuple

# The text that both ends begin to compress headers with: words, each after its length, and an end without.
WORDS = (
    "options,head,post,put,delete,trace,accept,accept-charset,accept-encoding,accept-language,accept-ranges,age,allow,authorization,"
    "cache-control,connection,content-base,content-encoding,content-language,content-length,content-location,content-md5,content-range,"
    "content-type,date,etag,expect,expires,from,host,if-match,if-modified-since,if-none-match,if-range,if-unmodified-since,last-modified,"
    "location,max-forwards,pragma,proxy-authenticate,proxy-authorization,range,referer,retry-after,server,te,trailer,transfer-encoding,upgrade,"
    "user-agent,vary,via,warning,www-authenticate,method,get,status,200 OK,version,HTTP/1.1,url,public,set-cookie,keep-alive,origin"
)
END = (
    "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 Non-Authoritative Information204 No Content301"
    " Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailab"
    "leJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,imag"
    "e/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1"
    ",utf-,*,enq=0."
)
DICTIONARY = b"".join(struct.pack("!I", len(word)) + word.encode() for word in WORDS.split(",")) + END.encode()

SYN_STREAM, SYN_REPLY, RST_STREAM, PING, GOAWAY = 1, 2, 3, 6, 7
VERSION, CONTROL, FIN = 3, 0x8000_0000, 1
LARGEST = 1 << 20              # bytes of a frame that is taken
MOST_HEADERS = 64 << 10        # bytes of headers, unpacked
PART = 16 << 10                # bytes of data in a frame that we send


class Opened(NamedTuple):
    """The other end opened a stream; `fin`: it will send nothing on it."""

    stream: int
    headers: dict
    fin: bool


class Data(NamedTuple):
    """Bytes on a stream; `fin`: the last ones."""

    stream: int
    data: bytes
    fin: bool


class Reset(NamedTuple):
    """A stream is over."""

    stream: int


class Spdy:
    """One connection. `receive(data)` gives what happened; `out` gathers the bytes that are to be sent."""

    def __init__(self):
        self.buffer, self.out = b"", b""
        self.unpacker, self.packer = zlib.decompressobj(zdict=DICTIONARY), zlib.compressobj(zdict=DICTIONARY)

    # -- in ----------------------------------------------------------------------------------------------------------------
    def receive(self, data):
        """Yield Opened, Data and Reset for bytes that came. Raises ValueError for what is no SPDY/3.1."""
        self.buffer += data
        while len(self.buffer) >= 8:
            first, second = struct.unpack("!II", self.buffer[:8])
            flags, length = second >> 24, second & 0xFF_FFFF
            if length > LARGEST:
                raise ValueError("a SPDY frame is too large")
            if len(self.buffer) < 8 + length:
                return
            payload, self.buffer = self.buffer[8:8 + length], self.buffer[8 + length:]
            event = self._control(first, flags, payload) if first & CONTROL else Data(first, payload, bool(flags & FIN))
            if event:
                yield event

    def _control(self, first, flags, payload):
        if first >> 16 & 0x7FFF != VERSION:
            raise ValueError("this is not SPDY/3.1")
        kind = first & 0xFFFF
        if kind == PING:
            self._send_control(PING, 0, payload)
        elif kind == SYN_STREAM and len(payload) >= 10:
            return Opened(_number(payload), self._headers(payload[10:]), bool(flags & FIN))
        elif kind == RST_STREAM and len(payload) >= 4:
            return Reset(_number(payload))
        return None

    def _headers(self, block):
        """{lower-case name: value}"""
        try:
            text = self.unpacker.decompress(block, MOST_HEADERS)
            place, found = 4, {}
            for _ in range(struct.unpack("!I", text[:4])[0]):
                name, place = _word(text, place)
                found[name.lower()], place = _word(text, place)
        except (zlib.error, struct.error, UnicodeDecodeError):
            raise ValueError("the headers of a SPDY stream cannot be read") from None
        return found

    # -- out ---------------------------------------------------------------------------------------------------------------
    def accept(self, stream):
        """Say that a stream is open on our side too, without headers."""
        block = self.packer.compress(struct.pack("!I", 0)) + self.packer.flush(zlib.Z_SYNC_FLUSH)
        self._send_control(SYN_REPLY, 0, struct.pack("!I", stream) + block)

    def send(self, stream, data, fin=False):
        """Send bytes on a stream; `fin`: nothing will follow."""
        parts = [data[place:place + PART] for place in range(0, len(data), PART)] or [b""]
        for number, part in enumerate(parts, 1):
            flags = FIN if fin and number == len(parts) else 0
            self.out += struct.pack("!II", stream, flags << 24 | len(part)) + part

    def _send_control(self, kind, flags, payload):
        self.out += struct.pack("!II", CONTROL | VERSION << 16 | kind, flags << 24 | len(payload)) + payload

    def take_out(self):
        """The bytes to send now."""
        out, self.out = self.out, b""
        return out


def _number(payload):
    return struct.unpack("!I", payload[:4])[0] & 0x7FFF_FFFF


def _word(text, place):
    length = struct.unpack("!I", text[place:place + 4])[0]
    end = place + 4 + length
    if end > len(text):
        raise ValueError("the headers of a SPDY stream are cut off")
    return text[place + 4:end].decode(), end
