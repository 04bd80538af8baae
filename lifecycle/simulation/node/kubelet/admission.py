"""Whether a node takes a Pod that was bound to it (pkg/kubelet/lifecycle/predicate.go)."""


def admit(worker):
    """Decide once; a rejected Pod is Failed at once."""
