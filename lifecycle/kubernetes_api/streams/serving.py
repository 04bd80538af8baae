"""The threads in which an event loop's streams speak with the database."""
import asyncio
from weakref import WeakKeyDictionary

from ... import announcing
from ...threads import Threads

THREADS = 4
_threads = WeakKeyDictionary()         # event loop -> Threads


def threads():
    """The Threads of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _threads:
        announcing.use_loop(loop)
        _threads[loop] = Threads(THREADS, "streams")
    return _threads[loop]
