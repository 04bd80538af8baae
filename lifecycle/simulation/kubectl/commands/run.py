"""kubectl run (kubectl/pkg/cmd/run)."""
from lifecycle.simulation.kubectl.commands.attach import attach_or_log, print_log, wait_for_pod
from lifecycle.simulation.kubectl.commands.connection import NO_TERMINAL
from lifecycle.simulation.kubectl.commands.deletion import delete_options, deleted_line, policy
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.files import Info
from lifecycle.simulation.kubectl.flags import boolean, duration, number, repeated, text, whole
from lifecycle.simulation.kubectl.merging import merged
from lifecycle.simulation.kubectl.options import CASCADE, DRY_RUN, PRINTING, Command, field_manager
from lifecycle.simulation.kubectl.report import Report
from lifecycle.simulation.manifests import ManifestError, read_manifests
from lifecycle.simulation.objects import replaced
from lifecycle.simulation.resources import resource

RUNS, ENDED = ("Running", "Succeeded", "Failed"), ("Succeeded", "Failed")             # phases of a Pod
RESTARTS = ("Always", "OnFailure", "Never")


def run(invocation):
    """Create a Pod, and with --expose a Service for it."""
    flags = invocation.flags
    names = invocation.args if invocation.dash is None else invocation.args[:invocation.dash]
    if not names:
        raise invocation.usage_error("NAME is required for run")
    if flags["restart"] not in RESTARTS:
        raise invocation.usage_error(f"invalid restart policy: {flags['restart']}")
    if flags["rm"] and not flags["stdin"] and not flags["attach"]:
        raise invocation.usage_error("--rm should only be used for attached containers")
    if flags["tty"] and not flags["stdin"]:
        raise CommandError("-i/--stdin is required for containers with -t/--tty=true")
    if (flags["stdin"] or flags["attach"]) and invocation.dry_run:
        raise CommandError("--dry-run=[server|client] can't be used with attached containers options (--attach, --stdin, or --tty)")
    if flags["expose"] and not flags["port"]:
        raise invocation.usage_error("--port must be set when exposing a service")
    report = Report(invocation)
    pod = _pod(invocation, names[0], invocation.args[len(names[:1]):])
    if flags["stdin"] or flags["attach"]:
        return (yield from _attached(invocation, pod))
    made = yield from _create(invocation, "pods", pod)
    if flags["expose"]:
        _tell(report, (yield from _create(invocation, "services", _service(names[0], pod["metadata"]["labels"], whole(flags["port"])))))
        invocation.write("out", "---\n" if flags["output"] == "yaml" else "")
    _tell(report, made)


def _attached(invocation, pod):
    """Create a Pod, print what it prints until it ends, and with --rm delete it; returns its exit code."""
    flags, info = invocation.flags, Info(resource("pods"), invocation.namespace, pod["metadata"]["name"], pod)
    if invocation.state is None:
        info = yield from _create(invocation, "pods", pod)
        if flags["tty"]:
            invocation.err(NO_TERMINAL)
        thing = yield from wait_for_pod(invocation, info, RUNS, invocation.now + flags["pod-running-timeout"])
    else:
        thing = pod
    container = pod["spec"]["containers"][0]["name"]
    if thing.get("status", {}).get("phase") in ENDED:
        yield from print_log(invocation, thing, container)
    else:
        yield from attach_or_log(invocation, info.thing, container)
    code = (yield from _exit_code(invocation, info)) if flags["restart"] == "Never" else 0
    if flags["rm"]:
        reply = yield from invocation.ask("DELETE", info.path, body=delete_options(flags["grace-period"], policy(invocation)))
        if reply.ok and not flags["quiet"]:
            invocation.out(deleted_line(info))
    return code


def _exit_code(invocation, info):
    """The exit code of a Pod that has ended or is about to."""
    thing = yield from wait_for_pod(invocation, info, ENDED, None)
    if thing["status"]["phase"] == "Succeeded":
        return 0
    codes = [status["state"]["terminated"]["exitCode"] for status in thing["status"].get("containerStatuses", ()) if "terminated" in status["state"]]
    invocation.err(f"pod {info.namespace}/{info.name} terminated ({_why(thing)})")
    return codes[0] if codes else 1


