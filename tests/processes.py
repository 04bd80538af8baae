"""The product's own processes, started by tests on ports of their own, and the services of a large installation."""
import os
import pwd
import socket
import subprocess
import sys
import tempfile
import urllib.request
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 60                  # seconds until a process has to answer


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


def wait_until(condition, what, seconds=PATIENCE):
    """Ask again and again until a condition holds; returns what it gave."""
    end = monotonic() + seconds
    while not (found := condition()):
        assert monotonic() < end, f"waited {seconds} s for {what}"
        sleep(0.02)
    return found


class Process:
    """A command of manage.py, or another program, with settings from `environment`; its output goes to the file `log`."""

    def __init__(self, words, environment, log):
        settings = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", **environment}
        with open(log, "ab") as output:
            self.process = subprocess.Popen(words, cwd=ROOT, env=settings, stdout=output, stderr=output)

    def kill(self):
        """kill -9."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def stop(self):
        """Ask it to end; returns its exit code."""
        self.process.terminate()
        return self.process.wait(PATIENCE)


def manage(*words, environment, log):
    return Process([sys.executable, "manage.py", *words], environment, log)


def serve(port, environment, log, *words):
    """`manage.py serve` that answers."""
    server = manage("serve", "--port", str(port), *words, environment=environment, log=log)
    wait_until_ready(port, server)
    return server


def wait_until_ready(port, server):
    def answers():
        assert server.process.poll() is None, f"the server ended with {server.process.returncode}"
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False
    wait_until(answers, "the server")


def worker_of(server):
    """The process id of the worker that a server has started, or None while there is none."""
    children = subprocess.run(["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True).stdout.split()
    return int(children[0]) if children else None


class Line:
    """A port whose connections go to each of some ports in turn, as a load balancer does it; and a line that can be cut so that neither end is told."""

    def __init__(self, *ports):
        self.listener, self.ports = socket.create_server(("127.0.0.1", 0)), cycle(ports)
        self.port, self.cuts, self.is_cut = self.listener.getsockname()[1], 0, False
        Thread(target=self._listen, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.listener.close()

    def cut(self):
        """From now on nothing passes. Connections stay open, and never carry anything again."""
        self.cuts, self.is_cut = self.cuts + 1, True

    def mend(self):
        """New connections are carried again."""
        self.is_cut = False

    def _listen(self):
        with suppress(OSError):              # until the listener is closed
            while True:
                Thread(target=self._carry, args=(self.listener.accept()[0], next(self.ports), None if self.is_cut else self.cuts), daemon=True).start()

    def _carry(self, client, port, cuts):
        """Carry bytes both ways until both have ended."""
        with client, suppress(OSError), socket.create_connection(("127.0.0.1", port)) as server:
            back = Thread(target=self._pump, args=(server, client, cuts), daemon=True)
            back.start()
            self._pump(client, server, cuts)
            back.join()

    def _pump(self, source, target, cuts):
        with suppress(OSError):
            while data := source.recv(65536):
                if cuts == self.cuts:
                    target.sendall(data)
            if cuts == self.cuts:
                target.shutdown(socket.SHUT_WR)


# -- services --------------------------------------------------------------------------------------------------------------
def postgres_programs():
    """The folder of PostgreSQL's programs, or None."""
    return next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


def _as_postgres():
    """PostgreSQL does not run for root: then it runs for Debian's user postgres."""
    return ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []


@contextmanager
def a_postgres():
    """A PostgreSQL server of our own; gives its DATABASE_URL."""
    programs, port = postgres_programs(), free_port()
    with tempfile.TemporaryDirectory(prefix="lifecycle-postgres-") as folder:           # where its user may go: pytest's own folders are closed to others
        if os.geteuid() == 0:
            os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
        data = Path(folder) / "data"
        subprocess.run([*_as_postgres(), programs / "initdb", "--auth=trust", "--no-sync", "--username=postgres", "-D", data], check=True, capture_output=True)
        options = ["-p", str(port), "-k", "", "-c", "fsync=off", "-c", "listen_addresses=127.0.0.1"]
        server = Process([*_as_postgres(), programs / "postgres", "-D", data, *options], {}, Path(folder) / "log")
        ready = [programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]
        try:
            wait_until(lambda: subprocess.run(ready).returncode == 0, "PostgreSQL")
            yield f"postgres://postgres@127.0.0.1:{port}/postgres"
        finally:
            server.stop()


@contextmanager
def a_redis(folder):
    """A Redis server of our own; gives its REDIS_URL."""
    port = free_port()
    server = Process(["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"], {}, folder / "redis.log")
    try:
        wait_until(lambda: subprocess.run(["redis-cli", "-p", str(port), "ping"], capture_output=True).stdout == b"PONG\n", "Redis")
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.stop()
