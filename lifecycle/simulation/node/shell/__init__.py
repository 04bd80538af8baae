"""A small shell for the commands that people write into manifests, run in virtual time."""
from .bodies import command, program, script
from .machine import Machine
from .shell import COMMAND_TIME
from .terminal import Input, Terminal

__all__ = ["COMMAND_TIME", "Input", "Machine", "Terminal", "command", "program", "script"]
