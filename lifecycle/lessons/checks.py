"""Whether an object, a message or a typed command is what a Condition looks for, and whether there is enough of it."""
from fnmatch import fnmatchcase
from functools import lru_cache

from ..simulation.cel import CelError, compiled
from ..simulation.resources import registry, resource_of_key

READS = {"get": ("Get", "List"), "describe": ("Get", "List"), "events": ("List",)}     # kubectl's verbs that only read: the requests they make
CLIENTS = ("user", "kubectl")


def holds(text, **variables):
    """Whether a CEL condition is true; one that has no value (a field that is not there yet) is not."""
    try:
        return not text or compiled(text)(variables) is True
    except CelError:
        return False


def fits_object(condition, key, thing):
    """Whether a stored object, with its key, is what is looked for."""
    if thing is None or kind_of(key) != condition.objects:
        return False
    return condition.namespace in ("", thing["metadata"].get("namespace")) and holds(condition.where, object=thing)


def kind_of(key):
    """The qualified plural name of what is stored at a key."""
    return resource_of_key(key).qualified


def fits_step(condition, step):
    """Whether a message is what is looked for: by its reason, or as the command that was typed."""
    if condition.said:
        return fnmatchcase(step.reason, condition.said) and holds(condition.where, step=step._asdict())
    return bool(condition.command) and is_command(condition.command, step)


def is_command(pattern, step):
    """Whether a message is a typed line like the pattern, or a request that such a line makes, by whichever client and spelling.

    A line of the console counts when it prints: what comes next may pause the cluster, and its answer has to be read before. Others print for themselves.
    """
    if step.reason == "PrintOutput" or step.reason == "RunCommand" and "id" not in step.facts:
        return fnmatchcase(" ".join(step.facts["command"].split()), pattern)
    return step.source in CLIENTS and step.target == "apiserver" and step.reason in requests_of(pattern)


@lru_cache(256)
def requests_of(pattern):
    """The reasons of the requests that a pattern such as "kubectl get pods*" stands for; () if it asks for more than a kind of object to read."""
    words = pattern.replace("*", " ").split()
    if len(words) != 3 or words[0] != "kubectl" or words[1] not in READS:
        return ()
    kinds = [row.kind for row in registry().values() if words[2] in (row.plural, row.singular, *row.short_names)]
    return tuple(verb + kind for verb in READS[words[1]] for kind in kinds)


def enough(check, number):
    """Whether so many are what a check wants."""
    if check.none:
        return number == 0
    return number == check.exactly if check.exactly is not None else number >= check.count
