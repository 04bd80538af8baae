"""Images: a rollout that cannot be pulled, the images that Pods use, and the registries that they come from."""
from django.utils.translation import gettext as _

from ..simulation.node.images import InvalidReference, canonical, parts
from .broken import image_state
from .rows import Row

DEPLOYMENTS, PODS = "/registry/deployments/", "/registry/pods/"
UNPULLABLE = "nginx:missing"
SHOWN = 12                     # images that are offered


def rows(objects, broken):
    used = list(dict.fromkeys(_used(objects)))[:SHOWN]
    hosts = dict.fromkeys(parts(image)[0] for image in used)
    return [*(_deployment(objects[key]) for key in sorted(objects) if key.startswith(DEPLOYMENTS)),
            *(_image(image, broken) for image in used), *(_registry(host, broken) for host in hosts)]


def _deployment(deployment):
    meta = deployment["metadata"]
    scope = f" -n {meta['namespace']}" if meta["namespace"] != "default" else ""
    return Row(meta["name"], "", [(f"kubectl set image deployment/{meta['name']} *={UNPULLABLE}{scope}", _("Unpullable image")),
                                  (f"kubectl rollout undo deployment/{meta['name']}{scope}", _("Roll back"))])


def _used(objects):
    """The images that Pods ask for, in the order of the Pods' names."""
    for key in sorted(objects):
        if key.startswith(PODS):
            spec = objects[key]["spec"]
            for container in (*(spec.get("initContainers") or ()), *spec["containers"]):
                try:
                    yield canonical(container["image"])
                except InvalidReference:
                    continue


def _image(image, broken):
    fault = broken.faults.get(f"image {image}")
    if fault:
        return Row(image, image_state(fault), [(f"image {image} mend", _("Mend"))])
    return Row(image, "", [(f"image {image} missing", _("Missing")), (f"image {image} denied", _("Access denied")), (f"image {image} slow", _("Slow"))])


def _registry(host, broken):
    if f"registry {host}" in broken.faults:
        return Row(host, _("unreachable"), [(f"registry {host} mend", _("Mend"))])
    return Row(host, "", [(f"registry {host} unreachable", _("Unreachable"))])
