"""Coroutines in tests that are none themselves."""
import asyncio
from concurrent.futures import ThreadPoolExecutor


def finished(story):
    """What a coroutine returns, run in a thread of its own: a browser's driver may have a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, story).result()
