"""The words of Kubernetes in both languages: what they mean, and where they stand in a text."""
from .linking import linked
from .loading import Entry, Group, components, entries, get, groups

__all__ = ["Entry", "Group", "components", "entries", "get", "groups", "linked"]
