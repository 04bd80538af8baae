"""The Kubernetes API as an ASGI application: everything below /clusters/<pk>/t/<secret>.

Its address is the credential. There are no sessions, no cookies and no redirects here; what goes wrong is said in Kubernetes' own form.
"""
import asyncio
import logging
from contextlib import aclosing
from time import perf_counter

from ..simulation.control_plane.apiserver.errors import Refused, unauthorized
from .accepting import Accepted, accepted, not_acceptable
from .answers import Answer, refusal
from .caller import Caller
from .requests import Asked
from .serving import serving
from .streams.upgrading import explained

LARGEST = 2 ** 20              # bytes of a body
STALLED = 30                   # seconds after which a client that does not read is cut off

logger = logging.getLogger(__name__)
log = logging.getLogger("lifecycle.requests")


class Gone(Exception):
    """The client has left."""


async def kubernetes_api(scope, receive, send):
    """Answer one request; `scope["url_route"]["kwargs"]` are pk, secret and rest, the path below the address."""
    started = perf_counter()
    try:
        answer = await answered(scope, receive)
    except Gone:
        return
    except Refused as refused:
        answer = refusal(refused)
    except Exception:
        logger.exception("request failed")
        answer = refusal(_internal_error())
    tell(scope, answer, started)
    await sent(answer, receive, send)


async def outside(scope, receive, send):
    """Paths of the API without the secret part of the address."""
    await sent(refusal(unauthorized()), receive, send)


async def answered(scope, receive):
    """The Answer to a request. Raises Refused, and Gone."""
    found = scope["url_route"]["kwargs"]
    pk, path, headers = int(found["pk"]), f"/{found.get('rest', '')}", dict(scope["headers"])
    wanted = accepted(headers.get(b"accept", b"").decode("latin-1"), path)
    if wanted is None and not path.endswith("/log"):
        raise not_acceptable()
    body = await read(headers, receive)
    asked = Asked(scope["method"], path, scope["query_string"].decode("latin-1"), body, headers.get(b"content-type", b"").decode("latin-1"),
                  Caller.of(scope["headers"]), wanted or Accepted())
    root = f"{scope.get('root_path', '')}/clusters/{pk}/t/{found['secret']}"
    answer = await serving().ask(pk, found["secret"], root, asked, headers.get(b"if-none-match", b"").decode("latin-1"))
    return explained(answer, headers)


async def read(headers, receive):
    """The body of a request. Raises Refused (413) for one that is too large, before it is read."""
    length = headers.get(b"content-length", b"0")
    if not length.isdigit() or int(length) > LARGEST:
        raise _too_large()
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > LARGEST:
            raise _too_large()
        if not message.get("more_body"):
            return b"".join(parts)


# -- out -------------------------------------------------------------------------------------------------------------------
async def sent(answer: Answer, receive, send):
    """Send an Answer. One that goes on ends when the client leaves, or does not read for a while."""
    await send({"type": "http.response.start", "status": answer.code, "headers": answer.all_headers()})
    if isinstance(answer.body, bytes):
        return await send({"type": "http.response.body", "body": answer.body})
    async with answer.closing, asyncio.TaskGroup() as tasks:
        sending = tasks.create_task(_pumped(answer.body, send))
        listening = tasks.create_task(_left(receive))
        await asyncio.wait((sending, listening), return_when=asyncio.FIRST_COMPLETED)
        sending.cancel()
        listening.cancel()


async def _pumped(body, send):
    """Send the parts of a body as they come."""
    try:
        await send({"type": "http.response.body", "body": b"", "more_body": True})           # so that the headers go out at once
        async with aclosing(body):
            async for data in body:
                async with asyncio.timeout(STALLED):
                    await send({"type": "http.response.body", "body": data, "more_body": True})
    except TimeoutError:
        logger.info("a client that does not read was cut off")
    except Exception:
        logger.exception("an answer broke off")
    await send({"type": "http.response.body", "body": b""})


async def _left(receive):
    """Wait until the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


def tell(scope, answer, started):
    """One line in the log, without the secret."""
    found = scope["url_route"]["kwargs"]
    path = f"/clusters/{found['pk']}/t/.../{found.get('rest', '')}"
    log.log(logging.ERROR if answer.code >= 500 else logging.INFO, "%s %s %s", scope["method"], path, answer.code,
            extra={"milliseconds": round((perf_counter() - started) * 1000, 1)})


# -- refusals --------------------------------------------------------------------------------------------------------------
def _too_large():
    return Refused(413, f"Request entity too large: limit is {LARGEST}", "RequestEntityTooLarge")


def _internal_error():
    return Refused(500, "Internal error occurred: the request failed", "InternalError", {"causes": [{"message": "the request failed"}]})
