"""Random manifests for hypothesis: everything is a table, what is small and simple stands first, so that what is found can be made small."""
from hypothesis import strategies as st

NAMES = ("web", "api")                    # of workloads, Services and claims, which so meet each other
PODS = ("a", "b", "c")
POLICIES = ("Always", "OnFailure", "Never")
FINALIZERS = ([], [], [], ["example.com/hold"])
REPLICAS = (1, 2, 3, 0, 5)


def merged(one, other):
    """Two fragments of a manifest in one: lists are joined, resources and hooks are put together, of other things the later one counts."""
    both = dict(one)
    for name, value in other.items():
        known = both.get(name)
        both[name] = known + value if isinstance(known, list) else {**known, **value} if name in ("resources", "lifecycle") and known else value
    return both


@st.composite
def fragments(draw, start, table, most):
    """`start` with a few entries of a table merged in."""
    for extra in draw(st.lists(st.sampled_from(table), max_size=most, unique_by=id)):
        start = merged(start, extra)
    return start


# -- containers ----------------------------------------------------------------------------------------------------------------
def shell(text):
    return {"image": "busybox", "command": ["sh", "-c", text]}


def teaching(**env):
    return {"image": "demo:ok", "env": [{"name": name, "value": str(value)} for name, value in env.items()]}


def config_map(name):
    return {"image": "demo:ok", "envFrom": [{"configMapRef": {"name": name}}]}


BEHAVIOURS = (
    {"image": "demo:ok"}, shell("sleep 2"), shell("sleep 2; exit 1"), {"image": "demo:missing"}, teaching(TERM_DELAY=4), teaching(IGNORE_TERM=1),
    teaching(READY_AFTER=9), teaching(UNHEALTHY_AFTER=20), teaching(EXIT_AFTER=15), teaching(EXIT_AFTER=3, EXIT_CODE=2), teaching(START_DELAY=5),
    shell("exit 3"), shell("trap 'sleep 3; exit 0' TERM; while true; do sleep 1; done"), shell("until wget -q -O- http://web; do sleep 2; done; sleep 5"),
    {**teaching(ALLOC_MB=100), "resources": {"limits": {"memory": "64Mi"}}}, {"image": "busybox", "command": ["/nothing/here"]}, {"image": "Not A Name"},
    config_map("settings"), {"image": "nginx"}, {"image": "demo:ok", "imagePullPolicy": "Always"}, {"image": "demo:ok", "imagePullPolicy": "Never"})
PROBES = (
    {"httpGet": {"port": 80, "path": "/ready"}, "periodSeconds": 3}, {"httpGet": {"port": 80, "path": "/healthz"}, "periodSeconds": 4, "failureThreshold": 2},
    {"exec": {"command": ["sh", "-c", "exit 1"]}, "periodSeconds": 5, "failureThreshold": 2}, {"exec": {"command": ["true"]}, "initialDelaySeconds": 2},
    {"exec": {"command": ["test", "-f", "/tmp/there"]}, "periodSeconds": 2}, {"tcpSocket": {"port": 81}, "periodSeconds": 7})
HANDLERS = (
    {"exec": {"command": ["sleep", "2"]}}, {"exec": {"command": ["sh", "-c", "exit 1"]}}, {"exec": {"command": ["sleep", "100"]}}, {"sleep": {"seconds": 3}},
    {"httpGet": {"port": 80, "path": "/"}}, {"httpGet": {"port": 99, "path": "/"}})
REQUESTS = ({"cpu": "100m"}, {"cpu": "900m"}, {"cpu": "1500m"}, {"memory": "3Gi"}, {"cpu": "5"})
CONTAINER_EXTRAS = (
    *({kind: probe} for kind in ("readinessProbe", "livenessProbe", "startupProbe") for probe in PROBES),
    *({"lifecycle": {kind: handler}} for kind in ("preStop", "postStart") for handler in HANDLERS),
    *({"resources": {"requests": amounts}} for amounts in REQUESTS), {"ports": [{"containerPort": 80}]})


@st.composite
def containers(draw, name):
    return {**draw(fragments(draw(st.sampled_from(BEHAVIOURS)), CONTAINER_EXTRAS, 2)), "name": name}


# -- Pods ----------------------------------------------------------------------------------------------------------------------
def init(name, **container):
    return {"initContainers": [{"name": name, **container}]}


def volume(name, **source):
    return {"volumes": [{"name": name, **source}]}


