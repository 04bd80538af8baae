"""Container images: how their names are read, which exist, how big they are and what they do when they run.

The catalogue is `images.json`: {repository as in "docker.io/library/nginx": entry}. An entry may say
`size` (bytes to pull), `entrypoint` and `cmd` (argv), `service` (how its own server behaves, see programs.py), `shell` (it has the usual commands),
`only` (the tags that exist), `content` ("shared": every tag is the same image). What it leaves out comes from the entry "*".
Names: distribution/reference (normalize.go, regexp.go); texts: containerd and pkg/kubelet/images as recorded.
"""
import re
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from json import loads

PAUSE = "registry.k8s.io/pause:3.10.1"
MIRROR = "http://127.0.0.1:5999"         # the pull-through cache of every node, which the runtime asks for all registries
BYTES_PER_MS = 25_000                    # how fast layers come: 25 MB/s
RESOLVE = 34                             # ms to ask the registry for a manifest

_PATH = re.compile(r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*")
_DOMAIN = re.compile(r"(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::[0-9]+)?")
_TAG = re.compile(r"[\w][\w.-]{0,127}", re.ASCII)
_DIGEST = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}")


class InvalidReference(ValueError):
    """The text is no image name; the message says why."""


@lru_cache(1)
def catalogue():
    return loads((files(__package__) / "images.json").read_text())


@lru_cache(4096)
def canonical(image):
    """"nginx" -> "docker.io/library/nginx:latest". Raises InvalidReference."""
    domain, path = _split_domain(image)
    name = path.partition(":")[0]
    if name != name.lower():
        raise InvalidReference(f"invalid reference format: repository name ({name}) must be lowercase")
    path, at, digest = path.partition("@")
    path, colon, tag = path.rpartition(":") if ":" in path else (path, "", "")
    if not (_PATH.fullmatch(path) and _DOMAIN.fullmatch(domain) and (not colon or _TAG.fullmatch(tag)) and (not at or _DIGEST.fullmatch(digest))):
        raise InvalidReference("invalid reference format")
    return f"{domain}/{path}" + (f":{tag}" if tag else "" if at else ":latest") + (f"@{digest}" if at else "")


def _split_domain(image):
    first, slash, rest = image.partition("/")
    if not slash or not (set(first) & set(".:") or first == "localhost" or first != first.lower()):
        first, rest = "docker.io", image
    if first in ("docker.io", "index.docker.io"):
        first, rest = "docker.io", rest if "/" in rest else f"library/{rest}"
    return first, rest


def repository(reference):
    """"docker.io/library/nginx" of a canonical reference."""
    name = reference.partition("@")[0]
    return name[:name.rindex(":")] if ":" in name.rpartition("/")[2] else name


@lru_cache(4096)
def entry(reference):
    """What the catalogue says about a canonical reference; the same dict for the same image."""
    known = catalogue()
    return {**known["*"], **known.get(repository(reference), {})}


@lru_cache(4096)
def digest(reference):
    """"sha256:..." of an image; tags of one content share it."""
    what = repository(reference) if entry(reference).get("content") == "shared" else reference
    return "sha256:" + sha256(what.encode()).hexdigest()


def parts(reference):
    """(registry host, path, tag or digest) of a canonical reference."""
    name = repository(reference)
    host, _, path = name.partition("/")
    return host, path, reference[len(name):].lstrip(":@")


def denied(reference):
    """What the runtime says when the registry wants other credentials."""
    host, path, tag = parts(reference)
    return f"{unresolved(reference)}unexpected status from HEAD request to {MIRROR}/v2/{path}/manifests/{tag}?ns={host}: 401 Unauthorized"


def absent(reference):
    """What it says when the registry does not have the image."""
    return f"rpc error: code = NotFound desc = {unresolved(reference)}{reference}: not found"


def unresolved(reference):
    """How all these complaints begin."""
    return f'failed to pull and unpack image "{reference}": failed to resolve image: '


@lru_cache(4096)
def pull_error(reference):
    """What the runtime says when this image cannot be pulled, or "" if it can."""
    rules, (host, _, tag) = catalogue()["!"], parts(reference)
    words = set(re.split(r"[/._:-]", reference))
    if words & set(rules["denied"]):
        return denied(reference)
    host = host.partition(":")[0]
    nowhere = host in ("localhost", "127.0.0.1") or host.endswith((".invalid", ".example"))
    if nowhere or words & set(rules["absent"]) or tag not in entry(reference).get("only", (tag,)):
        return absent(reference)
    return ""


def pull_duration(reference):
    """Virtual ms that a pull takes when no layer is there."""
    return RESOLVE if pull_error(reference) else RESOLVE + entry(reference)["size"] // BYTES_PER_MS


def pulled(images, reference):
    """The images of a node with one more: {canonical reference: {"size", "digest"}}."""
    return {**images, reference: {"size": entry(reference)["size"], "digest": digest(reference)}}


def status_name(images, reference):
    """(image, imageID) as the runtime reports them: the first name that the node has for the same content."""
    wanted = digest(reference)
    names = sorted(name for name, image in images.items() if image["digest"] == wanted)
    return names[0] if names else reference, f"{repository(reference)}@{wanted}"


def image_list(images):
    """`status.images` of a Node: biggest first, at most 50 (nodeStatusMaxImages)."""
    contents = {}
    for name, image in sorted(images.items()):
        contents.setdefault(image["digest"], ({"names": [f"{repository(name)}@{image['digest']}"], "sizeBytes": image["size"]}))["names"].append(name)
    return sorted(contents.values(), key=lambda image: -image["sizeBytes"])[:50]


def is_known(reference):
    """Whether the catalogue has this image."""
    return repository(reference) in catalogue()
