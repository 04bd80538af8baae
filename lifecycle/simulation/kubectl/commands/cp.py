"""kubectl cp to a container (kubectl/pkg/cmd/cp): a tar archive goes to a tar that runs there."""
import io
import tarfile
from posixpath import basename, dirname

from lifecycle.simulation.kubectl.commands.connection import connect, print_all, remember
from lifecycle.simulation.kubectl.commands.pod_choice import chosen_container, chosen_pod
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.flags import boolean, number, text
from lifecycle.simulation.kubectl.options import Command
from lifecycle.simulation.kubectl.process import Send

NOWHERE = "this console has no folder to copy to; use kubectl exec POD -- cat FILE"


def copy(invocation):
    """Copy one of the command's files into a container."""
    if invocation.state is None:
        source, target = _places(invocation)
        if source not in invocation.files:
            raise CommandError(f"{source} doesn't exist in local filesystem")
        namespace, pod, path = target
        invocation.namespace = namespace or invocation.namespace
        pod = yield from chosen_pod(invocation, pod, 0)
        container = chosen_container(invocation, pod, invocation.flags["container"])
        if (yield from _is_directory(invocation, pod, container, path.rstrip("/") or "/")):
            path = f"{path.rstrip('/')}/{basename(source)}"
        command = ["tar", "-xmf", "-", *(["-C", dirname(path)] if dirname(path) else [])]
        stream = yield from connect(invocation, pod, "exec", {"command": command, "container": container, "stdin": "true"}, with_input=False)
        yield Send(stream, archive(basename(path), invocation.files[source]))
        yield from remember(invocation, stream=stream)
    code = yield from print_all(invocation, invocation.state["stream"])
    if code:
        invocation.err(f"command terminated with exit code {code}")
    return code


def _places(invocation):
    """(name of the local file, (namespace or "", Pod, path)). Raises CommandError."""
    if len(invocation.args) != 2:
        raise invocation.usage_error("source and destination are required")
    places = [_place(word) for word in invocation.args]
    if places[0] and places[1]:
        raise CommandError("one of src or dest must be a local file specification")
    if not places[0] and not places[1]:
        raise CommandError("one of src or dest must be a remote file specification")
    if places[0]:
        raise CommandError(NOWHERE)
    return invocation.args[0], places[1]


def _place(word):
    """(namespace or "", Pod, path) of "[namespace/]pod:path"; None for a local file."""
    pod, colon, path = word.partition(":")
    if not colon or word.startswith(("/", ".")):
        return None
    namespace, _, name = pod.rpartition("/")
    if not name or not path:
        raise CommandError("filepath can not be empty" if name else "pod name can not be empty")
    return namespace, name, path


def _is_directory(invocation, pod, container, path):
    """Whether `test -d` says so in the container."""
    stream = yield from connect(invocation, pod, "exec", {"command": ["test", "-d", path], "container": container}, with_input=False)
    return (yield from print_all(invocation, stream)) == 0


def archive(name, content):
    """A tar archive of one text file, as text: it has no bytes but those of its text."""
    buffer, data = io.BytesIO(), content.encode()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as made:
        about = tarfile.TarInfo(name)
        about.size = len(data)
        made.addfile(about, io.BytesIO(data))
    return buffer.getvalue().decode()


FLAGS = {"container": text(short="c"), "no-preserve": boolean(), "retries": number()}
COMMANDS = {("cp",): Command(copy, "<file-spec-src> <file-spec-dest>", FLAGS)}