WEB = {"matchLabels": {"app": "web"}}
HOSTNAME = {"topologyKey": "kubernetes.io/hostname", "labelSelector": WEB}
SPEC_EXTRAS = (
    *({"terminationGracePeriodSeconds": grace} for grace in (0, 1, 5, 60)), init("first", **shell("sleep 1")), init("second", **shell("sleep 3")),
    init("broken", **shell("sleep 1; exit 1")), init("proxy", restartPolicy="Always", **teaching()),
    init("helper", restartPolicy="Always", **shell("sleep 6; exit 1")), init("absent", image="demo:missing"),
    init("slow", restartPolicy="Always", **teaching(START_DELAY=4), startupProbe=PROBES[1]),
    *(volume(f"v-{name}", configMap={"name": name}) for name in ("settings", "other")), volume("v-maybe", configMap={"name": "maybe", "optional": True}),
    volume("scratch", emptyDir={}), volume("v-secret", secret={"secretName": "secret"}),
    *(volume(f"v-{name}", persistentVolumeClaim={"claimName": name}) for name in NAMES),
    volume("own", ephemeral={"volumeClaimTemplate": {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}}),
    {"priorityClassName": "high"}, {"priorityClassName": "low"}, {"nodeSelector": {"disk": "fast"}}, {"nodeSelector": {"kubernetes.io/hostname": "n2"}},
    {"tolerations": [{"operator": "Exists"}]},
    {"tolerations": [{"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 20}]},
    {"hostNetwork": True}, {"shareProcessNamespace": True},
    {"readinessGates": [{"conditionType": "example.com/ready"}]}, {"schedulingGates": [{"name": "example.com/wait"}]},
    {"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [HOSTNAME]}}},
    {"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [HOSTNAME]}}},
    {"topologySpreadConstraints": [{**HOSTNAME, "maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule"}]})
# Not for templates: what fails at once would be replaced at once, without end.
POD_EXTRAS = ({}, {}, {}, {"nodeName": "n1"}, {"activeDeadlineSeconds": 20})


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


# -- workloads -----------------------------------------------------------------------------------------------------------------
ROLLING = {"maxSurge": 0, "maxUnavailable": 1}, {"maxSurge": "50%", "maxUnavailable": "50%"}
CLAIM = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
DEPLOYMENT = (
    {"strategy": {"type": "Recreate"}}, *({"strategy": {"type": "RollingUpdate", "rollingUpdate": rolling}} for rolling in ROLLING), {"minReadySeconds": 5},
    {"progressDeadlineSeconds": 30}, {"revisionHistoryLimit": 1}, {"paused": True})
STATEFUL_SET = (
    {"podManagementPolicy": "Parallel"}, {"updateStrategy": {"type": "OnDelete"}},
    {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 1}}},
    {"minReadySeconds": 5}, {"volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": CLAIM}]},
    {"persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Delete", "whenScaled": "Delete"}})
DAEMON_SET = (
    {"updateStrategy": {"type": "OnDelete"}}, {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}},
    {"minReadySeconds": 5})
JOB = (
    {"completions": 3}, {"parallelism": 2}, {"backoffLimit": 1}, {"activeDeadlineSeconds": 30}, {"ttlSecondsAfterFinished": 20}, {"suspend": True},
    {"completions": 2, "completionMode": "Indexed"}, {"podReplacementPolicy": "Failed"})
CRON_JOB = ({"concurrencyPolicy": "Forbid"}, {"concurrencyPolicy": "Replace"}, {"successfulJobsHistoryLimit": 1}, {"suspend": True})


def template(app, spec, finalizers=(), **more):
    return {"metadata": {"labels": {"app": app}, **({"finalizers": list(finalizers)} if finalizers else {})}, "spec": {**spec, **more}}


@st.composite
def workloads(draw, kind, table, **start):
    """A Deployment, ReplicaSet, StatefulSet or DaemonSet; `start` begins its spec."""
    app = draw(st.sampled_from(NAMES))
    spec = {**start, "selector": {"matchLabels": {"app": app}}, "template": template(app, draw(pod_specs()), draw(st.sampled_from(FINALIZERS)))}
    if kind != "DaemonSet":
        spec["replicas"] = draw(st.sampled_from(REPLICAS))
    return thing(kind, app, "apps/v1", draw(st.sampled_from(FINALIZERS)), {"app": app}, spec=draw(fragments(spec, table, 2)))


