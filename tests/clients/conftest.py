"""A server for all tests of real clients, and what speaks with it."""
import gc
from contextlib import contextmanager
from threading import Timer

import pytest

from ..kubectl import PATIENCE, Learner
from ..processes import free_port, serve

PACE = "real:1000"             # nobody waits long for anything


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The address of a `manage.py serve` with a database of its own, whose log must stay clean."""
    place, port = tmp_path_factory.mktemp("serve"), free_port()
    process = serve(port, {"DATABASE_URL": f"sqlite:///{place / 'db.sqlite3'}", "STATIC_ROOT": str(place / "static")}, place / "log")
    yield f"http://127.0.0.1:{port}"
    code, log = process.stop(), (place / "log").read_text()
    assert code == 0 and "Traceback" not in log and " ERROR " not in log, log[-5000:]


@pytest.fixture
def kubectl(server, tmp_path):
    """The real kubectl with the address of a fresh cluster."""
    return Learner(server).cluster(tmp_path, pace=PACE)


@pytest.fixture
def tidy():
    """What libraries leave to the garbage collector is collected with the test."""
    yield
    gc.collect()


@contextmanager
def running(kubectl, *words, **options):
    """A command that goes on, as a Popen; it ends with the block, and if it says nothing for too long."""
    process = kubectl.start(*words, **options)
    patience = Timer(PATIENCE, process.kill)
    patience.start()
    try:
        yield process
    finally:
        patience.cancel()
        process.kill()
        process.communicate()
