"""How a shell program leaves what it is in."""


class Leave(Exception):
    """break, continue or return."""

    def __init__(self, kind, levels=1, code=0):
        super().__init__(kind)
        self.kind, self.levels, self.code = kind, levels, code
