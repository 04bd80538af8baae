"""Rules for the containers of a Pod: regular, init and ephemeral ones (pkg/apis/core/validation/validation.go)."""

from typing import NamedTuple

from . import amounts, environment, handlers, mounts, names, security
from .errors import duplicate, each_message, forbidden, invalid, not_found, not_supported, one_of, required, too_many

PROTOCOLS = ("SCTP", "TCP", "UDP")
PULL_POLICIES = ("Always", "IfNotPresent", "Never")
MESSAGE_POLICIES = ("File", "FallbackToLogsOnError")
RESTART_POLICIES = ("Always", "Never", "OnFailure")
RULE_ACTIONS = ("Restart", "RestartAllContainers")
NOT_FOR_INIT = ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")
NOT_FOR_EPHEMERAL = ("ports", "resources", "resizePolicy", "restartPolicy", "restartPolicyRules", *NOT_FOR_INIT[1:], "lifecycle")
MAX_RULES, MAX_EXIT_CODES = 20, 255


class PodView(NamedTuple):
    """What the rules for a container ask of its Pod."""

    volumes: dict  # name -> volume
    claims: frozenset  # names of resource claims
    grace: int  # seconds
    restart_policy: str
    host_users: bool


def regular(found, pod, path):
    if not found:
        yield required(path)
        return
    seen = set()
    for index, container in enumerate(found):
        here = f"{path}[{index}]"
        yield from _common(container, pod, here)
        yield from _unique(container.get("name") or "", seen, f"{here}.name")
        yield from handlers.hooks(container.get("lifecycle"), f"{here}.lifecycle", pod.grace)
        yield from handlers.probes(container, here, pod.grace)
        yield from _restart(container, here)
    yield from _host_port_conflicts(found, path)


def _unique(name, seen, path):
    if name in seen:
        yield duplicate(path, name)
    seen.add(name)


def init(found, others, pod, path):
    """Errors in init containers; `others` are the regular ones, whose names are taken."""
    seen = {container.get("name") or "" for container in others}
    for index, container in enumerate(found or ()):
        here = f"{path}[{index}]"
        yield from _common(container, pod, here)
        yield from _restart(container, here)
        if container.get("name"):
            yield from _unique(container["name"], seen, f"{here}.name")
        yield from _host_port_conflicts([container], path)
        if container.get("restartPolicy") == "Always":
            yield from handlers.hooks(container.get("lifecycle"), f"{here}.lifecycle", pod.grace)
            yield from handlers.probes(container, here, pod.grace)
        else:
            for key in NOT_FOR_INIT:
                if container.get(key) is not None:
                    yield forbidden(f"{here}.{key}", "may not be set for init containers without restartPolicy=Always")


def ephemeral(found, others, pod, path):
    """Errors in ephemeral containers; `others` are all the other containers of the Pod."""
    targets = {container.get("name") for container in others}
    seen = set(targets)
    for index, container in enumerate(found or ()):
        here = f"{path}[{index}]"
        yield from _common(container, pod, here)
        yield from trimmed_image(container, here)
        yield from _unique(container.get("name") or "", seen, f"{here}.name")
        if container.get("targetContainerName") and container["targetContainerName"] not in targets:
            yield not_found(f"{here}.targetContainerName", container["targetContainerName"])
        for key in NOT_FOR_EPHEMERAL:
            if container.get(key):
                yield forbidden(f"{here}.{key}", "cannot be set for an Ephemeral Container")
        for number, mount in enumerate(container.get("volumeMounts") or ()):
            for key in ("subPath", "subPathExpr"):
                if mount.get(key):
                    yield forbidden(f"{here}.volumeMounts[{number}].{key}", "cannot be set for an Ephemeral Container")


def trimmed_image(container, path):
    """Only of a Pod: a template may have spaces around its image."""
    image = container.get("image") or ""
    if image != image.strip():
        yield invalid(f"{path}.image", image, "must not have leading or trailing whitespace")


