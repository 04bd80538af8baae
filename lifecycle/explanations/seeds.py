"""Which steps of the two source documents a message shows: C1-C23 (creation) and D1-D25 (deletion), numbered as in the documents.

A message shows a step where a real cluster does what the step is about, which is not always where the document has it. The rules are a table:
steps, source, target, pattern of the reason, and a condition on the message.
"""
from fnmatch import fnmatchcase
from functools import lru_cache

from .texts import identity

WORKLOADS = ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "CronJob", "ReplicationController")
CREATING = ("create", "apply", "run", "expose", "replace")


def kind(step):
    key = step.object[0] if isinstance(step.object, list) and step.object else step.object
    return identity(key)[0] if isinstance(key, str) else ""


def command_is(*words):
    return lambda step: step.facts.get("command", "").removeprefix("kubectl ").split(" ")[0] in words


def for_request(*patterns):
    """Storage on behalf of a request of that reason."""
    return lambda step: any(fnmatchcase(step.facts.get("for", ""), pattern) for pattern in patterns)


def by(actor, *patterns):
    return lambda step: step.facts.get("by") == actor and for_request(*patterns)(step)


def of_kind(*kinds):
    return lambda step: kind(step) in kinds


def fact(name, *values):
    return lambda step: step.facts.get(name) in values if values else bool(step.facts.get(name))


def both(*conditions):
    return lambda step: all(condition(step) for condition in conditions)


def opposite(condition):
    return lambda step: not condition(step)


def refused(step):
    return step.facts.get("code", 200) >= 300


always = lambda step: True            # noqa: E731
KINDS = ("Pod", *WORKLOADS)

