"""Fixtures that every test may use."""
import pytest

from .builders import a_cluster


@pytest.fixture
def cluster():
    """Three healthy nodes (n1, n2, n3) of 2 CPU and 4Gi; the store refuses changes in place."""
    return a_cluster()
