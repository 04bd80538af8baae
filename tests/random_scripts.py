"""Random stories for hypothesis: manifests, commands, faults and times, small and simple ones first so that what is found can be made small.

Everything is a table: a new thing that people do to clusters is a line in one of them.
"""
import json
from typing import NamedTuple

from hypothesis import strategies as st

NAMES = ("web", "api")                    # of Deployments, ReplicaSets, Services and claims, which so meet each other
PODS = ("a", "b", "c")
DELAYS = (0, 1, 0.004, 0.02, 0.3, 3, 8, 15, 40, 100, 400)


class Act(NamedTuple):
    """After `delay` seconds: a manifest to apply, or words in which {pod}, {node}, ... stand for the `pick`th of those that exist then."""

    delay: float
    words: str
    pick: int
    manifest: str


class Script(NamedTuple):
    """What is played on a new cluster of so many nodes."""

    seed: int
    nodes: int
    acts: list


# -- containers ----------------------------------------------------------------------------------------------------------------
def shell(text):
    return {"image": "busybox", "command": ["sh", "-c", text]}


def teaching(**env):
    return {"image": "demo:ok", "env": [{"name": name, "value": str(value)} for name, value in env.items()]}


BEHAVIOURS = (
    {"image": "demo:ok"}, shell("sleep 2"), shell("sleep 2; exit 1"), {"image": "demo:missing"}, teaching(TERM_DELAY=4), teaching(IGNORE_TERM=1), teaching(READY_AFTER=9),
    teaching(UNHEALTHY_AFTER=20), teaching(EXIT_AFTER=15), teaching(EXIT_AFTER=3, EXIT_CODE=2), teaching(START_DELAY=5), shell("exit 3"), shell("trap 'sleep 3; exit 0' TERM; while true; do sleep 1; done"),
    {**teaching(ALLOC_MB=100), "resources": {"limits": {"memory": "64Mi"}}}, {"image": "busybox", "command": ["/nothing/here"]}, {"image": "Not A Name"},
    {"image": "demo:ok", "envFrom": [{"configMapRef": {"name": "settings"}}]}, {"image": "nginx"}, {"image": "demo:ok", "imagePullPolicy": "Always"}, {"image": "demo:ok", "imagePullPolicy": "Never"})
PROBES = ({"httpGet": {"port": 80, "path": "/ready"}, "periodSeconds": 3}, {"httpGet": {"port": 80, "path": "/healthz"}, "periodSeconds": 4, "failureThreshold": 2},
          {"exec": {"command": ["sh", "-c", "exit 1"]}, "periodSeconds": 5, "failureThreshold": 2}, {"exec": {"command": ["true"]}, "initialDelaySeconds": 2}, {"tcpSocket": {"port": 81}, "periodSeconds": 7})
HANDLERS = ({"exec": {"command": ["sleep", "2"]}}, {"exec": {"command": ["sh", "-c", "exit 1"]}}, {"exec": {"command": ["sleep", "100"]}}, {"sleep": {"seconds": 3}}, {"httpGet": {"port": 80, "path": "/"}},
            {"httpGet": {"port": 99, "path": "/"}})
CONTAINER_EXTRAS = (
    *({kind: probe} for kind in ("readinessProbe", "livenessProbe", "startupProbe") for probe in PROBES),
    *({"lifecycle": {kind: handler}} for kind in ("preStop", "postStart") for handler in HANDLERS),
    *({"resources": {"requests": amounts}} for amounts in ({"cpu": "100m"}, {"cpu": "900m"}, {"cpu": "1500m"}, {"memory": "3Gi"}, {"cpu": "5"})), {"ports": [{"containerPort": 80}]})


def merged(one, other):
    """Two fragments of a manifest in one: lists are joined, resources and hooks are put together, of other things the later one counts."""
    both = dict(one)
    for name, value in other.items():
        known = both.get(name)
        both[name] = known + value if isinstance(known, list) else {**known, **value} if name in ("resources", "lifecycle") and known else value
    return both


