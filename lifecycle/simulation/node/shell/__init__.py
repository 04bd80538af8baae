"""A small shell for the commands that people write into manifests, run in virtual time."""
from .interpreter import command, script
from .machine import Machine

__all__ = ["Machine", "command", "script"]
