"""--raw: a request to a path as it stands, and the answer as it comes."""
import json

from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.files import sources


def raw(invocation, method):
    """Send a request with a file as its body, if one is given, and print the answer."""
    files = sources(invocation)
    if len(files) > 1 or not files and method in ("POST", "PUT"):
        raise CommandError("--raw can only use a single local file or stdin")
    path, _, query = invocation.flags["raw"].partition("?")
    answer = yield from invocation.send(method, path, query, files[0][1] if files else None)
    invocation.write("out", answer if isinstance(answer, str) else json.dumps(answer, separators=(",", ":"), ensure_ascii=False) + "\n")
