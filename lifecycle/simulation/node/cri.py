"""The container runtime of every node: containerd as the kubelet sees it through CRI.

What it knows of a Pod lies on the node's disk under "runtime UID":
{"sandbox": {"id", "attempt", "state", "ip", "at"} or None, "dead": [ids of stopped sandboxes], "containers": {id: container}}.
A container: {"id", "name", "attempt", "image", "state": created|running|exited, "argv", "env", "inputs", "created", "started", "finished", "code", "reason", ...},
all times in virtual ms. See programs.py for what runs in it.
"""
from ..component import Component
from ..objects import split_key
from . import cni, images
from .disk import PodKey, is_down, node_space
from .programs import end_of

EMPTY = {"sandbox": None, "dead": [], "containers": {}}


class Runtime(Component):
    """Its own work is what happens in containers by itself: processes that end, stop timeouts that run out. Work keys: the Pod's key/container id."""

    name = "cri"
    actor = "cri"
    user = "system:nodes"
    event_source = {"component": "containerd"}

    # -- state -------------------------------------------------------------------------------------------------------------
    def of(self, pod):
        """The runtime's record of a Pod (a PodKey)."""
        return self.etcd.read(node_space(pod.node), f"runtime {pod.uid}", EMPTY)

    def keep(self, pod, record):
        self.etcd.write(node_space(pod.node), f"runtime {pod.uid}", record if record["sandbox"] or record["dead"] or record["containers"] else None)

    def change(self, pod, container, **fields):
        """Keep a container with some fields changed; returns it."""
        record = self.of(pod)
        new = {**container, **fields}
        self.keep(pod, {**record, "containers": {**record["containers"], new["id"]: new}})
        return new

    def facts_for(self, key):
        pod = PodKey.parse(key.rpartition("/")[0])
        return pod.facts

    # -- images ------------------------------------------------------------------------------------------------------------
    def images(self, node):
        """{canonical reference: {"size", "digest"}} of what is on a node."""
        return self.etcd.read(node_space(node), "images", {})

    def add_image(self, node, reference):
        self.etcd.write(node_space(node), "images", images.pulled(self.images(node), reference))

    # -- sandboxes ---------------------------------------------------------------------------------------------------------
    def run_pod_sandbox(self, pod, pod_cidr, host_address=None):
        """RunPodSandbox: pause container and network. Returns the sandbox, or None if CNI has no address left. `host_address` for Pods on the host's network."""
        record = self.of(pod)
        before = record["sandbox"]
        identity = self.random.hexadecimal()
        address = host_address or cni.add(self.etcd, node_space(pod.node), pod_cidr, identity)
        if not host_address:
            self.say("cni", "CNIAdd", f"ADD {pod.namespace}/{pod.name} eth0", pod.object, {**pod.facts, "sandbox": identity[:12], "ip": address})
        if address is None:
            return None
        sandbox = {"id": identity, "attempt": before["attempt"] + 1 if before else 0, "state": "ready", "ip": address, "at": self.clock.now, "host": bool(host_address)}
        self.keep(pod, {**record, "sandbox": sandbox, "dead": [*record["dead"], before["id"]] if before else record["dead"]})
        return sandbox

    def stop_pod_sandbox(self, pod):
        """StopPodSandbox: ends the pause container and gives the address back; containers must have ended."""
        record = self.of(pod)
        sandbox = record["sandbox"]
        if not sandbox["host"]:
            self.say("cni", "CNIDel", f"DEL {pod.namespace}/{pod.name} eth0", pod.object, {**pod.facts, "sandbox": sandbox["id"][:12], "ip": sandbox["ip"]})
            cni.delete(self.etcd, node_space(pod.node), sandbox["ip"])
        self.keep(pod, {**record, "sandbox": {**sandbox, "state": "notready"}})

    # -- containers --------------------------------------------------------------------------------------------------------
    def create_container(self, pod, made):
        """CreateContainer: `made` is the kubelet's half of the record (name, attempt, image, argv, env, ...). Returns the container."""
        container = {"id": self.random.hexadecimal(), "state": "created", "created": self.clock.now, "started": None, "inputs": [], **made}
        return self.change(pod, container)

    def start_container(self, pod, container):
        """StartContainer: the process begins now; returns the container."""
        container = self.change(pod, container, state="running", started=self.clock.now)
        self._watch(pod, container)
        return container

    def signal(self, pod, container, name):
        """Send a signal to PID 1 of a container."""
        self.say("cri", f"SendSIG{name}", None, pod.object, {**pod.facts, "container": container["name"], "id": container["id"][:12]})
        return self.put_in(pod, container, "signal", name)

    def put_in(self, pod, container, kind, what):
        """Something reaches a running container from outside, now."""
        container = self.change(pod, container, inputs=[*container["inputs"], [self.clock.now, kind, what]])
        self._watch(pod, container)
        return container

    def stop_container(self, pod, container, timeout):
        """StopContainer: SIGTERM now and, if that does not end it, SIGKILL after `timeout` ms."""
        container = self.change(pod, container, kill_at=self.clock.now + timeout)
        return self.signal(pod, container, "TERM")

    def remove_container(self, pod, identity):
        record = self.of(pod)
        self.keep(pod, {**record, "containers": {other: container for other, container in record["containers"].items() if other != identity}})

    # -- what happens by itself --------------------------------------------------------------------------------------------
    def _watch(self, pod, container):
        self.again(f"{pod.key}/{container['id']}")

    def reconcile(self, key):
        """A container's process may have ended, or its stop timeout run out."""
        pod, identity = PodKey.parse(key.rpartition("/")[0]), split_key(key)[1]
        container = self.of(pod)["containers"].get(identity)
        if container is None or container["state"] != "running" or is_down(self.etcd, pod.node):
            return None
        end, now = end_of(container), self.clock.now
        if end and end.at <= now:
            self._ended(pod, container, end)
            return None
        kill_at = container.get("kill_at")
        if kill_at is not None and kill_at <= now:
            self.signal(pod, container, "KILL")
            return 1
        return min((at for at in (end and end.at, kill_at) if at is not None), default=now) - now or None

    def _ended(self, pod, container, end):
        self.change(pod, container, state="exited", finished=end.at, code=end.code, reason=end.reason)
        self.say("cri", "ProcessExited", None, pod.object, {**pod.facts, "container": container["name"], "id": container["id"][:12], "code": end.code, "why": end.reason})
        self.cluster.components["kubelet"].container_ended(pod)
