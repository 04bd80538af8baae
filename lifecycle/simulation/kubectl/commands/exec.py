"""kubectl exec (kubectl/pkg/cmd/exec)."""
from lifecycle.simulation.kubectl.commands.pod_choice import chosen_container, chosen_pod
from lifecycle.simulation.kubectl.errors import CommandError, PlainError, ServerError
from lifecycle.simulation.kubectl.files import infos, sources
from lifecycle.simulation.kubectl.flags import boolean, duration, listing, text
from lifecycle.simulation.kubectl.options import Command
from lifecycle.simulation.objects import is_terminal
from lifecycle.simulation.resources import resource

OLD_FORM = "exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead"


def execute(invocation):
    """Run a command in a container and print what it prints."""
    names, command = _parts(invocation)
    pod = yield from chosen_pod(invocation, names, invocation.flags["pod-running-timeout"])
    if is_terminal(pod):
        raise CommandError(f"cannot exec into a container in a completed pod; current phase is {pod['status']['phase']}")
    container = chosen_container(invocation, pod, invocation.flags["container"], invocation.flags["quiet"])
    query = {"command": command, "container": container, **({"stdin": "true"} if invocation.flags["stdin"] else {}), "stderr": "true", "stdout": "true",
             **({"tty": "true"} if invocation.flags["tty"] else {})}
    path = resource("pods").path(pod["metadata"]["namespace"], pod["metadata"]["name"], "exec")
    reply = yield from invocation.ask("GET", path, query)
    if not reply.ok:
        raise ServerError(reply.body)
    output, code = reply.body["output"], reply.body["exit"]
    if code is None:
        raise _not_started(output)
    invocation.write("out", output)
    if code:
        invocation.err(f"command terminated with exit code {code}")
    return code


def _not_started(problem):
    """What kubectl says if the node could not be reached or the command not be started."""
    if problem.startswith("error dialing backend"):
        return PlainError(f"Error from server: {problem}")
    return CommandError(problem if problem.startswith("Internal error occurred") else f"Internal error occurred: {problem}")


def _parts(invocation):
    """(what names the pod, the command)"""
    words, dash = invocation.args, invocation.dash
    files = sources(invocation)
    if files:
        errors = []
        found = list(infos(invocation, files, errors))
        return f"{found[0].resource.plural}/{found[0].name}", words
    if not words or dash == 0:
        raise CommandError("pod, type/name or --filename must be specified")
    if dash is None and len(words) > 1:
        raise invocation.usage_error(OLD_FORM)
    if len(words) == 1:
        raise CommandError("you must specify at least one command for the container")
    return words[0], words[dash:]


FLAGS = {"container": text(short="c"), "filename": listing("f"), "pod-running-timeout": duration(60_000), "quiet": boolean("q"), "stdin": boolean("i"),
         "tty": boolean("t")}
COMMANDS = {("exec",): Command(execute, "(POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [args...]", FLAGS)}