@st.composite
def job_specs(draw, app):
    spec = {"template": template(app, draw(pod_specs()), restartPolicy=draw(st.sampled_from(("Never", "OnFailure"))))}
    return draw(fragments(spec, JOB, 2))


@st.composite
def jobs(draw):
    app = draw(st.sampled_from(NAMES))
    spec = draw(job_specs(app))
    if draw(st.booleans()):
        return thing("Job", app, "batch/v1", spec=spec)
    return thing("CronJob", app, "batch/v1", spec=draw(fragments({"schedule": "* * * * *", "jobTemplate": {"spec": spec}}, CRON_JOB, 1)))


# -- everything else -----------------------------------------------------------------------------------------------------------
def services(name):
    spec = {"selector": {"app": name}, "ports": [{"port": 80}]}
    return [thing("Service", name, spec={**spec, **extra}) for extra in ({}, {"publishNotReadyAddresses": True}, {"clusterIP": "None"})]


def claim(name, mode, **more):
    return thing("PersistentVolumeClaim", name, spec={**CLAIM, "accessModes": [mode], **more})


def budget(name, **amount):
    return thing("PodDisruptionBudget", name, "policy/v1", spec={"selector": {"matchLabels": {"app": name}}, **amount})


ANYTHING = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
VOLUME = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "", "hostPath": {"path": "/data"}}
OTHERS = (
    *(service for name in NAMES for service in services(name)),
    *(claim(name, mode) for name in NAMES for mode in ("ReadWriteOnce", "ReadWriteMany", "ReadWriteOncePod")),
    claim("web", "ReadWriteOnce", storageClassName=""), claim("api", "ReadWriteOnce", storageClassName="now"),
    *(thing("PersistentVolume", "disk", spec={**VOLUME, "persistentVolumeReclaimPolicy": policy}) for policy in ("Retain", "Delete")),
    *(thing("ConfigMap", name, data={"greeting": "hello"}) for name in ("settings", "other")), thing("Secret", "secret", stringData={"key": "value"}),
    thing("ConfigMap", "settings", finalizers=["example.com/hold"]),
    budget("web", minAvailable=1), budget("web", maxUnavailable=0), budget("api", minAvailable="50%"),
    thing("ResourceQuota", "few", spec={"hard": {"pods": "4"}}),
    thing("LimitRange", "limits", spec={"limits": [{"type": "Container", "defaultRequest": {"cpu": "200m"}}]}),
    thing("ReplicationController", "old", spec={"replicas": 2, "template": template("web", {"containers": [{"name": "app", "image": "demo:ok"}]})}),
    thing("HorizontalPodAutoscaler", "web", "autoscaling/v2", spec={
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "maxReplicas": 4,
        "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}}]}),
    thing("Ingress", "web", "networking.k8s.io/v1", spec={"defaultBackend": {"service": {"name": "web", "port": {"number": 80}}}}),
    thing("NetworkPolicy", "closed", "networking.k8s.io/v1", spec={"podSelector": {}, "policyTypes": ["Ingress"]}),
    thing("ServiceAccount", "robot"), thing("Service", "outside", spec={"ports": [{"port": 80}]}),
    *(thing("Endpoints", name, subsets=[{"addresses": [{"ip": "192.0.2.7"}], "ports": [{"port": 80}]}]) for name in ("outside", "web")),
    thing("CustomResourceDefinition", "crontabs.example.com", "apiextensions.k8s.io/v1", spec={
        "group": "example.com", "scope": "Namespaced", "names": {"plural": "crontabs", "kind": "CronTab"},
        "versions": [{"name": "v1", "served": True, "storage": True, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": ANYTHING}}]}),
    *(thing("CronTab", "mine", "example.com/v1", finalizers, spec={"size": size}) for finalizers, size in (((), 1), (("example.com/hold",), 2))))
ALWAYS = (
    thing("PriorityClass", "high", "scheduling.k8s.io/v1", value=1000),
    thing("PriorityClass", "low", "scheduling.k8s.io/v1", value=-5, preemptionPolicy="Never"),
    thing("StorageClass", "now", "storage.k8s.io/v1", provisioner="csi.lifecycle.example", volumeBindingMode="Immediate"))
MANIFESTS = st.one_of(pods(), workloads("Deployment", DEPLOYMENT), st.sampled_from(OTHERS), workloads("ReplicaSet", ({"minReadySeconds": 5},)),
                      workloads("StatefulSet", STATEFUL_SET, serviceName="web"), workloads("DaemonSet", DAEMON_SET), jobs())
