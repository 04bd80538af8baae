"""Threads of our own for work with the database: beside an event loop that stays quick, and beside the one thread that all of Channels shares."""
import asyncio
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connections


class Threads:
    """A few threads, each with connections of its own. `name` is for those who look at a running process."""

    def __init__(self, count, name):
        self.count, self.pool = count, ThreadPoolExecutor(count, name)

    async def run(self, function, *arguments):
        """What a function returns that one of the threads calls."""
        return await asyncio.wrap_future(self.pool.submit(_called, function, *arguments))

    def end(self):
        """Close all connections and end the threads."""
        together = Barrier(self.count)          # so that each thread takes one
        for _ in range(self.count):
            self.pool.submit(lambda: (together.wait(), connections.close_all()))
        self.pool.shutdown()


def _called(function, *arguments):
    """After an error a thread begins again with new connections: the database may have gone and come back."""
    try:
        return function(*arguments)
    except Exception:
        connections.close_all()
        raise
