"""What the API server says about a request: the request itself, its own steps, what it writes, what it answers."""
from functools import lru_cache
from urllib.parse import urlencode

METHODS = {"create": "POST", "update": "PUT", "patch": "PATCH", "delete": "DELETE", "deletecollection": "DELETE", "get": "GET", "list": "GET", "watch": "GET"}
VERBS = {"deletecollection": "DeleteCollection"}
ETCD = {"ADDED": ("EtcdCreate", "PUT "), "MODIFIED": ("EtcdUpdate", "PUT "), "DELETED": ("EtcdDelete", "DELETE ")}
CLIENTS = ("kubectl", "user")
SUBRESOURCES = {"ephemeralcontainers": "EphemeralContainers"}


@lru_cache(None)
def reason_of(verb, kind, subresource):
    """"CreatePod", "PatchPodStatus", "DeleteCollectionPod": the name of a request in the message log."""
    return VERBS.get(verb, verb.capitalize()) + kind + (SUBRESOURCES.get(subresource) or subresource.capitalize())


@lru_cache(None)
def _written(reason, actor, event):
    return {"for": reason, "by": actor, "event": event}


@lru_cache(None)
def _answered(code, reason, verb):
    return {"code": code, "for": reason, "verb": verb}


def request_line(request):
    """"POST /api/v1/namespaces/default/pods?fieldManager=kubectl-create"."""
    resource = request.resource
    name = "" if request.verb == "create" and not request.subresource else request.name
    line = f"{METHODS[request.verb]} {resource.path(request.namespace, name, request.subresource)}"
    if not request.options:
        return line
    return f"{line}?{urlencode(request.options, doseq=True)}"


class Narrator:
    """The messages about one request, in their order; `key` is the store key the request is about."""

    __slots__ = ("log", "reason", "request")

    def __init__(self, log, request):
        self.log, self.request = log, request
        self.reason = reason_of(request.verb, request.resource.kind, request.subresource)

    def request_came(self, key=None, refusal=None):
        """The request; a refused one says its code and message."""
        request = self.request
        facts = request.facts if refusal is None else {**request.facts, "code": refusal.code, "message": refusal.message}
        self.log.say(request.actor, "apiserver", self.reason, request_line(request), key, None, facts)

    def step(self, reason, key, facts):
        """Something the server itself decided."""
        self.log.say("apiserver", "apiserver", reason, None, key, None, {**self.request.facts, **facts})

    def written(self, event, key, revision):
        """A commit in etcd; `event` is what watchers will see."""
        reason, method = ETCD[event]
        self.log.say("apiserver", "etcd", reason, method + key, key, revision, _written(self.reason, self.request.actor, event))

    def not_stored(self, key, message):
        """What etcd says to a request that it does not carry out."""
        self.log.say("apiserver", "etcd", "EtcdRefused", None, key, None, {"for": self.reason, "by": self.request.actor, "message": message})

    def answered(self, code):
        """The answer; only a person's client, kubectl or another program, is worth a message."""
        if self.request.actor in CLIENTS:
            self.log.say("apiserver", self.request.actor, "Respond", None, None, None, _answered(code, self.reason, self.request.verb))
