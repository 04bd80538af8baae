"""The Pod Security Standards: what "baseline" and "restricted" forbid (k8s.io/pod-security-admission/policy), as a table of small checks.

A check takes (metadata, spec) and gives None or (reason, detail).
"""
DEFAULT_CAPABILITIES = ("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "SETFCAP", "SETGID", "SETPCAP",
                        "SETUID", "SYS_CHROOT")
SAFE_SYSCTLS = ("kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.ip_unprivileged_port_start", "net.ipv4.tcp_syncookies",
                "net.ipv4.ping_group_range", "net.ipv4.ip_local_reserved_ports", "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout",
                "net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes", "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem")
SAFE_VOLUMES = ("configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret")
SAFE_SELINUX = ("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t")
SAFE_SECCOMP = ("RuntimeDefault", "Localhost")


def _containers(spec):
    return [container for part in ("initContainers", "containers", "ephemeralContainers") for container in spec.get(part) or ()]


def _context(thing):
    return thing.get("securityContext") or {}


def _bad(spec, test):
    """The names of the containers whose security context fails."""
    return [container["name"] for container in _containers(spec) if test(_context(container))]


def _named(word, names):
    return f'{word}{"s" if len(names) > 1 else ""} ' + _quoted(names)


def _quoted(names):
    return ", ".join(f'"{name}"' for name in names)


def _containers_must(reason, names, what):
    return (reason, f"{_named('container', names)} {what}") if names else None


# -- baseline --------------------------------------------------------------------------------------------------------------
def _privileged(meta, spec):
    return _containers_must("privileged", _bad(spec, lambda context: context.get("privileged")), "must not set securityContext.privileged=true")


def _host_namespaces(meta, spec):
    said = [f"{field}=true" for field in ("hostNetwork", "hostPID", "hostIPC") if spec.get(field)]
    return ("host namespaces", ", ".join(said)) if said else None


def _host_path(meta, spec):
    names = [volume["name"] for volume in spec.get("volumes") or () if "hostPath" in volume]
    return ("hostPath volumes", _named("volume", names)) if names else None


def _host_ports(meta, spec):
    found = {container["name"]: [port["hostPort"] for port in container.get("ports") or () if port.get("hostPort")] for container in _containers(spec)}
    names, ports = [name for name, used in found.items() if used], sorted({str(port) for used in found.values() for port in used})
    if not names:
        return None
    return "hostPort", f"{_named('container', names)} {'use' if len(names) > 1 else 'uses'} hostPort{'s' if len(ports) > 1 else ''} {', '.join(ports)}"


def _added(spec, allowed):
    """(containers, capabilities) that add more than what is allowed."""
    found = {container["name"]: [one for one in (_context(container).get("capabilities") or {}).get("add") or () if one not in allowed]
             for container in _containers(spec)}
    return [name for name, added in found.items() if added], sorted({one for added in found.values() for one in added})


def _capabilities(meta, spec):
    names, added = _added(spec, DEFAULT_CAPABILITIES)
    return _containers_must("non-default capabilities", names, f"must not include {_quoted(added)} in securityContext.capabilities.add")


def _proc_mount(meta, spec):
    return _containers_must("procMount", _bad(spec, lambda context: context.get("procMount") not in (None, "", "Default")),
                            'must not set securityContext.procMount to "Unmasked"')


def _selinux(meta, spec):
    bad = [one for one in (_context(spec), *map(_context, _containers(spec))) if (one.get("seLinuxOptions") or {}).get("type", "") not in SAFE_SELINUX]
    kinds = sorted({one["seLinuxOptions"]["type"] for one in bad})
    names = _bad(spec, lambda context: (context.get("seLinuxOptions") or {}).get("type", "") not in SAFE_SELINUX)
    who = " and ".join([*(["pod"] if _context(spec) in bad else []), *([_named("container", names)] if names else [])])
    return ("seLinuxOptions", f"{who} set forbidden securityContext.seLinuxOptions: type{'s' if len(kinds) > 1 else ''} {_quoted(kinds)}") if bad else None


def _seccomp(meta, spec):
    if (_context(spec).get("seccompProfile") or {}).get("type") == "Unconfined":
        return "seccompProfile", 'pod must not set securityContext.seccompProfile.type to "Unconfined"'
    names = _bad(spec, lambda context: (context.get("seccompProfile") or {}).get("type") == "Unconfined")
    return _containers_must("seccompProfile", names, 'must not set securityContext.seccompProfile.type to "Unconfined"')


