"""What else happens in the server when an object is written or removed."""
from ...resources import registry
from ...timings import WATCH_DELIVERY
from . import allocation, event_ttl
from .custom import CustomResourceDefinitions

WRITING = {"services": allocation.record, **dict.fromkeys(event_ttl.KINDS, event_ttl.writing)}
REMOVED = {"services": allocation.release}


def writing(call, thing):
    """Just before `thing` is stored."""
    function = WRITING.get(call.resource.qualified)
    if function:
        function(call, thing)


def removed(call, last):
    """After `last` has left the store. A CustomResourceDefinition may have waited for the last object of its kind."""
    qualified = call.resource.qualified
    function = REMOVED.get(qualified)
    if function:
        function(call, last)
    elif "." in qualified and qualified not in registry():
        call.server.cluster.queue.add(CustomResourceDefinitions.name, qualified, call.clock.now + WATCH_DELIVERY)
