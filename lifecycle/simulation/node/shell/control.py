"""How a shell program leaves what it is in, and how long its parts take at least."""

COMMAND_TIME = 1                   # ms of an external program
ROUND_TIME = 1                     # ms of one round of a loop, so that no loop stands still in time


class Leave(Exception):
    """break, continue or return."""

    def __init__(self, kind, levels=1, code=0):
        super().__init__(kind)
        self.kind, self.levels, self.code = kind, levels, code
