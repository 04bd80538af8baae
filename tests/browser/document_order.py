"""The steps of the source documents (explanations/seeds.py says which message shows which) in the order in which a real cluster takes them first.

The documents tell their steps in another order; this one is that of recordings of a real cluster, for a Deployment with a ConfigMap, a claim and a
preStop hook. Each row is some steps, and why they come there.
"""

CREATION = (
    ("C1 C2 C3", "nobody hears of an object before it is stored"),
    ("C4 C5 C21", "its controller is woken by a watch, and compares what there is with what there should be: the first of many times"),
    ("C6 C7", "what is missing is a ReplicaSet, and later its Pods: written through the API server like everything"),
    ("C22 C23", "the Deployment's status says so before there is any Pod"),
    ("C8 C9 C10", "a Pod without a node is the scheduler's: queue, filters, scores"),
    ("C11 C12", "the choice is a write too"),
    ("C20 C13", "by that one write controllers hear of a changed Pod, and the kubelet of a new one"),
    ("C14 C18 C19", "the kubelet admits the Pod and reports it before it has started anything"),
    ("C17 C16 C15", "volumes, then the sandbox with its network, then images and containers: each needs those before"),
)

ON_THE_NODE = (
    ("D9 D10 D11", "the kubelet hears of the mark, and a preStop hook comes before any signal"),
    ("D12 D13", "then SIGTERM; these processes obey, so that no D14 follows"),
    ("D16 D19", "with its containers dead the sandbox goes, and the status says that they ended"),
    ("D17 D15", "volumes and dead containers are cleared away before the last request"),
    ("D18 D20", "only now the kubelet deletes for good"),
)
DELETION = {
    "background": (
        ("D1 D2 D23", "nothing holds the Deployment: it is gone at once"),
        ("D24 D25", "so kubectl has its answer before anything else has happened"),
        ("D6 D7 D8", "the garbage collector finds dependents whose owner is gone, and deletes them one generation after the other"),
        ("D3 D5", "a Pod on a node is only marked"),
        *ON_THE_NODE,
    ),
    "foreground": (
        ("D1 D2 D4 D3 D5", "the Deployment gets a finalizer and a mark in one write, and stays"),
        ("D24 D25", "kubectl says so, and waits for the end"),
        ("D6 D7 D8", "the garbage collector deletes what blocks it"),
        *ON_THE_NODE,
        ("D21 D22 D23", "with the last dependent gone the finalizer is taken away, and with it the owner"),
    ),
    "orphan": (
        ("D1 D2 D4 D3 D5", "the Deployment gets a finalizer and a mark in one write, and stays"),
        ("D24 D25", "kubectl says so, and waits for the end"),
        ("D6 D7 D21", "the garbage collector takes the owner's name out of its dependents"),
        ("D22 D23", "then the finalizer, and with it the Deployment; nothing reaches a node"),
    ),
}


def steps(rows):
    """["C1", "C2", ...]"""
    return [step for names, _ in rows for step in names.split()]
