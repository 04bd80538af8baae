"""port-forward: connections from outside to ports inside a Pod (containerd's CRI plugin, pkg/cri/server/sandbox_portforward.go)."""
from .disk import PodKey, is_away


def dial(runtime, namespace, name, port):
    """None if something listens at a port inside of a Pod, else why there is no connection."""
    pod = runtime.api.get("pods", namespace, name)
    if pod is None or not pod["spec"].get("nodeName"):
        return f'pods "{name}" not found'
    key = PodKey.of(pod)
    if is_away(runtime.etcd, key.node):
        return f"error dialing backend: dial tcp {runtime.cluster.components['kubelet'].address(key.node)}:10250: connect: no route to host"
    sandbox = runtime.of(key)["sandbox"]
    if sandbox is None or sandbox["state"] != "ready":
        return f"error forwarding port {port} to pod {name}_{namespace}: sandbox is not running"
    runtime.cluster.log.say("kubelet", "cri", "PortForward", f"PortForward {sandbox['id'][:12]} {port}", key.object, None, {**key.facts, "port": port})
    if runtime.http_get(namespace, name, port, "/") is None:
        inside = f'namespace "/var/run/netns/cni-{key.uid}"'
        return (f"error forwarding port {port} to pod {sandbox['id']}, uid : failed to execute portforward in network {inside}: failed to connect to "
                f"localhost:{port} inside {inside}, IPv4: dial tcp4 127.0.0.1:{port}: connect: connection refused IPv6 dial tcp6: address localhost: "
                "no suitable address found ")
    return None
