"""What commands that talk with a container through an open connection have in common."""
from lifecycle.simulation.kubectl.errors import CommandError, ServerError
from lifecycle.simulation.kubectl.process import Checkpoint, Connect, Receive, Send
from lifecycle.simulation.resources import resource

STREAMS = {1: "out", 2: "err"}
NO_TERMINAL = "Unable to use a TTY - input is not a terminal or the right kind of file"


def connect(invocation, pod, subresource, query, with_input=True):
    """Open a connection to a container of a Pod; returns its stream. Where -i asks for input, it is what the command was given as standard input."""
    meta, wants_input = pod["metadata"], with_input and invocation.flags["stdin"]
    query = {**query, "stderr": "true", **({"stdin": "true"} if wants_input else {}), "stdout": "true"}
    reply = yield Connect(resource("pods").path(meta["namespace"], meta["name"], subresource), query)
    if not reply.ok:
        raise CommandError(reply.body["message"]) if reply.reason == "InternalError" else ServerError(reply.body)
    stream = reply.body["stream"]
    refused = (yield Send(stream, invocation.stdin or "")) if wants_input else None
    if refused:
        raise CommandError(refused)
    return stream


def remember(invocation, **state):
    """What is needed to go on with an open connection."""
    invocation.state = {**(invocation.state or {}), **state}
    yield Checkpoint(invocation.state)


def print_all(invocation, stream):
    """Print what comes through a connection until it ends; returns the exit code."""
    while True:
        news = (yield Receive((stream,)))[stream]
        for channel, text in news["pieces"]:
            invocation.write(STREAMS[channel], text)
        if news["ended"]:
            return news["exit"]
        if invocation.state is not None:
            yield Checkpoint(invocation.state)
