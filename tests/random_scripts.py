"""Random stories for hypothesis: manifests, commands, faults and times. A new thing that people do to clusters is a line in one of the tables."""
import json
from typing import NamedTuple

from hypothesis import strategies as st

from .random_manifests import MANIFESTS

DELAYS = (0, 1, 0.004, 0.02, 0.1, 0.3, 3, 8, 15, 40, 100, 400)


class Act(NamedTuple):
    """After `delay` seconds: words in which {pod}, {node}, ... stand for the `pick`th of those that exist then, and MANIFEST for a file with the manifest."""

    delay: float
    words: str
    pick: int
    manifest: str


class Script(NamedTuple):
    """What is played on a new cluster of so many nodes."""

    seed: int
    nodes: int
    acts: list


def patches(*kinds):
    bodies = ('"finalizers":null', '"finalizers":["example.com/hold"]', '"labels":{"app":"api"}', '"ownerReferences":null')
    return [f"""kubectl patch {kind} --type=merge -p '{{"metadata":{{{body}}}}}'""" for kind in kinds for body in bodies]


APPLY = (*("kubectl apply -f MANIFEST",) * 3, "kubectl apply --server-side -f MANIFEST", "kubectl create -f MANIFEST",
         "kubectl replace -f MANIFEST", "kubectl replace --force -f MANIFEST", "kubectl delete -f MANIFEST --wait=false", "kubectl apply -f MANIFEST -n team")
GRACES = ("", " --wait=false", " --grace-period=0 --force", " --now", " --grace-period=2 --wait=false", " --grace-period=90 --wait=false")
CASCADES = ("", " --cascade=foreground", " --cascade=orphan", " --cascade=foreground --wait=false", " --cascade=background --wait=false")
OWNERS = ("deployment {deployment}", "replicaset {replicaset}", "statefulset {statefulset}", "daemonset {daemonset}", "job {job}", "cronjob {cronjob}")
OTHERS = ("service {service}", "pvc {claim}", "configmap settings", "secret secret", "pods --all", "deployments,services --all", "pdb web",
          "endpointslices --all", "endpoints --all", "pv --all", "resourcequota few", "rc old", "rc old --cascade=orphan", "hpa web", "crontabs --all",
          "customresourcedefinition crontabs.example.com", "pods -l app=web", "all --all", "namespace team", "storageclass now", "events --all")
CHANGES = (
    *(f"kubectl scale {kind} --replicas={count}" for kind in OWNERS[:3] for count in (0, 1, 4)),
    *(f"kubectl set image {kind} app={image}" for kind in ("deployment/{deployment}", "pod/{pod}", "statefulset/{statefulset}", "daemonset/{daemonset}")
      for image in ("demo:next", "demo:missing", "busybox")),
    *(f"kubectl rollout {what} deployment {{deployment}}"
      for what in ("restart", "undo", "pause", "resume", "status --timeout=30s", "history", "undo --to-revision=1")),
    *(f"kubectl rollout {what} {kind}" for kind in ("statefulset {statefulset}", "daemonset {daemonset}") for what in ("restart", "undo")),
    *patches("pod {pod}", "deployment {deployment}", "replicaset {replicaset}", "configmap settings", "pvc {claim}", "job {job}"),
    "kubectl patch pod {pod} --subresource=status -p '{\"status\":{\"conditions\":[{\"type\":\"example.com/ready\",\"status\":\"True\"}]}}'",
    "kubectl patch pod {pod} --type=merge -p '{\"spec\":{\"schedulingGates\":null}}'",
    "kubectl patch pod {pod} --type=merge -p '{\"spec\":{\"activeDeadlineSeconds\":5}}'",
    *(f"kubectl patch job {{job}} --type=merge -p '{{\"spec\":{{\"suspend\":{what}}}}}'" for what in ("true", "false")),
    *(f"kubectl label {what}" for what in ("pod {pod} app=web --overwrite", "pod {pod} app-", "node {node} disk=fast --overwrite", "node {node} disk-",
                                           "replicaset {replicaset} app=api --overwrite")),
    "kubectl annotate deployment {deployment} note=changed --overwrite", "kubectl set resources deployment {deployment} --requests=cpu=700m",
    "kubectl expose deployment {deployment} --port=80", "kubectl create deployment web --image=demo:ok --replicas=2", "kubectl run a --image=demo:ok",
    "kubectl create namespace team", "kubectl run a --image=demo:ok -n team", "kubectl create deployment web --image=demo:ok -n team",
    "kubectl create job again --from=cronjob/{cronjob}")
