"""Daphne with a worker beside it: a child process, so that pages stay quick while simulations run, or a task of the same process."""
import asyncio
import logging
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import daphne.server  # installs Twisted's reactor over asyncio: before anything else of Twisted
from django.conf import settings
from twisted.internet import reactor

from . import announcing, flow
from .layers import Bridge
from .management.commands.work import work

WORK = (sys.executable, settings.BASE_DIR / "manage.py", "work")
TURN = 0.001                   # seconds after which a thread that renders lets the event loop have its turn
RESTART = 0.5                  # seconds until a worker that has ended is started again
PATIENCE = 5                   # seconds for it to end

logger = logging.getLogger(__name__)


class Server(daphne.server.Server):
    """`worker` is "process", "task" or "none". Ends with the exit code 0 on SIGTERM and SIGINT."""

    def __init__(self, worker, **options):
        self.worker, self.process, self.bridge, self.is_ending = worker, None, None, False
        super().__init__(**options)

    def run(self):
        sys.setswitchinterval(TURN)
        reactor.callWhenRunning(lambda: asyncio.ensure_future(self.begin()))
        reactor.addSystemEventTrigger("before", "shutdown", self.end)
        super().run()
        drain()

    async def handle_reply(self, protocol, message):
        """Send a message of the application; a part of an answer waits until the client has read enough of those before."""
        waiting = flow.begin(protocol) if flow.has_more(message) else flow.end(protocol)
        await super().handle_reply(protocol, message)
        if waiting:
            await waiting.is_free.wait()

    async def begin(self):
        """Start the worker."""
        announcing.use_loop(asyncio.get_running_loop())
        if self.worker == "task":
            self.task = asyncio.ensure_future(work())
        elif self.worker == "process":
            await self.supervise()

    async def supervise(self):
        """Keep a worker process running."""
        with tempfile.TemporaryDirectory(prefix="lifecycle-") as folder:         # nobody else may enter it
            environment = dict(os.environ)
            if not settings.REDIS_URL:
                environment["LIFECYCLE_BRIDGE"] = str(Path(folder) / "bridge")
                self.bridge = await Bridge().listen(environment["LIFECYCLE_BRIDGE"])
            while not self.is_ending:
                self.process = subprocess.Popen([*WORK, "--until-eof"], stdin=subprocess.PIPE, env=environment)
                code = await asyncio.get_running_loop().run_in_executor(None, self.process.wait)
                if not self.is_ending:
                    logger.error("the worker has ended and is started again", extra={"code": code})
                    await asyncio.sleep(RESTART)

    def end(self):
        """Let the worker end, between two transactions or in the midst of one: it makes no difference to the rows."""
        self.is_ending = True
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()


def drain():
    """Cancel what is left in the loop. Tasks that are still pending when the interpreter ends can crash it."""
    loop = reactor._asyncioEventloop

    async def cancel():
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    loop.run_until_complete(cancel())
