"""Pod affinity and anti-affinity (plugins/interpodaffinity)."""
from lifecycle.simulation.selectors import matches

from ..rejection import HIGHEST, Rejection
from .selecting import selector_of

NAME = "InterPodAffinity"
LONELY = Rejection(NAME, ("node(s) didn't match pod affinity rules",))
CROWDED = Rejection(NAME, ("node(s) didn't match pod anti-affinity rules",), True)
UNWELCOME = Rejection(NAME, ("node(s) didn't satisfy existing pods anti-affinity rules",), True)
REQUIRED_WEIGHT = 1             # hardPodAffinityWeight: what other Pods' required affinity adds to a score


def namespaces_of(term, namespace, api):
    """The namespaces that a term of a Pod in `namespace` looks at; None for all."""
    selector = term.get("namespaceSelector")
    if selector == {}:
        return None
    names = list(term.get("namespaces") or ())
    if selector is not None:
        names += [one["metadata"]["name"] for one in api.list("namespaces") if matches(selector, one["metadata"].get("labels"))]
    elif not names:
        names = [namespace]
    return tuple(sorted(set(names)))


def selects(term, owner, info, api):
    """Whether a term of a Pod in the namespace `owner` is about a Pod."""
    names = namespaces_of(term, owner, api)
    return (names is None or info.namespace in names) and selector_of(term)(info.labels)


class State:
    """{(topology key, value): number of Pods} for what the Pod wants near and far (one per term) and for those who do not want it (`unwelcome`);
    `alone`: nobody is what it wants near, but it is so itself, so it may be the first."""

    __slots__ = ("alone", "far", "near", "unwelcome", "unwelcome_keys")


def prepare(info, view):
    """Count the Pods that matter, or None if none does."""
    shape, groups = info.shape, view.groups
    if not (shape.affinity or shape.anti_affinity) and not any(group.shape.anti_affinity for group in groups):
        return None
    state = State()
    state.far = [_by_topology(term, _counts(term, info, view), view) for term in shape.anti_affinity]
    state.near = _near(info, view)
    state.alone = not any(state.near) and all(selects(term, info.namespace, info, view.api) for term in shape.affinity)
    state.unwelcome = {}
    for group in groups:
        for term in group.shape.anti_affinity:
            if selects(term, group.namespace, info, view.api):
                _add(state.unwelcome, _by_topology(term, group.counts, view))
    state.unwelcome_keys = tuple(dict.fromkeys(key for key, _ in state.unwelcome))
    return state


def _near(info, view):
    """The Pods that satisfy every required term, per term and topology."""
    terms = info.shape.affinity
    if len(terms) < 2:
        return [_by_topology(term, _counts(term, info, view), view) for term in terms]
    every = {}
    for node in view.nodes:
        number = sum(all(selects(term, info.namespace, other, view.api) for term in terms) for other in node.pods.values())
        if number:
            every[node.name] = number
    return [_by_topology(term, every, view) for term in terms]


def _counts(term, info, view):
    return view.count(namespaces_of(term, info.namespace, view.api), selector_of(term), False)


def _by_topology(term, counts, view):
    key, found = term["topologyKey"], {}
    for name, number in counts.items():
        node = view.node(name)
        value = node.labels.get(key) if node and node.node else None
        if value is not None:
            found[key, value] = found.get((key, value), 0) + number
    return found


def _add(total, more, weight=1):
    for place, number in more.items():
        total[place] = total.get(place, 0) + weight * number


def filter(state, info, node):
    """What the Pod wants near must be in the node's topology, what it wants far must not, and nobody there may want it far."""
    labels = node.labels
    for term, near in zip(info.shape.affinity, state.near, strict=True):
        value = labels.get(term["topologyKey"])
        if value is None or not (near.get((term["topologyKey"], value)) or state.alone):
            return LONELY
    for term, far in zip(info.shape.anti_affinity, state.far, strict=True):
        if far and far.get((term["topologyKey"], labels.get(term["topologyKey"]))):
            return CROWDED
    if state.unwelcome and any((key, labels.get(key)) in state.unwelcome for key in state.unwelcome_keys):
        return UNWELCOME
    return None


def score(info, nodes, view):
    """[0..100] per node, or None if no preference is about this Pod."""
    wanted = _wanted(info, view)
    if not wanted:
        return None
    keys = list(dict.fromkeys(key for key, _ in wanted))
    raw = [sum([wanted.get((key, node.labels.get(key)), 0) for key in keys]) for node in nodes]
    least, most = min(raw), max(raw)
    return [int(HIGHEST * ((value - least) / (most - least))) for value in raw] if most > least else [0] * len(raw)


def _wanted(info, view):
    """{(topology key, value): weight}"""
    shape, wanted = info.shape, {}
    for sign, terms in ((1, shape.preferred_affinity), (-1, shape.preferred_anti_affinity)):
        for one in terms:
            term = one["podAffinityTerm"]
            _add(wanted, _by_topology(term, _counts(term, info, view), view), sign * one["weight"])
    for group in view.groups:
        other = group.shape
        known = [(REQUIRED_WEIGHT, term) for term in other.affinity]
        known += [(one["weight"], one["podAffinityTerm"]) for one in other.preferred_affinity]
        known += [(-one["weight"], one["podAffinityTerm"]) for one in other.preferred_anti_affinity]
        for weight, term in known:
            if selects(term, group.namespace, info, view.api):
                _add(wanted, _by_topology(term, group.counts, view), weight)
    return wanted


def moved(info, old, new, api):
    """Hint: a Pod that the terms are about came or went, or one that did not want this Pod near."""
    shape = info.shape
    for pod in (old, new):
        if pod is None:
            continue
        mine = (*shape.affinity, *shape.anti_affinity)
        if any(selects(term, info.namespace, pod, api) for term in mine) or any(selects(term, pod.namespace, info, api) for term in pod.shape.anti_affinity):
            return True
    return False


def renamed(info, old, new, api):
    """Hint: a node appeared or got other topology labels."""
    keys = [term["topologyKey"] for term in (*info.shape.affinity, *info.shape.anti_affinity)]
    before, after = (((node or {}).get("metadata") or {}).get("labels") or {} for node in (old, new))
    return old is None or any(before.get(key) != after.get(key) for key in keys) or (not keys and before != after)
