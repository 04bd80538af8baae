"""A small shell for the commands that people write into manifests, run in virtual time."""
from .machine import Machine
from .shell import command, script

__all__ = ["Machine", "command", "script"]
