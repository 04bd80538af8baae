"""Rules for security contexts, of a Pod and of its containers (pkg/apis/core/validation/validation.go).

The simulated API server runs with --allow-privileged, as kubeadm sets it up.
"""

import re

from . import paths
from .errors import between, duplicate, forbidden, invalid, not_supported, one_of, required
from .internal import internal

PROFILE_TYPES = ("Localhost", "RuntimeDefault", "Unconfined")
SEGMENT = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
SYSCTL = rf"({SEGMENT}[\./])*{SEGMENT}"
MAX_ID = 0xFFFFFFFF
NETWORK_SYSCTLS, IPC_SYSCTLS = ("net.",), ("kernel.shm", "kernel.msg", "fs.mqueue.")
POD_CHOICES = {
    "fsGroupChangePolicy": ("Always", "OnRootMismatch"),
    "supplementalGroupsPolicy": ("Merge", "Strict"),
    "seLinuxChangePolicy": ("MountOption", "Recursive"),
}


def _id(context, key, path):
    if context.get(key) is not None and not 0 <= context[key] <= MAX_ID:
        yield invalid(f"{path}.{key}", context[key], between(0, MAX_ID))


def pod_context(spec, path):
    context = spec.get("securityContext") or {}
    for key in ("fsGroup", "runAsUser", "runAsGroup"):
        yield from _id(context, key, path)
    for index, group in enumerate(context.get("supplementalGroups") or ()):
        if not 0 <= group <= MAX_ID:
            yield invalid(f"{path}.supplementalGroups[{index}]", group, between(0, MAX_ID))
    if spec.get("shareProcessNamespace") and spec.get("hostPID"):
        yield invalid(f"{path}.shareProcessNamespace", True, "ShareProcessNamespace and HostPID cannot both be enabled")
    yield from _sysctls(context.get("sysctls") or (), spec, f"{path}.sysctls")
    yield from _choice(context, "fsGroupChangePolicy", path)
    yield from _seccomp(context.get("seccompProfile"), f"{path}.seccompProfile")
    yield from _app_armor(context.get("appArmorProfile"), f"{path}.appArmorProfile")
    yield from _choice(context, "supplementalGroupsPolicy", path)
    yield from _choice(context, "seLinuxChangePolicy", path)


def _choice(context, key, path):
    if context.get(key) is not None and context[key] not in POD_CHOICES[key]:
        yield not_supported(f"{path}.{key}", context[key], POD_CHOICES[key])


def _sysctls(sysctls, spec, path):
    seen = set()
    for index, sysctl in enumerate(sysctls):
        here, name = f"{path}[{index}].name", sysctl.get("name") or ""
        if not name:
            yield required(here)
        elif len(name) > 253 or not re.fullmatch(SYSCTL, name):
            yield invalid(here, name, f"must have at most 253 characters and match regex ^{SYSCTL}$")
        elif name in seen:
            yield duplicate(here, name)
        dotted = name.replace("/", ".")
        if spec.get("hostNetwork") and dotted.startswith(NETWORK_SYSCTLS):
            yield invalid(here, name, "may not be specified when 'hostNetwork' is true")
        elif spec.get("hostIPC") and dotted.startswith(IPC_SYSCTLS):
            yield invalid(here, name, "may not be specified when 'hostIPC' is true")
        seen.add(name)


def _seccomp(profile, path):
    if profile is None:
        return
    kind, local = profile.get("type") or "", profile.get("localhostProfile")
    yield from one_of(f"{path}.type", kind, PROFILE_TYPES, "type is required when seccompProfile is set")
    if kind == "Localhost" and local is None:
        yield required(f"{path}.localhostProfile", "must be set when seccomp type is Localhost")
    elif kind == "Localhost":
        yield from paths.descending(f"{path}.localhostProfile", local)
    elif local is not None:
        yield invalid(f"{path}.localhostProfile", {"Type": kind, "LocalhostProfile": local}, "can only be set when seccomp type is Localhost")


def _app_armor(profile, path):
    if profile is None:
        return
    kind, local = profile.get("type") or "", profile.get("localhostProfile")
    if kind == "Localhost":
        if local is not None and local != local.strip():
            yield invalid(f"{path}.localhostProfile", local, "must not be padded with whitespace")
        elif not local:
            yield required(f"{path}.localhostProfile", "must be set when AppArmor type is Localhost")
    elif kind in PROFILE_TYPES and local is not None:
        yield invalid(f"{path}.localhostProfile", local, "can only be set when AppArmor type is Localhost")
    yield from one_of(f"{path}.type", kind, PROFILE_TYPES, "type is required when appArmorProfile is set")


def container_context(context, path, host_users):
    if context is None:
        return
    yield from _id(context, "runAsUser", path)
    yield from _id(context, "runAsGroup", path)
    mount = context.get("procMount")
    if mount is not None and mount not in ("Default", "Unmasked"):
        yield not_supported(f"{path}.procMount", mount, ("Default", "Unmasked"))
    if mount == "Unmasked" and host_users:
        yield invalid(f"{path}.procMount", mount, "`hostUsers` must be false to use `Unmasked`")
    yield from _seccomp(context.get("seccompProfile"), f"{path}.seccompProfile")
    if context.get("allowPrivilegeEscalation") is False:
        yield from _escalation(context, path)
    yield from _app_armor(context.get("appArmorProfile"), f"{path}.appArmorProfile")


def _escalation(context, path):
    if context.get("privileged"):
        yield invalid(path, internal("SecurityContext", context), "cannot set `allowPrivilegeEscalation` to false and `privileged` to true")
    if "CAP_SYS_ADMIN" in ((context.get("capabilities") or {}).get("add") or ()):
        yield invalid(path, internal("SecurityContext", context), "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN")


def host_namespaces(spec, path):
    """What a Pod with a user namespace of its own may not share with the host."""
    if spec.get("hostUsers") is not False:
        return
    for key, shown in (("hostNetwork", "hostNetwork"), ("hostPID", "HostPID"), ("hostIPC", "HostIPC")):
        if spec.get(key):
            yield forbidden(f"{path}.{shown}", "when `pod.Spec.HostUsers` is false")
