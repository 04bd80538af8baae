"""Threads of our own that use the database."""
from django.db import connections


def with_fresh_connection(function, *arguments):
    """Call a function. After an error the thread begins again with new connections: the server may have gone and come back."""
    try:
        return function(*arguments)
    except Exception:
        connections.close_all()
        raise
