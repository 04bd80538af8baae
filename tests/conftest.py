"""Fixtures that every test may use."""
import pytest
from django.db import connections

from .builders import a_cluster


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
