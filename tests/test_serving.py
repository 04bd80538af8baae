"""`manage.py serve`: one command, a worker that goes where the server goes, and no one left behind."""
import os
import signal
import socket
import subprocess

import pytest
from django.db import connection

from lifecycle import clusters
from lifecycle.models import Cluster

from .processes import free_port, manage, serve, wait_until, worker_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def environment(settings):
    if connection.vendor != "sqlite":
        pytest.skip("one server without other services is tested with SQLite")
    return {"DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}", "SECRET_KEY": settings.SECRET_KEY}


def is_alive(pid):
    """Whether a process runs (and is no zombie)."""
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return bool(found) and not found.startswith("Z")


def a_story():
    """A watched cluster that has something to tell."""
    row = clusters.create("web", 1, seed=1)
    clusters.set_pace(row.pk, "story", 0.05)
    clusters.watch([row.pk])
    clusters.command(row.pk, "kubectl run web --image=nginx")
    return row.pk


@pytest.mark.parametrize("worker", ["process", "task"])
def test_a_story_goes_on_by_itself_and_the_server_ends_cleanly(environment, tmp_path, worker):
    server = serve(free_port(), environment, tmp_path / "log", "--worker", worker)
    child = wait_until(lambda: worker_of(server), "a worker") if worker == "process" else None
    pk = a_story()
    wait_until(lambda: Cluster.objects.get(pk=pk).next_virtual is None, "the story to end")
    assert server.stop() == 0
    assert not child or not is_alive(child)


def test_a_worker_does_not_outlive_a_server_that_is_killed(environment, tmp_path):
    server = serve(free_port(), environment, tmp_path / "log")
    worker = wait_until(lambda: worker_of(server), "a worker")
    server.kill()
    wait_until(lambda: not is_alive(worker), "the worker to end")


def test_a_worker_that_is_killed_is_started_again(environment, tmp_path):
    server = serve(free_port(), environment, tmp_path / "log")
    worker = wait_until(lambda: worker_of(server), "a worker")
    os.kill(worker, signal.SIGKILL)
    another = wait_until(lambda: worker_of(server) not in (None, worker) and worker_of(server), "another worker")
    assert is_alive(another)
    assert server.stop() == 0


def test_a_port_that_is_taken_is_said_in_words(environment, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        server = manage("serve", "--port", str(port), environment=environment, log=tmp_path / "log")
        assert server.process.wait(60) == 1
    assert f"nothing can listen at 127.0.0.1:{port}" in (tmp_path / "log").read_text()
