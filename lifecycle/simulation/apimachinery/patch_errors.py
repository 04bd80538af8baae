"""What can be wrong with a patch."""


class PatchError(ValueError):
    """A patch that cannot be applied; `code`, `reason` and `causes` are those of the API server's answer."""

    def __init__(self, message, code=400, reason="BadRequest", causes=()):
        super().__init__(message)
        self.message, self.code, self.reason, self.causes = message, code, reason, list(causes)
