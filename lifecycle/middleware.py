"""Around every request: what browsers may do with our pages, and a line in the log."""
import logging
import time

from asgiref.sync import iscoroutinefunction
from django.utils.decorators import sync_and_async_middleware

# Scripts and styles come from our static files only; nothing inline, no eval, no frames, nothing from elsewhere.
POLICY = "; ".join((
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'", "connect-src 'self'", "manifest-src 'self'",
    "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"))
HEADERS = {"Content-Security-Policy": POLICY, "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()"}
QUIET = ("/healthz", "/readyz", "/static/")           # asked too often to be worth a line

requests = logging.getLogger("lifecycle.requests")


def _around(get_response, before, after):
    """A middleware, sync or async like what it wraps: `after(request, response, before(request))`."""
    if iscoroutinefunction(get_response):
        async def middleware(request):
            known = before(request)
            return after(request, await get_response(request), known)
    else:
        def middleware(request):
            known = before(request)
            return after(request, get_response(request), known)
    return middleware


@sync_and_async_middleware
def security_headers(get_response):
    """Adds the Content-Security-Policy and its like to every answer that does not bring its own."""
    def after(request, response, known):
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response
    return _around(get_response, lambda request: None, after)


@sync_and_async_middleware
def request_log(get_response):
    """Writes one line a request: method, path, status and milliseconds; secrets in the path are not told."""
    def after(request, response, started):
        if not request.path.startswith(QUIET):
            requests.log(logging.ERROR if response.status_code >= 500 else logging.INFO, "%s %s %s", request.method, told_path(request), response.status_code,
                         extra={"milliseconds": round((time.perf_counter() - started) * 1000, 1)})
        return response
    return _around(get_response, lambda request: time.perf_counter(), after)


def told_path(request):
    """The path of a request with the `secret` of its route blotted out."""
    secret = request.resolver_match and request.resolver_match.kwargs.get("secret")
    return request.path.replace(secret, "...") if secret else request.path
