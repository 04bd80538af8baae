"""kubectl set env (kubectl/pkg/cmd/set/set_env.go)."""
import re

from lifecycle.simulation.kubectl.arguments import selected
from lifecycle.simulation.kubectl.commands.changing import change_each, pod_spec, split_changes, with_pod_spec
from lifecycle.simulation.kubectl.commands.label import NO_RESOURCE
from lifecycle.simulation.kubectl.commands.set_image import FLAGS
from lifecycle.simulation.kubectl.errors import CommandError, raise_all
from lifecycle.simulation.kubectl.flags import boolean, listing, repeated, text
from lifecycle.simulation.kubectl.options import Command

SOURCES = {"configmaps": "configMapKeyRef", "secrets": "secretKeyRef"}


def set_env(invocation):
    """Set, take over or remove environment variables of containers, or list them."""
    flags = invocation.flags
    words, changes = split_changes(invocation, "env")
    if not words and not flags["filename"]:
        raise CommandError(NO_RESOURCE)
    if flags["list"]:
        yield from _list(invocation, words)
        return
    added, gone = _parsed((*changes, *flags["env"]))
    if flags["from"]:
        added += yield from _from(invocation)
    yield from change_each(invocation, words, lambda info: with_pod_spec(info, _with_env(invocation, pod_spec(info), added, gone)), "env updated")


def _parsed(words):
    """(variables to set, names to remove)"""
    added = [{"name": name, "value": value} for name, equals, value in (word.partition("=") for word in words) if equals]
    return added, [word[:-1] for word in words if "=" not in word and word.endswith("-")]


def _from(invocation):
    """Variables that refer to each key of a ConfigMap or Secret."""
    flags = invocation.flags
    typed, _, name = flags["from"].partition("/")
    resource = invocation.discovery.find(typed)
    if resource.qualified not in SOURCES:
        raise CommandError(f"unsupported resource specified in --from: {resource.kind}")
    source = yield from invocation.read(resource, invocation.namespace, name)
    variables = []
    for key in sorted(source.get("data") or ()):
        if not flags["keys"] or key in flags["keys"]:
            variable = re.sub(r"[^A-Za-z0-9_]", "_", flags["prefix"] + key).upper()
            if variable != key:
                invocation.warn(f"key {key} transferred to {variable}")
            variables.append({"name": variable, "valueFrom": {SOURCES[resource.qualified]: {"name": name, "key": key}}})
    return variables


def _selected(invocation, containers):
    pattern = re.compile(re.escape(invocation.flags["containers"]).replace(r"\*", ".*"))
    return [container for container in containers if pattern.fullmatch(container["name"])]


def _with_env(invocation, spec, added, gone):
    parts = {part: spec[part] for part in ("containers", "initContainers") if spec.get(part)}
    chosen = {part: [container["name"] for container in _selected(invocation, containers)] for part, containers in parts.items()}
    return {**spec, **{part: [_changed(invocation, container, added, gone) if container["name"] in chosen[part] else container for container in containers]
                       for part, containers in parts.items()}}


def _changed(invocation, container, added, gone):
    variables = {variable["name"]: variable for variable in container.get("env") or ()}
    for variable in added:
        if variable["name"] in variables and not invocation.flags["overwrite"]:
            raise CommandError(f"'{variable['name']}' already has a value ({variables[variable['name']].get('value', '')}), and --overwrite is false")
        variables[variable["name"]] = variable
    kept = [variable for name, variable in variables.items() if name not in gone]
    bare = {name: value for name, value in container.items() if name != "env"}
    return {**bare, "env": kept} if kept else bare


def _list(invocation, words):
    errors = []
    for info in (yield from selected(invocation, words, errors)):
        for container in _selected(invocation, pod_spec(info)["containers"]):
            invocation.out(f"# {info.resource.kind} {info.name}, container {container['name']}")
            for variable in container.get("env") or ():
                invocation.out(_shown(variable))
    raise_all(errors)


def _shown(variable):
    source = variable.get("valueFrom")
    if not source:
        return f"{variable['name']}={variable.get('value', '')}"
    kind, reference = next(iter(source.items()))
    if kind == "fieldRef":
        return f"# {variable['name']} from field path {reference['fieldPath']}"
    if kind == "resourceFieldRef":
        return f"# {variable['name']} from resource field {reference['resource']}"
    return f"# {variable['name']} from {'configmap' if kind == 'configMapKeyRef' else 'secret'} {reference['name']}, key {reference['key']}"


ENV = {**FLAGS, "containers": text("*", "c"), "env": repeated("e"), "from": text(), "keys": listing(), "list": boolean(), "overwrite": boolean(default=True),
       "prefix": text(),
       "resolve": boolean()}
COMMANDS = {("set", "env"): Command(set_env, "RESOURCE/NAME KEY_1=VAL_1 ... KEY_N=VAL_N", ENV)}
