"""The sentence that says why a Pod has no node (pkg/scheduler/framework/types.go FitError)."""

NO_NODES = "no nodes available to schedule pods"
LONGEST = 1024                 # of an Event's message


def sentence(nodes, diagnosis, after=""):
    """`0/3 nodes are available: ...`; `after` is what the PostFilter plugins had to say."""
    if not nodes:
        return NO_NODES
    reasons = diagnosis.whole.reasons[0] if diagnosis.whole else histogram(diagnosis.nodes.values())
    text = f"0/{nodes} nodes are available: {reasons}."
    return f"{text} {after}" if after else text


def histogram(rejections):
    """`2 Insufficient cpu, 1 node(s) were unschedulable`, sorted as texts."""
    counts = {}
    for rejection in rejections:
        for reason in rejection.reasons:
            counts[reason] = counts.get(reason, 0) + 1
    return ", ".join(sorted(f"{count} {reason}" for reason, count in counts.items()))


def shortened(text):
    """A text as it fits into an Event."""
    return text if len(text) <= LONGEST else text[:LONGEST - 4] + " ..."
