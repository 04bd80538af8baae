"""The console's side of watches: who has to be woken for a change, and what a watch has to tell."""
from lifecycle.simulation.client import Request
from lifecycle.simulation.kubectl.invocation import url

BY_NAME = "metadata.name="


def interest(question):
    """What a watch is about, to be kept with the command: {"resource", "namespace", "name"}."""
    selector = question.query.get("fieldSelector", "")
    name = selector.removeprefix(BY_NAME) if selector.startswith(BY_NAME) and "," not in selector else ""
    return {"resource": question.resource.qualified, "namespace": question.namespace, "name": name}


def is_watched(interest, qualified, change):
    """Whether a change may be news for a watch."""
    if interest is None or interest["resource"] != qualified:
        return False
    metadata = change.object["metadata"]
    return interest["namespace"] in ("", metadata.get("namespace", "")) and interest["name"] in ("", metadata["name"])


def next_events(cluster, question, user, groups):
    """{"events": [{"type", "object"}], "revision"} that have come since the watch was read last, or None. Refusals are events of type ERROR."""
    request = Request("watch", question.resource, question.namespace, options=question.query, user=user, groups=groups)
    frames = cluster.api.watch(request, question.since)
    if not frames:
        return None
    if question.table:
        frames = [_as_table(cluster, question.resource, frame) for frame in frames]
    return {"events": frames, "revision": cluster.etcd.revision}


def _as_table(cluster, resource, frame):
    return frame if frame["type"] in ("ERROR", "BOOKMARK") else {**frame, "object": cluster.api.table(resource, [frame["object"]])}


def told(question, refusal):
    """(reason, request line, key, facts) of the message that opens a watch; `refusal` is the Status of one that is not allowed."""
    resource = question.resource
    line = f"GET {url(resource.path(question.namespace), question.query)}"
    return f"Watch{resource.kind}", line, resource.prefix(question.namespace), {"code": refusal["code"], "message": refusal["message"]} if refusal else {}


class EveryResource(dict):
    """A component's `watches` for all resources there are and will be, those of CustomResourceDefinitions included: {qualified name: `made(name)`}."""

    def __init__(self, made):
        super().__init__()
        self.made = made

    def __contains__(self, qualified):
        return True

    def __missing__(self, qualified):
        return self.setdefault(qualified, self.made(qualified))