def _common(container, pod, path):
    name = container.get("name") or ""
    if not name:
        yield required(f"{path}.name")
    else:
        yield from each_message(f"{path}.name", name, names.dns_label(name))
    if not container.get("image"):
        yield required(f"{path}.image")
    yield from one_of(f"{path}.terminationMessagePolicy", container.get("terminationMessagePolicy"), MESSAGE_POLICIES)
    yield from _ports(container.get("ports"), f"{path}.ports")
    yield from environment.env(container.get("env"), f"{path}.env")
    yield from environment.env_from(container.get("envFrom"), f"{path}.envFrom")
    yield from mounts.volume_mounts(container, pod.volumes, f"{path}.volumeMounts")
    yield from mounts.volume_devices(container, pod.volumes, f"{path}.volumeDevices")
    yield from one_of(f"{path}.imagePullPolicy", container.get("imagePullPolicy"), PULL_POLICIES)
    yield from amounts.requirements(container.get("resources"), f"{path}.resources", claims=pod.claims)
    yield from _resize_policy(container.get("resizePolicy"), f"{path}.resizePolicy", pod)
    yield from security.container_context(container.get("securityContext"), f"{path}.securityContext", pod.host_users)


def _ports(ports, path):
    seen = set()
    for index, port in enumerate(ports or ()):
        here = f"{path}[{index}]"
        if port.get("name"):
            yield from _port_name(port["name"], seen, f"{here}.name")
        if not port.get("containerPort"):
            yield required(f"{here}.containerPort")
        else:
            yield from each_message(f"{here}.containerPort", port["containerPort"], names.port_number(port["containerPort"]))
        if port.get("hostPort"):
            yield from each_message(f"{here}.hostPort", port["hostPort"], names.port_number(port["hostPort"]))
        yield from one_of(f"{here}.protocol", port.get("protocol"), PROTOCOLS)


def _port_name(name, seen, path):
    wrong = names.port_name(name)
    yield from each_message(path, name, wrong)
    if not wrong:
        yield from _unique(name, seen, path)


def _host_port_conflicts(containers, path):
    seen = set()
    for index, container in enumerate(containers):
        for number, port in enumerate(container.get("ports") or ()):
            if port.get("hostPort"):
                text = f"{port.get('protocol') or ''}/{port.get('hostIP') or ''}/{port['hostPort']}"
                yield from _unique(text, seen, f"{path}[{index}].ports[{number}].hostPort")


def _resize_policy(policies, path, pod):
    seen = set()
    for index, policy in enumerate(policies or ()):
        name, restart = policy.get("resourceName") or "", policy.get("restartPolicy") or ""
        yield from _unique(name, seen, f"{path}[{index}]")
        yield from one_of(path, name, ("cpu", "memory"))
        yield from one_of(path, restart, ("NotRequired", "RestartContainer"))
        if pod.restart_policy == "Never" and restart != "NotRequired":
            yield invalid(path, restart, "must be 'NotRequired' when `restartPolicy` is 'Never'")


def _restart(container, path):
    """A container's own restart policy and the rules beside it (KEP 5307)."""
    policy, rules = container.get("restartPolicy"), container.get("restartPolicyRules") or ()
    if policy is not None and policy not in RESTART_POLICIES:
        yield not_supported(f"{path}.restartPolicy", policy, RESTART_POLICIES)
    if rules and policy is None:
        yield required(f"{path}.restartPolicy", "must specify restartPolicy when restart rules are used")
    if len(rules) > MAX_RULES:
        yield too_many(f"{path}.restartPolicyRules", len(rules), MAX_RULES)
    for index, rule in enumerate(rules):
        yield from _restart_rule(rule, f"{path}.restartPolicyRules[{index}]")


def _restart_rule(rule, path):
    yield from one_of(f"{path}.action", rule.get("action"), RULE_ACTIONS)
    codes = rule.get("exitCodes")
    if codes is None:
        yield required(f"{path}.exitCodes", "must be specified")
        return
    yield from one_of(f"{path}.exitCodes.operator", codes.get("operator"), ("In", "NotIn"))
    if len(codes.get("values") or ()) > MAX_EXIT_CODES:
        yield too_many(f"{path}.exitCodes.values", len(codes["values"]), MAX_EXIT_CODES)
