"""What goes wrong in a command, and how kubectl words it (kubectl/pkg/cmd/util/helpers.go)."""
import json


class CommandError(Exception):
    """Ends a command with a message on standard error; `exit` is the exit code."""

    exit = 1

    def __init__(self, message, exit=1):
        super().__init__(message)
        self.message, self.exit = message, exit

    def text(self, alone=True):
        """The message as printed; `alone` is false for one of several errors."""
        return f"error: {self.message}" if alone else self.message

    def within(self, doing):
        """The same error, told with what was being done (if that is said)."""
        return CommandError(f"{doing}: {self.message}", self.exit) if doing else self


class PlainError(CommandError):
    """A message printed as it is."""

    def text(self, alone=True):
        return self.message


class UsageError(CommandError):
    """The arguments make no sense for the command."""

    def __init__(self, message, command):
        super().__init__(f"{message}\nSee 'kubectl {command} -h' for help and examples")


class FlagError(CommandError):
    """A flag that does not exist or has a bad value."""

    def __init__(self, message, command):
        command = f"kubectl {command}".strip()
        super().__init__(f"{message}\nSee '{command} --help' for usage.")


class SilentExit(CommandError):
    """Ends a command whose output says everything already."""

    def text(self, alone=True):
        return ""


class ServerError(CommandError):
    """A refusal by the API server. `doing` is the context, such as `error when creating "web.yaml"`."""

    def __init__(self, body, doing=""):
        self.body = body if isinstance(body, dict) else {"message": str(body)}
        message = self.body.get("message", "")
        super().__init__(f"{doing}: {message}" if doing else message)
        self.reason = self.body.get("reason", "")

    def within(self, doing):
        """The same error, told with what was being done."""
        return ServerError(self.body, doing)

    def text(self, alone=True):
        if self.reason == "Unauthorized":
            return f"error: You must be logged in to the server ({self.message})"
        if alone and self.reason == "Invalid":
            return self._invalid()
        return f"Error from server ({self.reason}): {self.message}" if self.reason else f"Error from server: {self.message}"

    def _invalid(self):
        """`The Pod "p" is invalid: ...`, one cause on the line or several below it."""
        details = self.body.get("details")
        start = "The request is invalid"
        if not details:
            return f"{start}: {self.message}" if self.message else start
        causes = list(dict.fromkeys(f"{cause.get('field', '')}: {cause.get('message', '')}" for cause in details.get("causes") or ()))
        if details.get("kind") or details.get("name"):
            start = f"The {details.get('kind', '')} {json.dumps(details.get('name', ''), ensure_ascii=False)} is invalid"
        elif self.message and not causes:
            return f"{start}: {self.message}"
        if not causes:
            return start
        return f"{start}: {causes[0]}\n" if len(causes) == 1 else start + ": \n" + "".join(f"* {cause}\n" for cause in causes)


class NoMatchError(CommandError):
    """There is no such kind; told after all other errors."""


class Failures(CommandError):
    """Several errors, of which one does not stop the others."""

    def __init__(self, errors):
        parts = [part for error in errors for part in (error.errors if isinstance(error, Failures) else [error])]
        self.errors = sorted(parts, key=lambda error: isinstance(error, NoMatchError))
        super().__init__("")

    def text(self, alone=True):
        if len(self.errors) == 1:
            return self.errors[0].text(alone)
        return "\n".join(error.text(alone=False) for error in self.errors)


def raise_all(errors):
    """Raise what was collected, if anything was."""
    if errors:
        raise Failures(errors)


def not_found(error):
    """Whether the server does not know the object."""
    return isinstance(error, ServerError) and error.reason == "NotFound"
