"""What the API server says while its store is broken: in etcd's words, which it hands on.

With the NOSPACE alarm etcd refuses to store and still reads and deletes (server/etcdserver/apply, applierV3Capped); without a quorum it does neither.
"""
from ...broken import any_fault, read
from .errors import no_quorum, no_space


def check(call, key):
    """Whether the store answers at all, about a key. Raises Refused."""
    if any_fault(call.etcd) and read(call.etcd, "etcd") == "down":
        raise _told(call, key, no_quorum())


def check_write(call, key):
    """Whether something may be stored under a key. Raises Refused."""
    check(call, key)
    if any_fault(call.etcd) and read(call.etcd, "etcd") == "read-only":
        raise _told(call, key, no_space())


def _told(call, key, refusal):
    call.tell(key)
    call.narrator.not_stored(key, refusal.message)
    return refusal
