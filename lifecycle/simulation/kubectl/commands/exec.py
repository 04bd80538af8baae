"""kubectl exec (kubectl/pkg/cmd/exec)."""
from lifecycle.simulation.kubectl.commands.connection import NO_TERMINAL, connect, print_all, remember
from lifecycle.simulation.kubectl.commands.pod_choice import chosen_container, chosen_pod
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.files import infos, sources
from lifecycle.simulation.kubectl.flags import boolean, duration, listing, text
from lifecycle.simulation.kubectl.options import Command
from lifecycle.simulation.objects import is_terminal

OLD_FORM = "exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead"


def execute(invocation):
    """Run a command in a container and print what it prints."""
    if invocation.state is None:
        names, command = _parts(invocation)
        pod = yield from chosen_pod(invocation, names, invocation.flags["pod-running-timeout"])
        if is_terminal(pod):
            raise CommandError(f"cannot exec into a container in a completed pod; current phase is {pod['status']['phase']}")
        container = chosen_container(invocation, pod, invocation.flags["container"], invocation.flags["quiet"])
        if invocation.flags["tty"]:
            invocation.err(NO_TERMINAL)
        stream = yield from connect(invocation, pod, "exec", {"command": command, "container": container})
        yield from remember(invocation, stream=stream)
    code = yield from print_all(invocation, invocation.state["stream"])
    if code:
        invocation.err(f"command terminated with exit code {code}")
    return code


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
