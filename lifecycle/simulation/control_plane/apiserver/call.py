"""One request under way: who asks, what the server knows, what it writes."""
from ..etcd import REPLACE, Manager
from . import aftermath, event_ttl, storage_faults
from .narration import Narrator

CALLER = object()               # stands for the manager that the request names


class Call:
    """What the steps of the pipeline share. `resource`, `namespace` and `name` are the request's; `dry_run` calls write nothing."""

    __slots__ = ("applied", "charges", "clock", "dry_run", "etcd", "name", "namespace", "narrator", "owners", "request", "resource", "server",
                 "takes_over", "told", "warnings")

    def __init__(self, server, request):
        self.server, self.request = server, request
        self.resource, self.namespace, self.name = request.resource, request.namespace, request.name
        self.etcd, self.clock = server.etcd, server.clock
        self.dry_run = request.options.get("dryRun") == "All"
        self.warnings = []
        self.narrator = Narrator(server.cluster.log, request)
        self.told = False
        self.applied = None            # the field set of a server-side apply
        self.owners = None             # the managedFields that a patch puts in the place of those that are there
        self.takes_over = False        # whether one of these changes who owns what, even if no value changes
        self.charges = []              # ResourceQuotas with what this request uses

    # -- reading ------------------------------------------------------------------------------------------------------------
    @property
    def key(self):
        """The store key of the object the request names."""
        return self.resource.key(self.namespace, self.name)

    def current(self):
        """The stored object that the request names, or None."""
        found = self.etcd.get(self.key)
        return None if found is None or not event_ttl.served(self, (found,)) else found

    def stored(self, resource, namespace, name):
        """Another object of the cluster, or None."""
        return self.etcd.get(resource.key(namespace, name))

    # -- telling ------------------------------------------------------------------------------------------------------------
    def tell(self, key, refusal=None):
        """Say the request, once."""
        if not self.told:
            self.told = True
            self.narrator.request_came(key, refusal)

    # -- writing ------------------------------------------------------------------------------------------------------------
    def manager(self):
        """Who writes, as managedFields will name it."""
        request = self.request
        name = request.options.get("fieldManager") or request.manager or request.actor
        if self.owners is not None:
            return Manager(name, REPLACE, request.subresource, self.clock.timestamp(), self.resource.api_version, self.owners)
        operation = "Apply" if self.applied is not None else "Update"
        return Manager(name, operation, request.subresource, self.clock.timestamp(), self.resource.api_version, self.applied)

    def put(self, key, thing, manager=CALLER):
        """Store an object and say so; on a dry run only hand it back. `manager` None: what changes is nobody's, as the marks of a deletion."""
        if self.dry_run:
            return thing
        storage_faults.check_write(self, key)
        event = "MODIFIED" if key in self.etcd.created else "ADDED"
        stored = self.etcd.put(key, thing, None, self.manager() if manager is CALLER else manager)
        self.narrator.written(event, key, self.etcd.revision)
        return stored

    def remove(self, key):
        """Remove an object and say so; returns its last state."""
        if self.dry_run:
            return self.etcd.get(key)
        storage_faults.check(self, key)
        last = self.etcd.delete(key)
        self.narrator.written("DELETED", key, self.etcd.revision)
        aftermath.removed(self, last)
        return last
