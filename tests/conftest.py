"""Fixtures that every test may use."""
import pytest
from django.db import connections
from hypothesis import HealthCheck, settings

from lifecycle.lessons import catalog

from .builders import a_cluster
from .cast import an_account
from .lessons import a_folder, a_run

# How fast this machine is at the moment is no finding.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """SQLite in a file: workers and servers have threads, and each thread a connection of its own."""
    for connection in connections.all():
        if connection.vendor == "sqlite":
            connection.settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


@pytest.fixture
def cluster():
    """Three healthy nodes (n1, n2, n3) of 2 CPU and 4Gi; the store refuses changes in place."""
    return a_cluster()


@pytest.fixture
def small_course(tmp_path, monkeypatch):
    """A course of two small lessons, "small" and "other"."""
    found = [a_folder(tmp_path), a_folder(tmp_path, name="02-other", words=[('"A small lesson"', '"Another lesson"')])]
    monkeypatch.setattr(catalog, "folders", lambda: found)
    catalog.catalog.cache_clear()
    yield
    catalog.catalog.cache_clear()


@pytest.fixture
def ben():
    return an_account("ben")


@pytest.fixture
def run(small_course, ben):
    """Ben's run through the small lesson, just begun."""
    return a_run(ben)
