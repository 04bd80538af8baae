"""How a component speaks to the API server: typed calls, each a message in the log."""
from typing import NamedTuple

from . import broken
from .resources import Resource


class Request(NamedTuple):
    """What arrives at the API server, already taken apart.

    `verb` is Kubernetes' own (create, update, patch, delete, deletecollection, get, list, watch). `options` are query parameters by name.
    `patch_type` is "json", "merge", "strategic" or "apply". `actor` and `facts` describe the sender in the message log; `user` is who it says it is;
    `manager` is its field manager, `groups` are the groups it claims beside those of its name. `trusted` bodies come from our own components: well-formed
    by construction, so decoding is skipped.
    `duplicates` are paths of fields that the body's text had twice. `connection` is given by who wants one that stays open: (component, key) to wake when
    something has come through it, () for those outside of the simulation. `rest` is the path behind the subresource proxy.
    """

    verb: str
    resource: Resource
    namespace: str = ""
    name: str = ""
    subresource: str = ""
    body: dict | list | None = None
    options: dict = {}
    patch_type: str = ""
    actor: str = "kubectl"
    user: str = "kubernetes-admin"
    manager: str = ""
    facts: dict = {}
    trusted: bool = False
    groups: tuple = ()
    duplicates: tuple = ()
    connection: tuple | None = None
    rest: str = ""


class Response(NamedTuple):
    """A status code and a body, as HTTP would give them; `warnings` are the texts of Warning headers."""

    code: int
    body: dict
    warnings: tuple = ()

    @property
    def ok(self):
        return self.code < 300

    @property
    def reason(self):
        """The machine-readable reason of a refusal ("NotFound", "Conflict", ...), "" otherwise."""
        return "" if self.ok else self.body.get("reason", "")


class Client:
    """The API as one component sees it. Reads come from its informers' caches and are silent; writes and `fetch` are requests.

    Resources are given by qualified name ("pods", "deployments.apps"). Requests raise Unavailable if there is no way to the API server, or if it has no store.
    """

    def __init__(self, api, etcd, actor, user, manager, facts):
        self.api, self.etcd = api, etcd
        self.actor, self.user, self.manager, self.facts = actor, user, manager, facts

    def about(self, **facts):
        """The same client with more facts on its messages (node=..., pod=...)."""
        return Client(self.api, self.etcd, self.actor, self.user, self.manager, {**self.facts, **facts})

    # -- caches ------------------------------------------------------------------------------------------------------------
    def get(self, qualified, namespace, name):
        """The object, or None."""
        return self.etcd.get(self.api.resource(qualified).key(namespace, name))

    def list(self, qualified, namespace=None):
        """All objects, sorted by key."""
        return self.etcd.range(self.api.resource(qualified).prefix(namespace))

    # -- requests ----------------------------------------------------------------------------------------------------------
    def _send(self, verb, qualified, namespace, name="", subresource="", body=None, options=None, patch_type=""):
        request = Request(verb, self.api.resource(qualified), namespace, name, subresource, body, options or {}, patch_type,
                          self.actor, self.user, self.manager, self.facts, True)
        if not broken.any_fault(self.etcd):
            return self.api.handle(request)
        if broken.is_cut_off_user(self.etcd, self.user):
            self.api.cluster.log.say(self.actor, "apiserver", "RequestLost", None, None, None, {**self.facts, "verb": verb, "resource": qualified})
            raise broken.Unavailable("connect: connection timed out")
        answer = self.api.handle(request)
        if answer.code == 500 and broken.read(self.etcd, "etcd"):
            raise broken.Unavailable(answer.body["message"])
        return answer

    def fetch(self, qualified, namespace, name, subresource=""):
        """A live GET."""
        return self._send("get", qualified, namespace, name, subresource)

    def fetch_list(self, qualified, namespace, **options):
        """A live GET of a collection. KeyError if nobody serves the resource."""
        return self._send("list", qualified, namespace, options=options)

    def create(self, qualified, namespace, body, subresource="", name=""):
        """POST; `name` is needed for subresources such as pods/binding only."""
        return self._send("create", qualified, namespace, name, subresource, body)

    def update(self, qualified, body, subresource=""):
        """PUT of a whole object; a resourceVersion in it must be current."""
        meta = body["metadata"]
        return self._send("update", qualified, meta.get("namespace", ""), meta["name"], subresource, body)

    def update_status(self, qualified, body):
        """PUT .../status"""
        return self.update(qualified, body, "status")

    def patch(self, qualified, namespace, name, body, subresource="", patch_type="strategic"):
        """PATCH; strategic merge unless told otherwise."""
        return self._send("patch", qualified, namespace, name, subresource, body, None, patch_type)

    def delete(self, qualified, namespace, name, grace=None, policy=None, uid=None, version=None):
        """DELETE with DeleteOptions: `grace` in seconds, `policy` Background, Foreground or Orphan, preconditions `uid` and `version`."""
        options = {"kind": "DeleteOptions", "apiVersion": "v1"}
        if grace is not None:
            options["gracePeriodSeconds"] = grace
        if uid or version:
            options["preconditions"] = {**({"uid": uid} if uid else {}), **({"resourceVersion": version} if version else {})}
        if policy:
            options["propagationPolicy"] = policy
        return self._send("delete", qualified, namespace, name, "", options)

    def delete_collection(self, qualified, namespace):
        """DELETE of everything of a kind in a namespace, in the background."""
        return self._send("deletecollection", qualified, namespace, body={"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"})
