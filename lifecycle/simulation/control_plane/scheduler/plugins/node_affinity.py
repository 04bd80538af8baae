"""nodeSelector and node affinity (plugins/nodeaffinity)."""
from lifecycle.simulation.selectors import match_node_selector_terms

from ..rejection import Rejection

NAME = "NodeAffinity"
REJECTED = Rejection(NAME, ("node(s) didn't match Pod's node affinity/selector",))
ELSEWHERE = Rejection(NAME, ("node(s) didn't satisfy plugin(s) [NodeAffinity]",))


def matches(shape, node):
    """Whether a Node object is one that the Pod asks for."""
    if shape.node_selector:
        labels = node["metadata"].get("labels") or {}
        if any(labels.get(key) != value for key, value in shape.node_selector.items()):
            return False
    return shape.node_terms is None or match_node_selector_terms(shape.node_terms, node)


def filter(shape, node):
    """The node must have the labels that the Pod asks for."""
    return None if matches(shape, node.node) else REJECTED


def only_nodes(shape):
    """The names of the only nodes worth looking at, if every required term names some (as a DaemonSet's Pods do), else None."""
    names = set()
    for term in shape.node_terms or [{}]:
        chosen = [one["values"] for one in term.get("matchFields") or () if one["key"] == "metadata.name" and one["operator"] == "In"]
        if not chosen:
            return None
        names |= set(chosen[0]).intersection(*chosen[1:])
    return names


def score(shape, node):
    """The sum of the weights of the preferred terms that the node satisfies."""
    return sum(term["weight"] for term in shape.preferred_nodes
               if term.get("weight") and (not any(term["preference"].values()) or match_node_selector_terms(terms_of(term), node.node)))


_terms = {}                     # id(preference) -> (preference, [preference]): the same list each time, as selectors are remembered by identity


def terms_of(term):
    """A preferred term's selector as a list of one."""
    preference = term["preference"]
    known = _terms.get(id(preference))
    if known is None:
        if len(_terms) > 1024:
            _terms.clear()
        known = _terms[id(preference)] = (preference, [preference])
    return known[1]


def relabelled(info, old, new, api):
    """Hint: a node matches that did not match before."""
    return matches(info.shape, new) and (old is None or not matches(info.shape, old))