@st.composite
def fragments(draw, start, table, most):
    for extra in draw(st.lists(st.sampled_from(table), max_size=most, unique_by=id)):
        start = merged(start, extra)
    return start


@st.composite
def containers(draw, name):
    return {**draw(fragments(draw(st.sampled_from(BEHAVIOURS)), CONTAINER_EXTRAS, 2)), "name": name}


# -- Pods ----------------------------------------------------------------------------------------------------------------------
def init(name, **container):
    return {"initContainers": [{"name": name, **container}]}


ANTI_AFFINITY = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "web"}}}]}}
SPREAD = {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {"matchLabels": {"app": "web"}}}
SPEC_EXTRAS = (
    *({"terminationGracePeriodSeconds": grace} for grace in (0, 1, 5, 60)), init("first", **shell("sleep 1")), init("second", **shell("sleep 3")), init("broken", **shell("sleep 1; exit 1")),
    init("proxy", restartPolicy="Always", **teaching()), init("helper", restartPolicy="Always", **shell("sleep 6; exit 1")), init("absent", image="demo:missing"),
    init("slow", restartPolicy="Always", **teaching(START_DELAY=4), startupProbe=PROBES[1]),
    *({"volumes": [{"name": f"v-{name}", "configMap": {"name": name}}]} for name in ("settings", "other")), {"volumes": [{"name": "v-maybe", "configMap": {"name": "maybe", "optional": True}}]},
    {"volumes": [{"name": "scratch", "emptyDir": {}}]}, {"volumes": [{"name": "v-secret", "secret": {"secretName": "secret"}}]},
    *({"volumes": [{"name": f"v-{name}", "persistentVolumeClaim": {"claimName": name}}]} for name in NAMES), {"priorityClassName": "high"}, {"priorityClassName": "low"},
    {"nodeSelector": {"disk": "fast"}}, {"nodeSelector": {"kubernetes.io/hostname": "n2"}}, {"tolerations": [{"operator": "Exists"}]},
    {"tolerations": [{"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 20}]}, {"hostNetwork": True}, {"shareProcessNamespace": True},
    {"readinessGates": [{"conditionType": "example.com/ready"}]}, {"schedulingGates": [{"name": "example.com/wait"}]}, {"affinity": ANTI_AFFINITY}, {"topologySpreadConstraints": [SPREAD]})
POD_EXTRAS = ({}, {}, {}, {"nodeName": "n1"}, {"activeDeadlineSeconds": 20})          # not for templates: what fails at once would be replaced at once, without end
POLICIES = ("Always", "OnFailure", "Never")
FINALIZERS = ([], [], [], ["example.com/hold"])
REPLICAS = (1, 2, 3, 0, 5)


@st.composite
def pod_specs(draw):
    names = ("app", "side")[:draw(st.sampled_from((1, 1, 1, 2)))]
    return draw(fragments({"containers": [draw(containers(name)) for name in names]}, SPEC_EXTRAS, 3))


def thing(kind, name, api_version="v1", finalizers=(), labels=None, **rest):
    metadata = {"name": name, **({"labels": labels} if labels else {}), **({"finalizers": list(finalizers)} if finalizers else {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **rest}


@st.composite
def pods(draw):
    spec = {**draw(pod_specs()), "restartPolicy": draw(st.sampled_from(POLICIES)), **draw(st.sampled_from(POD_EXTRAS))}
    labels = draw(st.sampled_from((None, {"app": "web"}, {"app": "api"})))
    return thing("Pod", draw(st.sampled_from(PODS)), labels=labels, finalizers=draw(st.sampled_from(FINALIZERS)), spec=spec)


# -- everything else -----------------------------------------------------------------------------------------------------------
def template(app, spec, finalizers=()):
    return {"metadata": {"labels": {"app": app}, **({"finalizers": list(finalizers)} if finalizers else {})}, "spec": spec}


DEPLOYMENT_EXTRAS = ({"strategy": {"type": "Recreate"}}, {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}}, {"minReadySeconds": 5},
                     {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "50%", "maxUnavailable": "50%"}}}, {"progressDeadlineSeconds": 30}, {"revisionHistoryLimit": 1}, {"paused": True})


@st.composite
def deployments(draw):
    app = draw(st.sampled_from(NAMES))
    spec = {"replicas": draw(st.sampled_from(REPLICAS)), "selector": {"matchLabels": {"app": app}}, "template": template(app, draw(pod_specs()))}
    return thing("Deployment", app, "apps/v1", draw(st.sampled_from(FINALIZERS)), spec=draw(fragments(spec, DEPLOYMENT_EXTRAS, 2)))


@st.composite
def replica_sets(draw):
    app = draw(st.sampled_from(NAMES))
    spec = {"replicas": draw(st.sampled_from(REPLICAS)), "selector": {"matchLabels": {"app": app}}, "template": template(app, draw(pod_specs()), draw(st.sampled_from(FINALIZERS)))}
    return thing("ReplicaSet", app, "apps/v1", labels={"app": app}, spec=spec)


def services(name):
    return [thing("Service", name, spec={"selector": {"app": name}, "ports": [{"port": 80}], **extra}) for extra in ({}, {"publishNotReadyAddresses": True}, {"clusterIP": "None"})]


def claim(name, mode):
    return thing("PersistentVolumeClaim", name, spec={"accessModes": [mode], "resources": {"requests": {"storage": "1Gi"}}})


def budget(name, **amount):
    return thing("PodDisruptionBudget", name, "policy/v1", spec={"selector": {"matchLabels": {"app": name}}, **amount})


OTHERS = (
    *(service for name in NAMES for service in services(name)), *(claim(name, mode) for name in NAMES for mode in ("ReadWriteOnce", "ReadWriteMany", "ReadWriteOncePod")),
    *(thing("ConfigMap", name, data={"greeting": "hello"}) for name in ("settings", "other")), thing("Secret", "secret", stringData={"key": "value"}),
    thing("ConfigMap", "settings", finalizers=["example.com/hold"]), budget("web", minAvailable=1), budget("web", maxUnavailable=0), budget("api", minAvailable="50%"),
    thing("ResourceQuota", "few", spec={"hard": {"pods": "4"}}), thing("LimitRange", "limits", spec={"limits": [{"type": "Container", "defaultRequest": {"cpu": "200m"}}]}))
ALWAYS = (thing("PriorityClass", "high", "scheduling.k8s.io/v1", value=1000), thing("PriorityClass", "low", "scheduling.k8s.io/v1", value=-5, preemptionPolicy="Never"))
MANIFESTS = st.one_of(pods(), deployments(), replica_sets(), st.sampled_from(OTHERS))

PATCHES = ('{"metadata":{"finalizers":null}}', '{"metadata":{"finalizers":["example.com/hold"]}}', '{"metadata":{"labels":{"app":"api"}}}', '{"metadata":{"ownerReferences":null}}')
COMMANDS = (
    *(f"kubectl delete pod {{pod}}{options}" for options in ("", " --wait=false", " --grace-period=0 --force", " --now", " --grace-period=2 --wait=false", " --grace-period=90 --wait=false")),
    *(f"kubectl delete {kind}{options}" for kind in ("deployment {deployment}", "replicaset {replicaset}")
      for options in ("", " --cascade=foreground", " --cascade=orphan", " --cascade=foreground --wait=false", " --cascade=background --wait=false")),
    *(f"kubectl delete {what} --wait=false" for what in ("service {service}", "pvc {claim}", "configmap settings", "pods --all", "deployments,services --all", "pdb web", "endpointslices --all", "pv --all")),
    *(f"kubectl scale {kind} --replicas={count}" for kind in ("deployment {deployment}", "replicaset {replicaset}") for count in (0, 1, 4)),
    *(f"kubectl set image {kind} app={image}" for kind in ("deployment/{deployment}", "pod/{pod}") for image in ("demo:next", "demo:missing", "busybox")),
    *(f"kubectl rollout {what} deployment {{deployment}}" for what in ("restart", "undo", "pause", "resume", "status --timeout=30s", "history", "undo --to-revision=1")),
    *(f"kubectl patch {kind} --type=merge -p '{patch}'" for kind in ("pod {pod}", "deployment {deployment}", "replicaset {replicaset}", "configmap settings") for patch in PATCHES),
    "kubectl patch pod {pod} --subresource=status -p '{\"status\":{\"conditions\":[{\"type\":\"example.com/ready\",\"status\":\"True\"}]}}'",
    "kubectl patch pod {pod} --type=merge -p '{\"spec\":{\"schedulingGates\":null}}'", "kubectl patch pod {pod} --type=merge -p '{\"spec\":{\"activeDeadlineSeconds\":5}}'",
    *(f"kubectl label {what}" for what in ("pod {pod} app=web --overwrite", "pod {pod} app-", "node {node} disk=fast --overwrite", "node {node} disk-", "replicaset {replicaset} app=api --overwrite")),
    "kubectl annotate deployment {deployment} note=changed --overwrite", "kubectl cordon {node}", "kubectl uncordon {node}",
    *(f"kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data{options}" for options in ("", " --force", " --force --timeout=40s", " --force --grace-period=0", " --force --disable-eviction")),
    *(f"kubectl taint nodes {{node}} {taint}" for taint in ("kind=special:NoSchedule", "kind=special:NoExecute", "kind=special:PreferNoSchedule", "kind-")),
    "kubectl delete node {node}", "kubectl exec {pod} -- sh -c 'kill 1'", "kubectl exec {pod} -- touch /tmp/there", "kubectl logs {pod}", "kubectl logs {pod} -f", "kubectl get pods -w",
    "kubectl wait pod/{pod} --for=condition=Ready --timeout=20s", "kubectl wait pod/{pod} --for=delete --timeout=60s", "kubectl describe pod {pod}", "kubectl get all -o wide", "kubectl get events",
    "kubectl expose deployment {deployment} --port=80", "kubectl create deployment web --image=demo:ok --replicas=2", "kubectl run a --image=demo:ok", "kubectl create namespace team",
    "kubectl run a --image=demo:ok -n team", "kubectl create deployment web --image=demo:ok -n team", "kubectl delete namespace team --wait=false", "kubectl set resources deployment {deployment} --requests=cpu=700m",
    "kubectl delete pods -l app=web --wait=false", "kubectl delete all --all --wait=false")
COMPONENTS = ("scheduler", "controller-manager", "replicaset", "deployment", "garbage-collector", "endpointslice", "node-lifecycle", "taint-eviction", "persistentvolume-binder", "csi", "kube-proxy")
FAULTS = ("node {node} down", "node {node} up", *(f"component {name} {what}" for name in COMPONENTS for what in ("stop", "start")))


@st.composite
def acts(draw):
    delay = draw(st.sampled_from(DELAYS))
    what = draw(st.sampled_from(("apply", "command", "apply", "command", "fault")))
    if what == "apply":
        return Act(delay, "kubectl apply -f manifest.yaml", 0, json.dumps(draw(MANIFESTS)))
    return Act(delay, draw(st.sampled_from(COMMANDS if what == "command" else FAULTS)), draw(st.integers(0, 5)), "")


@st.composite
def scripts(draw, most=12):
    """Scripts that begin with something to act on."""
    first = [Act(0, "kubectl apply -f manifest.yaml", 0, json.dumps(manifest)) for manifest in draw(st.lists(MANIFESTS, min_size=1, max_size=4))]
    return Script(draw(st.integers(1, 3)), draw(st.integers(1, 3)), [*first, *(draw(acts()) for _ in range(draw(st.integers(0, most))))])
