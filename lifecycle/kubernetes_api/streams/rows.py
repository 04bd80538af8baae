"""A cluster's streams from outside (all functions run in threads): opened, fed and closed in transactions, read from the rows without any.

What came out lies on the cluster's disk (simulation.node.streaming), so that whoever moves the cluster need not know who reads.
"""
from typing import NamedTuple

from ... import clusters
from ...models import DiskEntry
from ...simulation.client import Response
from ...simulation.control_plane.apiserver.errors import Refused
from ...simulation.node.shell import octets
from ...simulation.node.streaming import OUTPUT, STREAMS, piece

OPEN = 101                     # code of a Response that has a stream
AT_ONCE = 200                  # pieces that are read at a time


class News(NamedTuple):
    """`pieces` [(channel, bytes)] since the last reading, `next` the number of the next one; `exit` is the code once it has `ended`."""

    pieces: list
    next: int
    ended: bool
    exit: int


def open_stream(pk, path, query, caller):
    """The Response of the API server to who wants a connection: {"stream": id}, or a Status."""
    def opened(simulation):
        try:
            user, groups = caller.identity(simulation.api)
        except Refused as refused:
            return Response(refused.code, refused.status)
        return simulation.api.connect(path, query, actor=caller.actor, user=user, groups=groups)
    return clusters.request(pk, opened)


def feed(pk, id, data, last, fetched):
    """Hand on what came in, say with `last` that nothing more will, and that everything before the piece `fetched` has arrived. Raises ValueError."""
    def fed(simulation):
        streams = simulation.api.streams
        streams.fetched(id, fetched)
        if data:
            streams.send(id, octets.text_of(data))
        if last:
            streams.end_input(id)
    clusters.request(pk, fed)


def close(pk, id):
    """Nobody is there any more."""
    clusters.request(pk, lambda simulation: simulation.api.streams.close(id))


def read(pk, id, first):
    """The News from the piece `first` on; None if there is no such stream any more."""
    found = DiskEntry.objects.filter(cluster=pk)
    record = found.filter(space=STREAMS, key=id).values_list("value", flat=True).first()
    if record is None:
        return None
    names = [piece(id, number) for number in range(first, min(record["next"], first + AT_ONCE))]
    waiting = dict(found.filter(space=OUTPUT, key__in=names).values_list("key", "value")) if names else {}
    pieces = [(channel, octets.bytes_of(text)) for channel, text in (waiting[name] for name in names if name in waiting)]
    return News(pieces, first + len(names), record["ended"] is not None and first + len(names) == record["next"], record["exit"])


def dial(pk, path, port):
    """Connect with a port of the Pod at a path of the API (".../pods/NAME/portforward"): None, or a sentence."""
    return clusters.request(pk, lambda simulation: simulation.api.streams.dial(*_pod(simulation, path), port))


def ask(pk, path, port, target):
    """What the Pod answers to GET at a port: (code, text) or None."""
    return clusters.request(pk, lambda simulation: simulation.api.streams.ask(*_pod(simulation, path), port, target))


def _pod(simulation, path):
    """(namespace, name)"""
    route = simulation.api.route(path)
    return route.namespace, route.name
