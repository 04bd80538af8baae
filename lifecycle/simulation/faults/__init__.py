"""What can be broken and mended from outside. A fault is a sentence: "node n3 down", "container web/app crash", "etcd read-only"."""
from . import components, containers, images, nodes, storage
from .fault import UnknownFault, match, resolved

FAULTS = (*nodes.FAULTS, *containers.FAULTS, *images.FAULTS, *storage.FAULTS, *components.FAULTS)


def apply_fault(cluster, words):
    """Break or mend something, as said in words. Raises ValueError with a sentence for what is not known, or not there."""
    for fault in FAULTS:
        found = match(fault, words.split())
        if found is not None:
            _carry_out(cluster, fault, words, resolved(cluster, found))
            return
    raise UnknownFault(words, FAULTS)


def _carry_out(cluster, fault, words, named):
    """The log tells a fault before what it does, unless it cannot be done."""
    mark = cluster.log.mark()
    fault.tell(cluster, words, named)
    try:
        fault.do(cluster, *named.values())
    except ValueError:
        cluster.log.forget_since(mark)
        raise
