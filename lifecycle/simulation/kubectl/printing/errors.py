"""What can go wrong while printing."""


class OutputError(ValueError):
    """A format, template or path that kubectl refuses; the text is kubectl's, without "error: "."""
