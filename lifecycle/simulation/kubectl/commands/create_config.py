"""kubectl create configmap and secret."""
import re
from base64 import b64encode
from hashlib import sha256
from json import dumps

from lifecycle.simulation.kubectl.commands.create import subcommand
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.flags import boolean, listing, repeated, text
from lifecycle.simulation.kubectl.printing.json_text import to_compact_json

FROM = {"from-literal": repeated(), "from-file": listing(), "from-env-file": listing(), "append-hash": boolean()}
HASH, NO_WORDS = 10, str.maketrans("013ae", "ghkmt")          # digits that could make a word are written as others
KEY = re.compile(r"[-._a-zA-Z0-9]+")
KEY_RULE = ("a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', "
            "regex used for validation is '[-._a-zA-Z0-9]+')")


def _values(invocation, what):
    """{key: text} of --from-literal, --from-file and --from-env-file, in the order of the keys."""
    flags = invocation.flags
    if flags["from-env-file"] and (flags["from-file"] or flags["from-literal"]):
        raise CommandError("from-env-file cannot be combined with from-file or from-literal")
    values = {}
    for source in flags["from-literal"]:
        key, equals, value = source.partition("=")
        if not equals or not key:
            raise CommandError(f"invalid literal source {source}, expected key=value")
        _add(invocation, values, key, value, what)
    for source in flags["from-file"]:
        for key, value in _files(invocation, source):
            _add(invocation, values, key, value, what)
    for name in flags["from-env-file"]:
        for key, value in _environment(_text(invocation, name)):
            _add(invocation, values, key, value, what)
    return dict(sorted(values.items()))


def _add(invocation, values, key, value, what):
    if not KEY.fullmatch(key):
        raise CommandError(f"{dumps(key)} is not a valid key name for a {what}: {KEY_RULE}")
    if key in values:
        name = dumps(invocation.only_name())
        raise CommandError(f"cannot add key {key}, another key by that name already exists" if what == "Secret"
                           else f"cannot add key {dumps(key)}, another key by that name already exists in Data for ConfigMap {name}")
    values[key] = value


def _files(invocation, source):
    """(key, text) of "file", "key=file" or "folder"."""
    key, equals, name = source.partition("=")
    name = name if equals else source
    short = name.removeprefix("./").rstrip("/")
    inside = sorted(one for one in invocation.files if one.startswith(short + "/") and "/" not in one[len(short) + 1:])
    if inside and not equals:
        return [(one.rpartition("/")[2], invocation.files[one]) for one in inside]
    return [(key if equals else name.rpartition("/")[2], _text(invocation, name))]


def _text(invocation, name):
    for known in (name, name.removeprefix("./")):
        if known in invocation.files:
            return invocation.files[known]
    raise CommandError(f"error reading {name}: no such file or directory")


def _environment(content):
    for line in content.splitlines():
        line = line.lstrip()
        if line and not line.startswith("#"):
            key, _, value = line.partition("=")
            yield key, value


def config_map(invocation, name):
    values = _values(invocation, "ConfigMap")
    name = _name(invocation, name, {"data": values, "kind": "ConfigMap"})
    return {"metadata": {"name": name}, **({"data": values} if values else {})}


def _name(invocation, name, content):
    """The name, with --append-hash followed by a hash of the content (kubectl/pkg/util/hash)."""
    if not invocation.flags["append-hash"]:
        return name
    text = to_compact_json({**content, "name": name})
    return f"{name}-{sha256(text.encode()).hexdigest()[:HASH].translate(NO_WORDS)}"


def _encoded(value):
    return b64encode(value.encode()).decode()


def _secret(invocation, name, values, type):
    data = {key: _encoded(value) for key, value in sorted(values.items())}
    name = _name(invocation, name, {"data": data, "kind": "Secret", "type": type})
    return {"metadata": {"name": name}, **({"data": data} if data else {}), **({"type": type} if type else {})}


def generic_secret(invocation, name):
    return _secret(invocation, name, _values(invocation, "Secret"), invocation.flags["type"])


def tls_secret(invocation, name):
    values = {}
    for flag, key in (("cert", "tls.crt"), ("key", "tls.key")):
        if not invocation.flags[flag]:
            raise CommandError("key and cert must be specified")
        file = invocation.flags[flag]
        if file not in invocation.files:
            raise CommandError(f"Cannot read file {file}, open {file}: no such file or directory")
        values[key] = invocation.files[file]
    return _secret(invocation, name, values, "kubernetes.io/tls")


def registry_secret(invocation, name):
    flags = invocation.flags
    if not flags["docker-username"] or not flags["docker-password"]:
        raise CommandError("either --from-file or the combination of --docker-username, --docker-password and --docker-server is required")
    user, password = flags["docker-username"], flags["docker-password"]
    entry = {"username": user, "password": password, **({"email": flags["docker-email"]} if flags["docker-email"] else {}),
             "auth": _encoded(f"{user}:{password}")}
    settings = dumps({"auths": {flags["docker-server"]: entry}}, separators=(",", ":"))
    return _secret(invocation, name, {".dockerconfigjson": settings}, "kubernetes.io/dockerconfigjson")


def service_account(invocation, name):
    return {"metadata": {"name": name}}


def namespace(invocation, name):
    return {"metadata": {"name": name}, "spec": {}, "status": {}}


REGISTRY = {"docker-username": text(), "docker-password": text(), "docker-email": text(), "docker-server": text("https://index.docker.io/v1/"),
            "from-file": listing(),
            "append-hash": boolean()}
COMMANDS = {
    ("create", "namespace"): subcommand("Namespace", namespace, aliases=("ns",), what=None),
    ("create", "configmap"): subcommand("ConfigMap", config_map, FROM, aliases=("cm",)),
    ("create", "secret", "generic"): subcommand("Secret", generic_secret, {**FROM, "type": text()}, what="secret"),
    ("create", "secret", "tls"): subcommand("Secret", tls_secret, {"cert": text(), "key": text(), "append-hash": boolean()}, what="secret"),
    ("create", "secret", "docker-registry"): subcommand("Secret", registry_secret, REGISTRY, what="secret"),
    ("create", "serviceaccount"): subcommand("ServiceAccount", service_account, aliases=("sa",)),
}
