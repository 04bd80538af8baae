"""What can go wrong with an expression."""


class CelError(ValueError):
    """An expression that cannot be read, or that has no value for these variables ("no such key: x")."""