NODES = (
    "kubectl cordon {node}", "kubectl uncordon {node}", "kubectl delete node {node}",
    *(f"kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data{how}"
      for how in ("", " --force", " --force --timeout=40s", " --force --grace-period=0", " --force --disable-eviction")),
    *(f"kubectl taint nodes {{node}} {taint}" for taint in ("kind=special:NoSchedule", "kind=special:NoExecute", "kind=special:PreferNoSchedule", "kind-",
                                                            "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute")))
LOOKS = (
    "kubectl exec {pod} -- sh -c 'kill 1'", "kubectl exec {pod} -- touch /tmp/there", "kubectl logs {pod}", "kubectl logs {pod} -f",
    "kubectl logs {pod} --previous", "kubectl get pods -w", "kubectl wait pod/{pod} --for=condition=Ready --timeout=20s",
    "kubectl wait pod/{pod} --for=delete --timeout=60s", "kubectl describe pod {pod}", "kubectl get all -o wide", "kubectl get events",
    "kubectl describe nodes", "kubectl get pods -A -o yaml", "kubectl attach {pod}", "kubectl debug {pod} --image=busybox --attach=false -- sleep 5",
    "kubectl exec {pod} -- sleep 30", "kubectl get rc,hpa,ingress,networkpolicies,endpoints", "kubectl get crontabs -o yaml")
DELETIONS = (*(f"kubectl delete pod {{pod}}{how}" for how in GRACES), *(f"kubectl delete {kind}{how}" for kind in OWNERS for how in CASCADES),
             *(f"kubectl delete {what} --wait=false" for what in OTHERS))
COMPONENTS = ("scheduler", "controller-manager", "replicaset", "deployment", "garbage-collector", "endpointslice", "node-lifecycle", "taint-eviction",
              "persistentvolume-binder", "csi", "kube-proxy", "statefulset", "job")
POWER = ("node {node} down", "node {node} up", "node {node} reboot", "node {node} partition", "node {node} heal", "node {node} shutdown")
BREAKDOWNS = (
    *(f"node {{node}} {what}" for what in ("cni fail", "cni exhausted", "cni mend", "clock 5m", "clock -90s", "clock mend", "pid-pressure on",
                                           "pid-pressure off", "memory-pressure on", "memory-pressure off", "disk-pressure on", "disk-pressure off")),
    *(f"container {{pod}} {what}" for what in ("crash", "oom", "hang", "hang", "resume", "liveness fail", "liveness mend", "readiness fail",
                                             "readiness mend", "startup fail", "startup mend")),
    *(f"image {image} {what}" for image in ("demo:ok", "busybox") for what in ("missing", "denied", "slow", "mend")),
    "registry docker.io unreachable", "registry docker.io mend", "csi attach slow", "csi attach stuck", "csi attach mend", "csi mount fail", "csi mount mend",
    "etcd read-only", "etcd down", "etcd mend", "etcd mend", "clock 10m")
FAULTS = (*POWER * 3, *BREAKDOWNS, *(f"component {name} {what}" for name in COMPONENTS
                                     for what in ("stop", "start", "slow", "mend", "watch drop", "watch expire")))
KINDS = (APPLY, DELETIONS, CHANGES, APPLY, NODES, DELETIONS, FAULTS, CHANGES, LOOKS)


@st.composite
def acts(draw):
    delay, table = draw(st.sampled_from(DELAYS)), draw(st.sampled_from(KINDS))
    words, pick = draw(st.sampled_from(table)), draw(st.integers(0, 5))
    return Act(delay, words, pick, json.dumps(draw(MANIFESTS)) if table is APPLY else "")


@st.composite
def scripts(draw, most=12):
    """Scripts that begin with something to act on."""
    first = [Act(0, APPLY[0], 0, json.dumps(manifest)) for manifest in draw(st.lists(MANIFESTS, min_size=1, max_size=4))]
    return Script(draw(st.integers(1, 3)), draw(st.integers(1, 3)), [*first, *(draw(acts()) for _ in range(draw(st.integers(0, most))))])
