"""`kubectl describe`: an object and what is related to it, as text (kubectl/pkg/describe/describe.go)."""
from . import access, autoscaling, cluster, generic, jobs, network, network_policies, nodes, pods, storage, workloads
from .page import Page, Query

DESCRIBERS = {**pods.DESCRIBERS, **workloads.DESCRIBERS, **jobs.DESCRIBERS, **network.DESCRIBERS, **network_policies.DESCRIBERS, **storage.DESCRIBERS,
              **nodes.DESCRIBERS, **cluster.DESCRIBERS, **access.DESCRIBERS, **autoscaling.DESCRIBERS}

__all__ = ["Query", "describe"]


def describe(resource, thing, lookup, clock, events=True):
    """The description of an object, with its last line end.

    `resource` is the qualified name ("pods", "deployments.apps"; anything unknown is described field by field). `lookup(query)` answers a Query about
    related objects: a list, or for a query with a name the object or None. `events` is False for `--show-events=false`, and when several objects are
    described at once. What is asked depends on the object alone.
    """
    page = Page(lookup, clock, events)
    DESCRIBERS.get(resource, generic.anything)(page, thing)
    return page.text()
