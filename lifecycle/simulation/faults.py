"""What can be broken from outside: a table of words."""


def _node_down(cluster, name):
    cluster.components["kubelet"].power(name, False)
    cluster.components["node-lifecycle"].expect_silence()


def _node_up(cluster, name):
    cluster.components["kubelet"].power(name, True)


def _node_reboot(cluster, name):
    cluster.components["kubelet"].reboot(name)
    cluster.components["node-lifecycle"].expect_silence()


def _pressure(resource, on):
    def fault(cluster, name):
        pressure = cluster.components["node-pressure"]
        (pressure.press if on else pressure.release)(name, resource)
    return fault


FAULTS = {
    ("node", "down"): _node_down,
    ("node", "up"): _node_up,
    ("node", "reboot"): _node_reboot,
    ("node", "memory-pressure on"): _pressure("memory", True),
    ("node", "memory-pressure off"): _pressure("memory", False),
    ("node", "disk-pressure on"): _pressure("ephemeral-storage", True),
    ("node", "disk-pressure off"): _pressure("ephemeral-storage", False),
    ("component", "stop"): lambda cluster, name: cluster.stop(name),
    ("component", "start"): lambda cluster, name: cluster.start(name),
}


def apply_fault(cluster, words):
    """Break or mend something, as said in words: "node n3 down", "component scheduler stop". Raises ValueError with a sentence."""
    parts = words.split()
    if len(parts) < 3:
        raise ValueError(f'a fault is three words or four, such as "node n3 down", not "{words}"')
    kind, name, what = *parts[:2], " ".join(parts[2:])
    fault = FAULTS.get((kind, what))
    if fault is None:
        known = ", ".join(f'"{one} NAME {other}"' for one, other in FAULTS)
        raise ValueError(f'unknown fault "{words}"; known are {known}')
    _check_exists(cluster, kind, name)
    fault(cluster, name)


def _check_exists(cluster, kind, name):
    if kind == "node" and cluster.etcd.get(f"/registry/minions/{name}") is None:
        raise ValueError(f'there is no node "{name}"')
    if kind == "component" and all(name not in (component.name, component.actor) for component in cluster.components.values()):
        raise ValueError(f'there is no component "{name}"')
