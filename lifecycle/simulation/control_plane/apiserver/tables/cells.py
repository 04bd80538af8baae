"""What several tables print the same way. Every function returns the text of one cell."""
from lifecycle.simulation.durations import age
from lifecycle.simulation.objects import at


def created(thing, clock):
    """The AGE column."""
    return age(thing["metadata"].get("creationTimestamp"), clock)


def name_and_age(thing, clock):
    """The cells of a resource about which nothing else is printed."""
    return [thing["metadata"]["name"], created(thing, clock)]


def containers(template):
    """Names and images of a pod template's containers: two cells."""
    found = at(template, "spec", "containers", default=())
    return [",".join([container["name"] for container in found]), ",".join([container.get("image", "") for container in found])]


def integer(thing, *path):
    """A number at a path, 0 if it is not there."""
    return at(thing, *path, default=0)
