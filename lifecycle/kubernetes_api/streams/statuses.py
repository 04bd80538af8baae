"""How a remote command ends: the Status that is the last word of its connection (apimachinery/pkg/util/remotecommand, client-go/tools/remotecommand/v4.go)."""


def of_exit(code, command):
    """The Status of a command (its words) that has ended, as containerd puts it."""
    if not code:
        return {"metadata": {}, "status": "Success"}
    return {"metadata": {}, "status": "Failure", "reason": "NonZeroExitCode",
            "message": f"command terminated with non-zero exit code: error executing command [{' '.join(command)}], exit code {code}",
            "details": {"causes": [{"reason": "ExitCode", "message": str(code)}]}}


def failure(message, reason="InternalError", code=500):
    """The Status of a connection that could not be kept."""
    return {"metadata": {}, "status": "Failure", "message": message, "reason": reason, "code": code}
