"""A command's side of watches: one object (or all that a query selects) from now on, as client-go's UntilWithSync does it."""
from zlib import crc32

from lifecycle.simulation.kubectl.errors import ServerError
from lifecycle.simulation.kubectl.process import Watch

SHORTEST, SPREAD = 300, 300          # seconds that a watch may last: client-go draws a number, so that not all clients come back at once


class Watcher:
    """Reads the events of one object: `events = yield from watcher.events()`. It begins with an ADDED event if the object is there."""

    def __init__(self, resource, namespace, name, until=None):
        self.resource, self.namespace, self.until = resource, namespace, until
        self.query = {"allowWatchBookmarks": "true", "fieldSelector": f"metadata.name={name}", "resourceVersionMatch": "NotOlderThan",
                      "sendInitialEvents": "true",
                      "timeoutSeconds": str(SHORTEST + crc32(f"{namespace}/{name}".encode()) % SPREAD), "watch": "true"}
        self.since = None

    def events(self):
        """The next events, at least one, or None if the time is up. Raises ServerError. A first answer without an ADDED event is an empty list."""
        answer = yield Watch(self.resource, self.namespace, self.query, self.since, self.until, self.since is None)
        if answer is None:
            return None
        self.since = answer["revision"]
        return checked(answer["events"])


def checked(events):
    """The events without bookmarks. Raises ServerError for an ERROR event."""
    for event in events:
        if event["type"] == "ERROR":
            raise ServerError(event["object"])
    return [event for event in events if event["type"] != "BOOKMARK"]
