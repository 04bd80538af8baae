"""HTTP/1.1 as a simulated container speaks it at a forwarded port: requests come as bytes, a page goes back for each (RFC 9112)."""
from http import HTTPStatus

LARGEST = 1 << 20              # bytes of a request
BAD = (400, "400 Bad Request\n")


class HttpConnection:
    """The server's end of one connection."""

    def __init__(self):
        self.buffer = b""

    def requests(self, data):
        """Yield (method, path, keep the connection) of every request that is complete with these bytes; the path is None if they are no HTTP."""
        self.buffer += data
        while b"\r\n\r\n" in self.buffer:
            head, _, rest = self.buffer.partition(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").split("\r\n")
            headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            length = headers.get("content-length", "0")
            words = first.split(" ")
            if len(words) != 3 or not words[2].startswith("HTTP/1.") or not length.isdecimal():
                yield "", None, False
                return
            if len(rest) < int(length):
                break
            self.buffer = rest[int(length):]
            keeps = headers.get("connection", "").lower() != "close" and words[2] != "HTTP/1.0"
            yield words[0], words[1], keeps
        if len(self.buffer) > LARGEST or b"\n" in self.buffer and b" HTTP/1." not in self.buffer.partition(b"\n")[0]:
            yield "", None, False


def response(method, answer, keeps):
    """The bytes of an answer (code, text)."""
    code, text = answer
    body = text.encode()
    kind = "text/html" if text.lstrip()[:1] == "<" else "application/json" if text.lstrip()[:1] == "{" else "text/plain"
    head = (f"HTTP/1.1 {code} {HTTPStatus(code).phrase}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
            f"Connection: {'keep-alive' if keeps else 'close'}\r\n\r\n")
    return head.encode() + (b"" if method == "HEAD" else body)
