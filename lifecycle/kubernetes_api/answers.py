"""Answers on the wire: compact JSON in Go's manner, Kubernetes' headers, and nothing that a browser could take for a page."""
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import NamedTuple

import orjson

from ..simulation.client import Response

JSON, TEXT = b"application/json", b"text/plain; charset=utf-8"
# What Go's encoding/json escapes inside texts; elsewhere these do not occur.
ESCAPES = ((b"<", b"\\u003c"), (b">", b"\\u003e"), (b"&", b"\\u0026"), ("\u2028".encode(), b"\\u2028"), ("\u2029".encode(), b"\\u2029"))
SAFE = ((b"x-content-type-options", b"nosniff"), (b"content-security-policy", b"default-src 'none'; sandbox"))
UNCACHED = (b"cache-control", b"no-cache, private")


class Answer(NamedTuple):
    """`body` is bytes, or an async iterator of them that goes on while the client listens; `closing` is what to leave after that."""

    code: int
    body: object
    content_type: bytes = JSON
    headers: tuple = (UNCACHED,)
    closing: AbstractAsyncContextManager = nullcontext()

    def all_headers(self):
        length = [(b"content-length", str(len(self.body)).encode())] if isinstance(self.body, bytes) else []
        return [(b"content-type", self.content_type), *length, *self.headers, *SAFE]


def line(thing):
    """A JSON-shaped thing as Go's encoder writes it, with its newline."""
    data = orjson.dumps(thing)
    for mark, escape in ESCAPES:
        data = data.replace(mark, escape)
    return data + b"\n"


def answer(response: Response):
    """The Answer that a Response of the API server is."""
    warnings = tuple((b"warning", _warning(text)) for text in response.warnings)
    retry = response.code == 429 and (response.body.get("details") or {}).get("retryAfterSeconds")
    headers = (UNCACHED, *warnings, *([(b"retry-after", str(retry).encode())] if retry else ()))
    if isinstance(response.body, str):
        return Answer(response.code, response.body.encode(), TEXT, headers)
    return Answer(response.code, line(response.body), JSON, headers)


def refusal(refused):
    """The Answer to what was Refused before the API server saw it."""
    return answer(Response(refused.code, refused.status))


def _warning(text):
    """The value of a Warning header (apimachinery/pkg/util/net/http.go, NewWarningHeader); texts of several lines become one."""
    quoted = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'299 - "{quoted}"'.encode()
