"""The columns of every resource's table, as a v1.36 server sends them: `columns.json`, in which they share their descriptions."""
from functools import lru_cache
from importlib.resources import files
from json import loads


@lru_cache(None)
def columns(resource):
    """The column definitions of a resource; name and creation time if it has none of its own."""
    data = _column_data()
    rows = data["columns"].get(resource) or data["columns"][""]
    return [{"name": name, "type": kind, "format": form, "description": data["descriptions"][text], "priority": priority}
            for name, kind, form, priority, text in rows]


@lru_cache(1)
def _column_data():
    return loads((files(__package__) / "columns.json").read_text())
