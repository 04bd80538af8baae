"""The two source documents, statement by statement: what they say, what Kubernetes really does, and which messages show it."""
from .loading import Block, Document, Point, Statement, all, diagrams, documents, get, missing, points
from .showing import Shown, shown, statements_of

__all__ = ["Block", "Document", "Point", "Shown", "Statement", "all", "diagrams", "documents", "get", "missing", "points", "shown", "statements_of"]
