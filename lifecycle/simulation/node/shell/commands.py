"""The commands that the shell knows: what is built into it, and the programs in a container's /bin.

Each is a generator function of (shell, arguments) that returns an exit code (None is 0).
"""
from .builtins import BUILTINS
from .file_programs import FILE_PROGRAMS
from .octet_programs import OCTET_PROGRAMS
from .system_programs import SYSTEM_PROGRAMS
from .text_programs import TEXT_PROGRAMS

BOTH = ("echo", "printf", "test", "[", "true", "false", "pwd", "kill")          # built in, and files of /bin too
PROGRAMS = {**FILE_PROGRAMS, **TEXT_PROGRAMS, **OCTET_PROGRAMS, **SYSTEM_PROGRAMS, **{name: BUILTINS[name] for name in BOTH}}

__all__ = ["BUILTINS", "PROGRAMS"]