def _why(thing):
    """The reason of the container's end, or of the Pod's."""
    states = [status["state"].get("terminated") for status in thing["status"].get("containerStatuses", ())]
    return next((state["reason"] for state in states if state), thing["status"].get("reason", ""))


def _pod(invocation, name, words):
    flags = invocation.flags
    labels = {key: value for key, _, value in (word.partition("=") for word in flags["labels"].split(","))} if flags["labels"] else {"run": name}
    annotations = {key: value for key, _, value in (word.partition("=") for word in flags["annotations"])}
    container = {"name": name, "image": flags["image"], **({"command" if flags["command"] else "args": words} if words else {}),
                 **({"ports": [{"containerPort": whole(flags["port"])}]} if flags["port"] else {}),
                 **({"env": [_variable(word) for word in flags["env"]]} if flags["env"] else {}), "resources": {},
                 **({"imagePullPolicy": flags["image-pull-policy"]} if flags["image-pull-policy"] else {}),
                 **({"stdin": True} if flags["stdin"] else {}), **({"stdinOnce": True} if flags["stdin"] and not flags["leave-stdin-open"] else {}),
                 **({"tty": True} if flags["tty"] else {}),
                 **({"securityContext": {"privileged": True}} if flags["privileged"] else {})}
    pod = {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": name, "labels": labels, **({"annotations": annotations} if annotations else {})},
           "spec": {"containers": [container], "restartPolicy": flags["restart"], "dnsPolicy": "ClusterFirst"}, "status": {}}
    return merged(pod, _overrides(flags["overrides"])) if flags["overrides"] else pod


def _variable(word):
    name, equals, value = word.partition("=")
    if not equals:
        raise CommandError(f"invalid env: {word}")
    return {"name": name, "value": value}


def _overrides(words):
    try:
        return read_manifests(words)[0][1]
    except (ManifestError, IndexError) as error:
        raise CommandError(f"couldn't apply the overrides: {error}") from None


def _service(name, labels, port):
    return {"kind": "Service", "apiVersion": "v1", "metadata": {"name": name}, "spec": {"ports": [{"port": port, "protocol": "TCP", "targetPort": port}],
                                                                                        "selector": labels},
            "status": {"loadBalancer": {}}}


def _tell(report, info):
    report.done(info, info.thing, "created", report.invocation.dry_run == "client")


def _create(invocation, qualified, thing):
    """POST an object; returns its Info."""
    if invocation.enforce_namespace:
        thing = replaced(thing, invocation.namespace, "metadata", "namespace")
    info = Info(resource(qualified), invocation.namespace, thing["metadata"]["name"], thing)
    if invocation.dry_run != "client":
        info = info._replace(thing=(yield from invocation.post(info.collection, thing, invocation.write_query())))
    return info


FLAGS = {**DRY_RUN, **PRINTING, **CASCADE, **field_manager("kubectl-run"), "annotations": repeated(), "attach": boolean(), "command": boolean(),
         "env": repeated(),
         "expose": boolean(), "force": boolean(), "grace-period": number(-1), "image": text(), "image-pull-policy": text(), "labels": text(short="l"),
         "leave-stdin-open": boolean(), "overrides": text(), "override-type": text("merge"), "pod-running-timeout": duration(60_000), "port": text(),
         "privileged": boolean(),
         "quiet": boolean("q"), "restart": text("Always"), "rm": boolean(), "save-config": boolean(), "stdin": boolean("i"), "timeout": duration(),
         "tty": boolean("t"),
         "wait": boolean()}
COMMANDS = {("run",): Command(run, 'NAME --image=image [--env="key=value"] [--port=port] [--dry-run=server|client] [--command] -- [COMMAND] [args...]', FLAGS,
                              ("image",))}
