"""A large installation: PostgreSQL and Redis of our own on this machine, several servers and workers. The same stories pass there."""
import os
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from shutil import which

import pytest

from .processes import ROOT, Line, Process, a_postgres, a_redis, free_port, manage, postgres_programs, serve, wait_until_ready

STORIES = (("test_sessions.py", "test_limits.py", "test_sweep.py", "test_log_in.py"),
           ("test_looking_back.py", "test_worker.py", "test_consumers.py", "test_socket_access.py"),
           ("test_crashes.py::test_a_worker_that_is_killed_at_any_moment_loses_nothing",))
ELSEWHERE = "not garbage and not begins_nowhere"          # has nothing to do with the database
BROWSER_STORIES = ("browser/test_main_story.py", "browser/test_many_browsers.py")
MISSING = [name for name, found in (("postgresql", postgres_programs()), ("redis-server", which("redis-server"))) if not found]

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"needs the Debian packages {' and '.join(MISSING)}; .ci/packages installs them")


@pytest.fixture(scope="module")
def services(tmp_path_factory):
    """The settings that name a database and a Redis of our own."""
    folder = tmp_path_factory.mktemp("services")
    with a_postgres() as database, a_redis(folder) as redis:
        yield {"DATABASE_URL": database, "REDIS_URL": redis}


def run_tests(names, environment):
    """Run some test files in a process of their own, with other settings."""
    words = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", ELSEWHERE, *(f"tests/{name}" for name in names)]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(words, cwd=ROOT, env={**clean, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


@contextmanager
def an_installation(environment, folder):
    """Two servers and two workers, each pair once by our own commands and once by those of Daphne and Channels. Gives the port of the balancer in front."""
    environment = {**environment, "DJANGO_SETTINGS_MODULE": "lifecycle.settings", "STATIC_ROOT": str(folder / "static")}
    ports = free_port(), free_port()
    with ExitStack() as stack:
        processes = []

        def start(process):
            stack.callback(process.stop)
            processes.append(process)
            return process

        start(serve(ports[0], environment, folder / "serve.log", "--worker", "none"))
        daphne = start(Process([sys.executable, "-m", "daphne", "-p", str(ports[1]), "lifecycle.asgi:application"], environment, folder / "daphne.log"))
        start(manage("work", environment=environment, log=folder / "work.log"))
        start(manage("runworker", "engine", environment=environment, log=folder / "runworker.log"))
        wait_until_ready(ports[1], daphne)
        yield stack.enter_context(Line(*ports)).port
        assert [process.process.poll() for process in processes] == [None] * 4, "one of them has ended by itself"


@pytest.mark.parametrize("names", STORIES)
def test_the_stories_of_the_rows_pass_on_postgresql_and_redis(services, names):
    run_tests(names, services)


@pytest.mark.browser
def test_the_main_story_passes_with_two_servers_and_two_workers(services, tmp_path):
    with an_installation(services, tmp_path) as port:
        run_tests(BROWSER_STORIES, {"LIFECYCLE_TEST_SERVER": f"http://127.0.0.1:{port}"})
    # It should have been played on both servers, every browser on one and the other in turn.
    assert all("/clusters/1/" in (tmp_path / log).read_text() for log in ("serve.log", "daphne.log"))
