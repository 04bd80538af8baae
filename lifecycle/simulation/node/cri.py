"""The container runtime of every node: containerd as the kubelet sees it through CRI.

What it knows of a Pod lies on the node's disk under "runtime UID":
{"sandbox": {"id", "attempt", "state", "ip", "at"} or None, "dead": [ids of stopped sandboxes], "containers": {id: container}, "history": {id: removed container
of which something can still be seen, because it shared a volume}, "contents": {volume: {path: text}} that were there before}.
A container: {"id", "name", "attempt", "image", "state": created|running|exited, "argv", "env", "inputs", "created", "started", "finished", "code", "reason",
...}, all times in virtual ms. See programs.py for what runs in it.
"""
from .. import broken
from ..component import Component
from ..objects import split_key
from . import cni, images, mishaps
from .disk import PodKey, is_down, node_space
from .inside import Inside
from .network import Outside
from .programs import ANY, answer, is_plain, service_end, service_of

ASKED = "network answers"            # disk space: the work keys of containers whose programs asked for something outside their Pod
EMPTY = {"sandbox": None, "dead": [], "containers": {}, "history": {}, "contents": {}}


class Runtime(Component):
    """Its own work is what happens in containers by itself: processes that end, stop timeouts that run out. Work keys: the Pod's key/container id."""

    name = "cri"
    actor = "cri"
    user = "system:nodes"
    event_source = {"component": "containerd"}

    def __init__(self, cluster):
        super().__init__(cluster)
        self.outside = Outside(self)
        self.inside = Inside(self.clock.epoch, self.outside.answer, self._learnt)

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
        """RunPodSandbox: pause container and network. Returns (the sandbox, ""), or (None, why there is none).

        `host_address` is given for Pods on the host's network.
        """
        record = self.of(pod)
        before = record["sandbox"]
        identity = self.random.hexadecimal()
        address, error = (host_address, "") if host_address else cni.connect(self, pod, pod_cidr, identity)
        if error:
            return None, f'rpc error: code = Unknown desc = failed to setup network for sandbox "{identity}": {error}'
        sandbox = {"id": identity, "attempt": before["attempt"] + 1 if before else 0, "state": "ready", "ip": address, "at": self.clock.now,
                   "host": bool(host_address)}
        self.keep(pod, {**record, "sandbox": sandbox, "dead": [*record["dead"], before["id"]] if before else record["dead"]})
        return sandbox, ""

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
        skew = broken.skew(self.etcd, pod.node)
        container = self.change(pod, container, state="running", started=self.clock.now, **({"skew": skew} if skew else {}))
        self._watch(pod, container)
        return container

    def signal(self, pod, container, name):
        """Send a signal to PID 1 of a container."""
        self.say("cri", f"SendSIG{name}", None, pod.object, {**pod.facts, "container": container["name"], "id": container["id"][:12]})
        return self.put_in(pod, container, "signal", name)

    def put_in(self, pod, container, kind, what):
        """Something reaches a running container from outside, now; one that hangs notices it later."""
        if mishaps.is_missed(container, kind, what):
            container = self.change(pod, container, waiting=[*container.get("waiting", []), what])
            self._watch(pod, container)
            return container
        container = self.change(pod, container, inputs=[*container["inputs"], [self.clock.now, kind, what]])
        self._watch(pod, container)
        self.cluster.components["prober"].look(pod)
        self.cluster.components["streaming"].look(pod)
        return container

    def stop_container(self, pod, container, timeout):
        """StopContainer: SIGTERM now and, if that does not end it, SIGKILL after `timeout` ms."""
        container = self.change(pod, container, kill_at=self.clock.now + timeout)
        return self.signal(pod, container, "TERM")

    def fail_to_start(self, pod, container, error):
        """StartContainer failed: the container has ended before it began."""
        return self.change(pod, container, state="exited", finished=self.clock.now, code=128, reason="StartError", message=error)

    def update_resources(self, pod, container, asked, limit):
        """UpdateContainerResources: new requests and limits; `limit` is the memory limit in bytes or None."""
        container = self.change(pod, container, asked=asked, limit=limit)
        self._watch(pod, container)

    def remove_container(self, pod, identity):
        """RemoveContainer: what it wrote into shared volumes stays."""
        record = self.of(pod)
        removed = record["containers"][identity]
        shared = any(volume[1] is None for volume in removed.get("volumes", {}).values())
        self.keep(pod, {**record, "containers": {other: container for other, container in record["containers"].items() if other != identity},
                        "history": {**record["history"], identity: removed} if shared else record["history"]})

    def remove_pod_sandbox(self, pod):
        """RemovePodSandbox, of the Pod's last: nothing of it is left."""
        self.keep(pod, EMPTY)
        self.inside.forget(pod.uid)

    def fill(self, pod, volume, texts):
        """A volume of the Pod comes with files in it."""
        record = self.of(pod)
        self.etcd.write(node_space(pod.node), f"runtime {pod.uid}", {**record, "contents": {**record["contents"], volume: texts}})

    def contents(self, pod, volume):
        """{path: text} of a volume as the Pod's programs left it; None if nothing ran that could change it."""
        return self.inside.contents(pod, self.of(pod), volume, self.clock.now)

    # -- inside containers -------------------------------------------------------------------------------------------------
    def exec(self, pod, container, argv, recorded=True):
        """Run a command in a running container, from now on: (ms at which it ends or None, exit code, output).

        A command that changes something inside becomes part of the container's record; `recorded`: this one in any case.
        """
        if container.get("hung"):
            return None, None, ""

        def note():
            self.put_in(pod, self.of(pod)["containers"][container["id"]], "exec", list(argv))
        return self.inside.execute(pod, self.of(pod), container, argv, self.clock.now, note, recorded)

    def log(self, pod, container):
        """[(ms, stream, line)] that a container has printed so far."""
        return self.inside.lines(pod, self.of(pod), container, container.get("hung") or self.clock.now)

    def http_get(self, namespace, name, port, path):
        """What a Pod answers to GET at a port of its address: (code, text), or None if nobody listens."""
        pod = self.api.get("pods", namespace, name)
        if pod is None or not pod["spec"].get("nodeName") or is_down(self.etcd, pod["spec"]["nodeName"]):
            return None
        key = PodKey.of(pod)
        for container in self.of(key)["containers"].values():
            answered = container["state"] == "running" and not container.get("hung") and self.answer(key, container, port, path)
            if answered:
                return answered
        return None

    def answer(self, pod, container, port, path):
        """What one running container answers to GET at a port: (code, text), or None if it does not listen there."""
        now = self.clock.now
        if is_plain(container) and not container.get("volumes"):
            return answer(service_of(container), now - container["started"], port, path, pod.name)
        box = self.inside.box(pod, self.of(pod), container, now)
        process = box.ports.get(port) or box.ports.get(ANY)
        return answer(process.does, now - process.started, port, path, pod.name, box.files) if process and process.code is None else None

    def _learnt(self, pod, identity, entry):
        """A program got an answer from outside."""
        container = self.of(pod)["containers"][identity]
        self.change(pod, container, inputs=[*container["inputs"], entry])
        self.etcd.write(ASKED, f"{pod.key}/{identity}", True)
        return self.of(pod)

    def network_changed(self):
        """Services or their endpoints have changed: who asked for them once may be answered otherwise now."""
        for key in self.etcd.disk(ASKED):
            self.again(key)

    # -- what happens by itself --------------------------------------------------------------------------------------------
    def look(self, pod):
        """Something may have happened in any of a Pod's containers."""
        for container in self.of(pod)["containers"].values():
            self._watch(pod, container)

    def _watch(self, pod, container):
        self.again(f"{pod.key}/{container['id']}")

    def reconcile(self, key):
        """A container's process may have ended, or its stop timeout run out."""
        pod, identity = PodKey.parse(key.rpartition("/")[0]), split_key(key)[1]
        container = self.of(pod)["containers"].get(identity)
        if container is None or container["state"] != "running" or is_down(self.etcd, pod.node):
            self.etcd.write(ASKED, key, None)
            return None
        for said in self.outside.news(pod, container):
            container = self.change(pod, container, inputs=[*container["inputs"], [self.clock.now, "answer", said]])
        (end, ask), now = self._end(pod, container), self.clock.now
        if end and end.at <= now:
            self._ended(pod, container, end)
            return None
        kill_at = container.get("kill_at")
        if kill_at is not None and kill_at <= now:
            self.signal(pod, self.change(pod, container, kill_at=None), "KILL")
            return None
        dates = [at for at in (end and end.at, ask, kill_at) if at is not None]
        return min(dates) - now if dates else None

    def _end(self, pod, container):
        """(End or None, ms at which to ask again or None)"""
        violent = mishaps.violent_end(container)
        if violent or container.get("hung"):
            return violent, None
        end, ask = (service_end(container), None) if is_plain(container) else self.inside.end(pod, self.of(pod), container, self.clock.now)
        return mishaps.delayed(container, end), ask

    def _ended(self, pod, container, end):
        mishaps.forget(self, container)
        said = {} if is_plain(container) else self.inside.last_words(pod, self.of(pod), container, end)
        self.change(pod, container, state="exited", finished=end.at, code=end.code, reason=end.reason, **said)
        self.say("cri", "ProcessExited", None, pod.object, {
            **pod.facts, "container": container["name"], "id": container["id"][:12], "code": end.code, "why": end.reason})
        self.cluster.components["kubelet"].container_ended(pod)
        self.cluster.components["streaming"].look(pod)
