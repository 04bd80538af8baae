"""`manage.py work`: a worker that moves clusters, as many as one likes beside any number of servers."""
import asyncio
import os
import sys
from contextlib import suppress
from threading import Thread

from channels.layers import get_channel_layer
from channels.worker import Worker
from django.core.management.base import BaseCommand

from lifecycle import memory
from lifecycle.announcing import ENGINE
from lifecycle.worker import EngineConsumer, engine


class Command(BaseCommand):
    help = "Moves the clusters that are due, until it is stopped. `serve` starts one by itself."

    def add_arguments(self, parser):
        parser.add_argument("--until-eof", action="store_true", help="end when standard input ends: when the process that started this one is gone")

    def handle(self, *, until_eof, **options):
        if until_eof:
            Thread(target=_end_with_input, daemon=True).start()
        memory.tune()
        with suppress(KeyboardInterrupt, ConnectionError):
            asyncio.run(work())


async def work():
    """Hear wake-ups, and look for overdue clusters."""
    engine()
    await Worker(EngineConsumer.as_asgi(), [ENGINE], get_channel_layer()).arun()


def _end_with_input():
    sys.stdin.buffer.read()
    os._exit(0)
