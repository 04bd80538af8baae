"""What a command is: a row with its flags and its function. And the flags that many commands share."""
from dataclasses import dataclass, field

from lifecycle.simulation.kubectl.flags import boolean, duration, listing, number, text

GLOBAL = {
    "namespace": text(short="n"), "as": text(), "as-group": listing(), "as-uid": text(), "as-user-extra": listing(), "cache-dir": text(),
    "certificate-authority": text(),
    "client-certificate": text(), "client-key": text(), "cluster": text(), "context": text(), "disable-compression": boolean(),
    "insecure-skip-tls-verify": boolean(),
    "kubeconfig": text(), "kuberc": text(), "log-flush-frequency": duration(5000), "match-server-version": boolean(), "password": text(),
    "profile": text("none"),
    "profile-output": text("profile.pprof"), "request-timeout": text("0"), "server": text(short="s"), "tls-server-name": text(), "token": text(),
    "user": text(),
    "username": text(), "v": number(short="v"), "vmodule": text(), "warnings-as-errors": boolean(), "help": boolean(short="h"),
}
FILES = {"filename": listing("f"), "recursive": boolean("R"), "kustomize": text(short="k")}
PRINTING = {"output": text(short="o"), "template": text(), "show-managed-fields": boolean(), "allow-missing-template-keys": boolean(default=True)}
DRY_RUN = {"dry-run": text("none", bare="unchanged")}
VALIDATE = {"validate": text("strict", bare="strict")}
SELECTOR = {"selector": text(short="l")}
FIELD_SELECTOR = {"field-selector": text()}
ALL = {"all": boolean()}
ALL_NAMESPACES = {"all-namespaces": boolean("A")}
LOCAL = {"local": boolean()}
CHUNKS = {"chunk-size": number(500)}
CASCADE = {"cascade": text("background", bare="background")}


def field_manager(name):
    return {"field-manager": text(name)}


@dataclass(frozen=True)
class Command:
    """One command. `run(invocation)` is a generator of process questions; `required` flags must be given; `usage` is its line of arguments.

    `flags` are {name: Flag}; None if it does not matter what is given.
    """

    run: object
    usage: str = ""
    flags: dict | None = field(default_factory=dict)
    required: tuple = ()
    aliases: tuple = ()
