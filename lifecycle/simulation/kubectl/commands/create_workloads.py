"""kubectl create deployment, job and cronjob."""
from lifecycle.simulation.kubectl.commands.create import subcommand
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.flags import listing, number, text
from lifecycle.simulation.kubectl.process import Suffix


def _command(invocation):
    """The words after "--"."""
    return invocation.args[invocation.dash:] if invocation.dash is not None else []


def container(name, image, command=()):
    """A container as kubectl writes it."""
    return {"name": name, "image": image, **({"command": list(command)} if command else {}), "resources": {}}


def name_of_image(image):
    """The last part of an image's name without tag and digest; one with characters that a container's name cannot have gets a random end too."""
    name = image.rpartition("/")[2].partition("@")[0].partition(":")[0]
    if "_" not in name and "." not in name:
        return name
    return f"{name.replace('_', '-').replace('.', '-')}-{(yield Suffix())}"


def deployment(invocation, name):
    flags, command = invocation.flags, _command(invocation)
    if len(flags["image"]) > 1 and command:
        raise CommandError("cannot specify multiple --image options and command")
    containers = []
    for image in flags["image"]:
        containers.append(container((yield from name_of_image(image)), image, command))
    if flags["port"] >= 0:
        containers[0] = {**{key: value for key, value in containers[0].items() if key != "resources"}, "ports": [{"containerPort": flags["port"]}],
                         "resources": {}}
    return {"metadata": {"name": name, "labels": {"app": name}},
            "spec": {"replicas": flags["replicas"], "selector": {"matchLabels": {"app": name}},
                     "template": {"metadata": {"labels": {"app": name}}, "spec": {"containers": containers}}, "strategy": {}}, "status": {}}


def _job_spec(name, image, command, restart):
    return {"template": {"metadata": {}, "spec": {"containers": [container(name, image, command)], "restartPolicy": restart}}}


def job(invocation, name):
    image, origin = invocation.flags["image"], invocation.flags["from"]
    if bool(image) == bool(origin):
        raise CommandError("either --image or --from must be specified")
    if origin and _command(invocation):
        raise CommandError("cannot specify --from and command")
    if origin:
        return (yield from _job_of_cron_job(invocation, name, origin))
    return {"metadata": {"name": name}, "spec": _job_spec(name, image, _command(invocation), "Never"), "status": {}}


def _job_of_cron_job(invocation, name, origin):
    typed, _, wanted = origin.rpartition("/")
    resource = invocation.discovery.find(typed or "cronjobs")
    if resource.qualified != "cronjobs.batch":
        raise CommandError("from must be an existing cronjob")
    cron_job = yield from invocation.read(resource, invocation.namespace, wanted)
    template = cron_job["spec"]["jobTemplate"]
    metadata = template.get("metadata") or {}
    owner = {"apiVersion": "batch/v1", "kind": "CronJob", "name": cron_job["metadata"]["name"], "uid": cron_job["metadata"]["uid"], "controller": True}
    labels = {"labels": metadata["labels"]} if metadata.get("labels") else {}
    annotations = {**(metadata.get("annotations") or {}), "cronjob.kubernetes.io/instantiate": "manual"}
    return {"metadata": {"name": name, **labels, "annotations": annotations, "ownerReferences": [owner]}, "spec": template["spec"], "status": {}}


def cron_job(invocation, name):
    flags = invocation.flags
    restart = flags["restart"] or "OnFailure"
    template = {"metadata": {"name": name}, "spec": _job_spec(name, flags["image"], _command(invocation), restart)}
    return {"metadata": {"name": name}, "spec": {"schedule": flags["schedule"], "jobTemplate": template}, "status": {}}


COMMANDS = {
    ("create", "deployment"): subcommand("Deployment", deployment, {"image": listing(), "port": number(-1), "replicas": number(1, "r")}, ("image",),
                                         ("deploy",), "apps/v1",
                                         "NAME --image=image -- [COMMAND] [args...]"),
    ("create", "job"): subcommand("Job", job, {"image": text(), "from": text()}, (), (), "batch/v1",
                                  "NAME --image=image [--from=cronjob/name] -- [COMMAND] [args...]"),
    ("create", "cronjob"): subcommand("CronJob", cron_job, {"image": text(), "schedule": text(), "restart": text()}, ("image", "schedule"), ("cj",), "batch/v1",
                                      "NAME --image=image --schedule='0/5 * * * ?' -- [COMMAND] [args...]"),
}
