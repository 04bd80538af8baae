"""The commands that the shell knows: what is built into it, and the programs in a container's /bin.

Each is a generator function of (shell, arguments) that returns an exit code (None is 0).
"""
from .builtins import BUILTINS
from .file_programs import FILE_PROGRAMS
from .system_programs import SYSTEM_PROGRAMS
from .text_programs import TEXT_PROGRAMS

PROGRAMS = {**FILE_PROGRAMS, **TEXT_PROGRAMS, **SYSTEM_PROGRAMS}

__all__ = ["BUILTINS", "PROGRAMS"]
