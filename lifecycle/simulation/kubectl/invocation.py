"""What a command works with: its arguments, its files, its two outputs and the API."""
from urllib.parse import urlencode

from lifecycle.simulation.kubectl.errors import CommandError, ServerError, UsageError, not_found
from lifecycle.simulation.kubectl.flags import parsed_duration
from lifecycle.simulation.kubectl.process import Request

JSON = "application/json"
MERGE_PATCH = "application/merge-patch+json"
STRATEGIC_PATCH = "application/strategic-merge-patch+json"
JSON_PATCH = "application/json-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"
DRY_RUNS = {"none": "", "unchanged": "client", "client": "client", "server": "server"}


class Invocation:
    """One call of kubectl. `now` is virtual time as of the last answer; `state` is that of the last checkpoint, if any.

    Methods that ask the API are generators: `thing = yield from invocation.get(path)`. They raise ServerError for refusals.
    """

    def __init__(self, name, parsed, namespace="default", files=None, stdin=None, discovery=None, clock=None):
        self.name = name
        self.args, self.flags, self.given, self.dash = parsed
        self.files, self.stdin = files or {}, stdin
        self.discovery, self.clock = discovery, clock
        self.context_namespace = namespace
        self.namespace = self.flags["namespace"] or namespace
        self.enforce_namespace = "namespace" in self.given
        self.now, self.state = 0, None
        self._printed, self._warned = [], set()

    # -- output ------------------------------------------------------------------------------------------------------------
    def out(self, text):
        """Print a line (or lines) on standard output."""
        self.write("out", text + "\n")

    def err(self, text):
        """Print a line on standard error."""
        self.write("err", text + "\n")

    def write(self, stream, text):
        """Print text as it is on "out" or "err"."""
        if text:
            self._printed.append((stream, text))

    def tell(self, error):
        """Print an error on standard error; one that says nothing ends the command silently."""
        text = error.text()
        self.write("err", text if text.endswith("\n") or not text else text + "\n")

    def warn(self, text):
        """A warning, printed once per command."""
        if text not in self._warned:
            self._warned.add(text)
            self.err(f"Warning: {text}")

    def take_printed(self):
        """What was printed since the last call: [(stream, text)]."""
        printed, self._printed = self._printed, []
        return printed

    # -- arguments ---------------------------------------------------------------------------------------------------------
    def usage_error(self, message):
        return UsageError(message, self.name)

    def only_name(self):
        """The one NAME that the command takes."""
        names = self.args if self.dash is None else self.args[:self.dash]
        if len(names) != 1:
            raise self.usage_error(f"exactly one NAME is required, got {len(names)}")
        return names[0]

    @property
    def dry_run(self):
        """"", "client" or "server"."""
        given = self.flags.get("dry-run", "none")
        if given not in DRY_RUNS:
            raise CommandError(f'Invalid dry-run value ({given}). Must be "none", "server", or "client".')
        return DRY_RUNS[given]

    def dry_run_query(self):
        return {"dryRun": "All"} if self.dry_run == "server" else {}

    def write_query(self, manager=None):
        """The query of a write: who manages the fields, dry run."""
        return {**self.dry_run_query(), "fieldManager": manager or self.flags["field-manager"]}

    def request_timeout(self):
        """--request-timeout in virtual ms, 0 for none; a number alone is seconds. Raises CommandError."""
        given = self.flags["request-timeout"]
        try:
            return parsed_duration(f"{given}s" if given.isdecimal() else given)
        except ValueError:
            raise CommandError("Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a corresponding time unit "
                               "(e.g. 1s | 2m | 3h)") from None

    def timestamp(self, ms=None):
        """RFC 3339 of a virtual time, by default of now."""
        return self.clock.timestamp(self.now if ms is None else ms)

    # -- the API -----------------------------------------------------------------------------------------------------------
    def ask(self, method, path, query=None, body=None, content_type=JSON, table=False):
        """One request, whatever the answer: its Response."""
        managed = bool(self.flags.get("show-managed-fields") or self.flags.get("raw"))
        reply = yield Request(method, path, query or {}, body, content_type, table, managed)
        for warning in reply.warnings:
            self.warn(warning)
        return reply

    def send(self, method, path, query=None, body=None, content_type=JSON, table=False):
        """One request: the body of the answer."""
        reply = yield from self.ask(method, path, query, body, content_type, table)
        if not reply.ok:
            raise ServerError(reply.body)
        return reply.body

    def get(self, path, query=None, table=False):
        return (yield from self.send("GET", path, query, table=table))

    def post(self, path, body, query=None):
        return (yield from self.send("POST", path, query, body))

    def put(self, path, body, query=None):
        return (yield from self.send("PUT", path, query, body))

    def patch(self, path, body, content_type=STRATEGIC_PATCH, query=None):
        return (yield from self.send("PATCH", path, query, body, content_type))

    def read(self, resource, namespace, name, table=False, subresource=None):
        """GET one object; if it is missing together with its namespace, the namespace is what is reported."""
        if not name:
            raise CommandError("resource name may not be empty")
        try:
            return (yield from self.get(resource.path(namespace, name, subresource), table=table))
        except ServerError as error:
            if not_found(error) and resource.namespaced and namespace not in ("", "default"):
                yield from self.check_namespace(namespace)
            raise

    def check_namespace(self, namespace):
        """Raise what the server says if it does not know the namespace."""
        reply = yield from self.ask("GET", f"/api/v1/namespaces/{namespace}")
        if reply.code == 404:
            raise ServerError(reply.body)

    def validation_schema(self):
        """The request by which kubectl learns whether the server validates fields."""
        if self.flags.get("validate") not in ("ignore", "false"):
            yield from self.ask("GET", "/openapi/v3", {"timeout": "32s"})


def url(path, query):
    """Path and query as one text, parameters in alphabetical order as Go encodes them."""
    if isinstance(query, str):
        return f"{path}?{query}" if query else path
    return f"{path}?{urlencode(sorted(query.items()))}" if query else path