# (steps, source, target, pattern of the reason, condition)
RULES = (
    (("C1",), "user", "kubectl", "RunCommand", command_is(*CREATING)),
    (("C2",), "kubectl", "apiserver", "Create*", opposite(refused)),
    (("C2",), "kubectl", "apiserver", "Apply*", opposite(refused)),
    (("C3",), "apiserver", "etcd", "EtcdCreate", by("kubectl", "Create*", "Apply*")),
    (("C4", "C5"), "apiserver", "controller-manager", "WatchAdded", of_kind(*WORKLOADS)),
    (("C6",), "controller-manager", "apiserver", "CreateReplicaSet", opposite(refused)),
    (("C6",), "controller-manager", "apiserver", "CreatePod", opposite(refused)),
    (("C7",), "apiserver", "etcd", "EtcdCreate", by("controller-manager", "CreateReplicaSet", "CreatePod")),
    (("C8",), "apiserver", "scheduler", "WatchAdded", of_kind("Pod")),
    (("C9",), "scheduler", "scheduler", "TakePod", always),
    (("C10",), "scheduler", "scheduler", "FilterNodes", always),
    (("C10",), "scheduler", "scheduler", "ScoreNodes", always),
    (("C10",), "scheduler", "scheduler", "ReserveNode", always),
    (("C11",), "scheduler", "apiserver", "CreatePodBinding", opposite(refused)),
    (("C12",), "apiserver", "etcd", "EtcdUpdate", for_request("CreatePodBinding")),
    (("C13",), "apiserver", "kubelet", "WatchAdded", of_kind("Pod")),
    (("C14",), "kubelet", "kubelet", "AdmitPod", always),
    (("C14",), "kubelet", "apiserver", "CreateServiceAccountToken", always),
    (("C14",), "kubelet", "apiserver", "Get*", always),
    (("C15",), "kubelet", "cri", "ImageStatus", always),
    (("C15",), "kubelet", "cri", "PullImage", always),
    (("C15",), "kubelet", "cri", "CreateContainer", always),
    (("C15",), "kubelet", "cri", "StartContainer", always),
    (("C16",), "kubelet", "cri", "RunPodSandbox", always),
    (("C16",), "cri", "cni", "CNIAdd", always),
    (("C17",), "kubelet", "kubelet", "MountVolume", always),
    (("C17",), "kubelet", "csi", "NodeStageVolume", always),
    (("C17",), "kubelet", "csi", "NodePublishVolume", always),
    (("C18",), "kubelet", "apiserver", "PatchPodStatus", both(opposite(fact("deleting")), opposite(refused))),
    (("C19",), "apiserver", "etcd", "EtcdUpdate", by("kubelet", "PatchPodStatus")),
    (("C20",), "apiserver", "controller-manager", "WatchModified", of_kind("Pod")),
    (("C21",), "controller-manager", "controller-manager", "Reconcile*", always),
    (("C22",), "controller-manager", "apiserver", "Update*Status", of_kind(*WORKLOADS)),
    (("C23",), "apiserver", "etcd", "EtcdUpdate", both(by("controller-manager", "Update*Status"), of_kind(*WORKLOADS))),
    (("D1",), "user", "kubectl", "RunCommand", command_is("delete")),
    (("D2",), "kubectl", "apiserver", "Delete*", opposite(refused)),
    (("D3",), "apiserver", "apiserver", "SetDeletionTimestamp", always),
    (("D4",), "apiserver", "apiserver", "SetFinalizers", always),
    (("D5",), "apiserver", "etcd", "EtcdUpdate", for_request("Delete*")),
    (("D6",), "apiserver", "controller-manager", "WatchDeleted", fact("controller", "garbage-collector")),
    (("D6",), "apiserver", "controller-manager", "WatchModified", both(fact("controller", "garbage-collector"), of_kind(*KINDS))),
    (("D7",), "controller-manager", "controller-manager", "CheckOwner", always),
    (("D8",), "controller-manager", "apiserver", "Delete*", both(fact("controller", "garbage-collector"), of_kind(*KINDS))),
    (("D9",), "apiserver", "kubelet", "WatchModified", of_kind("Pod")),
    (("D10",), "kubelet", "kubelet", "TerminatePod", always),
    (("D11",), "kubelet", "*", "RunPreStopHook", always),
    (("D12",), "kubelet", "cri", "StopContainer", always),
    (("D12", "D13"), "cri", "cri", "SendSIGTERM", always),
    (("D14",), "cri", "cri", "SendSIGKILL", always),
    (("D15",), "kubelet", "cri", "RemoveContainer", always),
    (("D16",), "kubelet", "cri", "StopPodSandbox", always),
    (("D16",), "cri", "cni", "CNIDel", always),
    (("D17",), "kubelet", "kubelet", "UnmountVolume", always),
    (("D17",), "kubelet", "csi", "NodeUnpublishVolume", always),
    (("D17",), "kubelet", "csi", "NodeUnstageVolume", always),
    (("D18",), "kubelet", "apiserver", "DeletePod", always),
    (("D18",), "controller-manager", "apiserver", "UpdatePersistentVolumeClaim", both(fact("controller", "pvc-protection"), opposite(refused))),
    (("D19",), "kubelet", "apiserver", "PatchPodStatus", fact("deleting")),
    (("D20",), "apiserver", "etcd", "EtcdDelete", of_kind("Pod")),
    (("D21",), "controller-manager", "controller-manager", "CheckDependents", always),
    (("D22",), "controller-manager", "apiserver", "Patch*", both(fact("controller", "garbage-collector"), fact("finalizer"))),
    (("D23",), "apiserver", "etcd", "EtcdDelete", of_kind(*WORKLOADS)),
    (("D24",), "apiserver", "kubectl", "Respond", fact("verb", "delete")),
    (("D25",), "kubectl", "user", "PrintOutput", command_is("delete")),
)


def seed_steps(step):
    """The steps that a message shows, such as ["C19"]; [] for most messages."""
    return [seed for steps, condition in candidates(step.source, step.target, step.reason) if condition(step) for seed in steps]


@lru_cache(4096)
def candidates(source, target, reason):
    return [(steps, condition) for steps, rule_source, rule_target, pattern, condition in RULES
            if rule_source == source and rule_target in ("*", target) and fnmatchcase(reason, pattern)]
