"""Once a minute a kubelet removes the sandboxes of Pods that are gone (pkg/kubelet/kuberuntime/kuberuntime_gc.go)."""
from ..disk import PodKey, is_down, node_space
from ..durations import GC_PERIOD
from .part import KubeletPart


class GarbageCollector(KubeletPart):
    """Work keys: nodes. What is to be removed lies on the node's disk under "garbage": {the Pod's key: True}."""

    name = "sandbox-gc"

    def add(self, pod):
        """The Pod's sandboxes are not needed any more."""
        space = node_space(pod.node)
        self.etcd.write(space, "garbage", {**self.etcd.read(space, "garbage", {}), pod.key: True})
        self.again(pod.node, GC_PERIOD - self.clock.now % GC_PERIOD)

    def facts_for(self, key):
        return {"node": key}

    def reconcile(self, node):
        """RemovePodSandbox for all that has gathered."""
        if is_down(self.etcd, node):
            return None
        space, runtime = node_space(node), self.cluster.components["cri"]
        for key in self.etcd.read(space, "garbage", {}):
            pod = PodKey.parse(key)
            record = runtime.of(pod)
            for identity in (*record["dead"], *([record["sandbox"]["id"]] if record["sandbox"] else [])):
                self.say("cri", "RemovePodSandbox", f"RemovePodSandbox {identity[:12]}", pod.object, pod.facts)
            runtime.remove_pod_sandbox(pod)
        self.etcd.write(space, "garbage", None)
        return None
