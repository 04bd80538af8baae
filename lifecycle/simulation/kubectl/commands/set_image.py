"""kubectl set image (kubectl/pkg/cmd/set/set_image.go)."""
from lifecycle.simulation.kubectl.commands.changing import change_each, pod_spec, split_changes, with_pod_spec
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.options import ALL, DRY_RUN, FILES, LOCAL, PRINTING, SELECTOR, Command, field_manager


def set_image(invocation):
    """Give containers of pod templates new images: NAME=IMAGE, "*" for every container."""
    words, changes = split_changes(invocation, "image")
    images = dict(word.partition("=")[::2] for word in changes)
    problem = "" if images else "at least one image update is required"
    if "*" in images and len(images) > 1:
        problem = "all containers are already specified as *, but saw more than one container_name=container_image pairs"
    yield from change_each(invocation, words, lambda info: with_pod_spec(info, _with_images(pod_spec(info), images)), "image updated", problem)


def _with_images(spec, images):
    names = {container["name"] for part in ("containers", "initContainers") for container in spec.get(part) or ()}
    for name in images:
        if name != "*" and name not in names:
            raise CommandError(f'unable to find container named "{name}"')
    parts = {part: [_with_image(container, images) for container in spec[part]] for part in ("containers", "initContainers") if spec.get(part)}
    return {**spec, **parts}


def _with_image(container, images):
    image = images.get("*") or images.get(container["name"])
    return {**container, "image": image} if image else container


FLAGS = {**FILES, **SELECTOR, **ALL, **LOCAL, **DRY_RUN, **PRINTING, **field_manager("kubectl-set")}
COMMANDS = {("set", "image"): Command(set_image, "(-f FILENAME | TYPE NAME) CONTAINER_NAME_1=CONTAINER_IMAGE_1 ... CONTAINER_NAME_N=CONTAINER_IMAGE_N", FLAGS)}
