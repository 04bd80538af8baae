"""Finds and fills in the words for a message."""
import tomllib
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.resources import files

from ..simulation.resources import resource_of_key

LANGUAGES = ("en", "zh-hans")
CODE = "https://github.com/kubernetes/kubernetes/blob/release-1.36/"
DOCUMENTATION = {"en": "https://kubernetes.io/docs/", "zh-hans": "https://kubernetes.io/zh-cn/docs/"}


class Facts(dict):
    """What a text may mention; what a message does not say is left blank."""

    def __missing__(self, key):
        return ""


@lru_cache(None)
def texts(language):
    """{message kind: {"title", "text", "happens", "look"}} of a language, exact names and patterns together."""
    found = {}
    for path in sorted(files(__package__).joinpath(language).iterdir(), key=lambda path: path.name):
        if path.name.endswith(".toml"):
            found.update(tomllib.loads(path.read_text(encoding="utf-8")))
    return found


@lru_cache(None)
def sources():
    """{message kind: path of a page of the documentation, or of a file of Kubernetes}"""
    return tomllib.loads(files(__package__).joinpath("sources.toml").read_text(encoding="utf-8"))


@lru_cache(None)
def entry_name(reason):
    """Under which name a message kind is explained: its own, else the longest pattern that fits, else None."""
    found = texts(LANGUAGES[0])
    if reason in found:
        return reason
    return max((name for name in found if "*" in name and fnmatchcase(reason, name)), key=len, default=None)


def entry(language, reason):
    """The texts for a message kind, or None."""
    name = entry_name(reason)
    return name and texts(language).get(name)


def explain(step, language):
    """(title, text) of a message. Raises KeyError for a kind without an explanation."""
    found = entry(language, step.reason)
    if found is None:
        raise KeyError(f"no explanation of {step.reason} in {language}")
    facts = mentioned(step)
    return found["title"].format_map(facts), found["text"].format_map(facts)


def source_of(reason, language):
    """(name, address) of where one can read how Kubernetes does what a message kind is about."""
    return documented(sources()[entry_name(reason)], language)


def documented(path, language):
    """(name, address) of a page of the documentation ("concepts/workloads/pods/") or of a file of Kubernetes ("pkg/kubelet/kubelet.go")."""
    if path.endswith("/"):
        return f"kubernetes.io/docs/{path}", DOCUMENTATION[language] + path
    return path.rpartition("k8s.io/")[2], CODE + path


def mentioned(step):
    """What the texts may use: the object's kind, namespace and name, the request, and the message's facts."""
    facts = Facts(step.facts, request=step.request or "", revision=step.revision or "")
    key = step.object[0] if isinstance(step.object, list) and step.object else step.object
    if isinstance(key, str) and key.startswith("/registry/"):
        kind, namespace, name = identity(key)
        facts.update(kind=kind or kind_of_collection(step.reason), namespace=namespace, name=name)
    return facts


@lru_cache(None)
def kind_of_collection(reason):
    """"Pod" of "ListPod", "DeleteCollectionPod": a collection's key does not tell its kind."""
    for verb in ("DeleteCollection", "List", "Watch"):
        if reason.startswith(verb):
            return reason.removeprefix(verb)
    return ""


@lru_cache(65536)
def identity(key):
    """(kind, namespace, name) of a store key; a collection's key has no name."""
    try:
        row = resource_of_key(key)
    except KeyError:
        return "", "", ""
    parts = key.split("/")
    return row.kind, parts[-2] if row.namespaced else "", parts[-1]