def _sysctls(meta, spec):
    names = sorted({one["name"] for one in _context(spec).get("sysctls") or ()} - set(SAFE_SYSCTLS))
    return ("forbidden sysctls", ", ".join(names)) if names else None


# -- restricted ------------------------------------------------------------------------------------------------------------
def _escalation(meta, spec):
    return _containers_must("allowPrivilegeEscalation != false", _bad(spec, lambda context: context.get("allowPrivilegeEscalation") is not False),
                            "must set securityContext.allowPrivilegeEscalation=false")


def _all_dropped(meta, spec):
    names = _bad(spec, lambda context: "ALL" not in ((context.get("capabilities") or {}).get("drop") or ()))
    details = [f'{_named("container", names)} must set securityContext.capabilities.drop=["ALL"]'] if names else []
    adding, added = _added(spec, ("NET_BIND_SERVICE",))
    if adding:
        details.append(f"{_named('container', adding)} must not include {_quoted(added)} in securityContext.capabilities.add")
    return ("unrestricted capabilities", "; ".join(details)) if details else None


def _volumes(meta, spec):
    bad = {volume["name"]: next((key for key in volume if key != "name"), "unknown") for volume in spec.get("volumes") or ()}
    bad = {name: kind for name, kind in bad.items() if kind not in SAFE_VOLUMES}
    kinds = sorted(set(bad.values()))
    uses = f"use{'' if len(bad) > 1 else 's'} restricted volume type{'s' if len(kinds) > 1 else ''}"
    return ("restricted volume types", f"{_named('volume', list(bad))} {uses} {_quoted(kinds)}") if bad else None


def _non_root(meta, spec):
    said = _context(spec).get("runAsNonRoot")
    details = ["pod must not set securityContext.runAsNonRoot=false"] if said is False else []
    false = _bad(spec, lambda context: context.get("runAsNonRoot") is False)
    silent = [] if said else _bad(spec, lambda context: context.get("runAsNonRoot") is None)
    if false:
        details.append(f"{_named('container', false)} must not set securityContext.runAsNonRoot=false")
    if details:
        return "runAsNonRoot != true", "; ".join(details)
    return ("runAsNonRoot != true", f"pod or {_named('container', silent)} must set securityContext.runAsNonRoot=true") if silent else None


def _user(meta, spec):
    details = ["pod must not set runAsUser=0"] if _context(spec).get("runAsUser") == 0 else []
    names = _bad(spec, lambda context: context.get("runAsUser") == 0)
    if names:
        details.append(f"{_named('container', names)} must not set runAsUser=0")
    return ("runAsUser=0", "; ".join(details)) if details else None


def _seccomp_set(meta, spec):
    must = 'securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"'
    pod = (_context(spec).get("seccompProfile") or {}).get("type")
    details = [f"pod must not set securityContext.seccompProfile.type to \"{pod}\""] if pod and pod not in SAFE_SECCOMP else []
    wrong = _bad(spec, lambda context: (context.get("seccompProfile") or {}).get("type") not in (None, *SAFE_SECCOMP))
    if wrong:
        details.append(f'{_named("container", wrong)} must not set securityContext.seccompProfile.type to "Unconfined"')
    silent = [] if pod else _bad(spec, lambda context: not context.get("seccompProfile"))
    if silent and not details:
        details.append(f"pod or {_named('container', silent)} must set {must}")
    return ("seccompProfile", "; ".join(details)) if details else None


BASELINE = {"capabilities_baseline": _capabilities, "hostNamespaces": _host_namespaces, "hostPathVolumes": _host_path, "hostPorts": _host_ports,
            "privileged": _privileged, "procMount": _proc_mount, "seLinuxOptions": _selinux, "seccompProfile_baseline": _seccomp, "sysctls": _sysctls}
RESTRICTED = {"allowPrivilegeEscalation": _escalation, "capabilities_restricted": _all_dropped, "restrictedVolumes": _volumes, "runAsNonRoot": _non_root,
              "runAsUser": _user, "seccompProfile_restricted": _seccomp_set}
STRICTER = ("capabilities_baseline", "hostPathVolumes", "seccompProfile_baseline")          # what "restricted" says in its own way
CHECKS = {"privileged": {}, "baseline": BASELINE, "restricted": {**{name: check for name, check in BASELINE.items() if name not in STRICTER}, **RESTRICTED}}


def violations(level, metadata, spec):
    """[(reason, detail)] of everything a Pod does that a level forbids, in order of the checks' ids."""
    return [found for _, check in sorted(CHECKS[level].items()) if (found := check(metadata, spec))]
