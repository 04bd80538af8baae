"""What the live page shows, as view models: pure functions over a `looking_back.Snapshot`, messages and revisions.

Nothing here reads the database or knows HTTP. A view model is a NamedTuple or a dict of plain values that a template writes down; texts that come from
Kubernetes stay as they are, all others are translated when they are asked for.
"""
from .actors import ACTORS, actor_name, lanes
from .pushing import render_behind, render_push

__all__ = ["ACTORS", "actor_name", "lanes", "render_behind", "render_push"]
