"""One request: read, checked, carried out by the API server of the cluster in one transaction, and turned into bytes. Runs in threads."""
from typing import NamedTuple

from .. import clusters
from ..simulation.client import Response
from ..simulation.control_plane.apiserver.errors import Refused, bad_request
from ..simulation.control_plane.apiserver.http import options_of
from ..simulation.control_plane.apiserver.list_options import flag
from ..simulation.control_plane.apiserver.shapes import METADATA, TABLE
from . import logs, protobuf, watches
from .accepting import Accepted
from .answers import answer
from .caller import Caller

PROTOBUF = "application/vnd.kubernetes.protobuf"


class Asked(NamedTuple):
    """A request as it came: `path` is that of the API, `query` the text behind "?", `body` bytes."""

    method: str
    path: str
    query: str
    body: bytes
    content_type: str
    caller: Caller
    accepted: Accepted

    @property
    def options(self):
        return options_of(self.path, self.query)

    @property
    def is_watch(self):
        """Also by the old form of paths, /api/v1/watch/... and /apis/GROUP/VERSION/watch/..."""
        group = 3 if self.path.startswith("/api/") else 4
        return self.method == "GET" and (bool(flag(self.options, "watch")) or self.path.split("/")[group:group + 1] == ["watch"])

    @property
    def is_followed_log(self):
        return logs.is_followed(self.method, self.path, self.options)

    def carried_out(self, simulation):
        """The Response of the API server."""
        route = simulation.api.route(self.path)
        try:
            user, groups = self.caller.identity(simulation.api)
            body, media = self.received()
        except Refused as refused:
            return Response(refused.code, refused.status)
        if self.caller.command:
            simulation.log.say("user", self.caller.actor, "RunCommand", None, None, None, {"command": self.caller.command})
        return simulation.api.http(
            self.method, self.path, self.query, body, media, user=user, groups=groups, actor=self.caller.actor, manager=self.caller.manager,
            accept_table=self.accepted.shape == TABLE, only_metadata=self.accepted.shape == METADATA,
            show_managed_fields=self.method != "GET" or bool(route and route.name))       # of a whole list they would cost too much

    def received(self):
        """(body, content type) as the API server takes them. Raises Refused (400)."""
        if self.content_type.partition(";")[0].strip() != PROTOBUF or not self.body:
            return self.body, self.content_type
        try:
            return protobuf.decode(self.body), self.content_type
        except ValueError as error:
            raise bad_request(str(error)) from None


def plain(pk, asked):
    """The Answer to a request that is answered at once."""
    return answer(clusters.request(pk, asked.carried_out))


def watch(pk, asked):
    """(Answer, None) to a watch that is refused, (None, watches.Opened) for one that goes on."""
    def opened(simulation):
        response = asked.carried_out(simulation)
        if not isinstance(response.body, list):
            return response, None
        return None, watches.opened(simulation, asked.path, asked.query, asked.accepted.shape, response.body)

    response, found = clusters.request(pk, opened)
    return (answer(response), None) if response else (None, watches.begun(*found))


def followed_log(pk, asked):
    """(Answer, None) to a log that is refused, (text, logs.Shown) for one that goes on."""
    def opened(simulation):
        response = asked.carried_out(simulation)
        return (response, logs.shown(simulation, asked.path, asked.options)[1]) if response.ok else (response, None)

    response, seen = clusters.request(pk, opened)
    return (response.body, seen) if seen else (answer(response), None)
