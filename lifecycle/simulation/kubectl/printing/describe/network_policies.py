"""NetworkPolicies."""
from lifecycle.simulation.label_text import selector_text
from lifecycle.simulation.objects import at

from .page import NONE

INDENT = "    "
# direction -> (rules field, peers field, how peers are announced, where traffic is not restricted)
DIRECTIONS = {"Ingress": ("ingress", "from", "From", "source"), "Egress": ("egress", "to", "To", "destination")}


def network_policy(page, thing):
    meta, spec = thing["metadata"], thing.get("spec", {})
    page.field("Name", meta["name"])
    page.field("Namespace", meta.get("namespace", ""))
    created = meta.get("creationTimestamp", "")
    page.field("Created on", f"{created[:10]} {created[11:19]} +0000 UTC" if created else NONE)
    page.labels("Labels", meta.get("labels"))
    page.annotations(meta.get("annotations"))
    page.line("Spec:")
    selector = selector_text(spec.get("podSelector"))
    everything = f"{NONE} (Allowing the specific traffic to all pods in this namespace)"
    page.line(f"PodSelector: {INDENT}{everything if selector == NONE else selector}", 1)
    types = spec.get("policyTypes") or ()
    for direction, (field, peers, word, end) in DIRECTIONS.items():
        if direction in types:
            page.line(f"Allowing {field} traffic:", 1)
            _rules(page, spec.get(field) or (), field, peers, word, end)
        else:
            page.line(f"Not affecting {field} traffic", 1)
    page.line(f"Policy Types: {', '.join(types) or NONE}", 1)


def _rules(page, rules, field, peers, word, end):
    if not rules:
        page.line(f"{INDENT}{NONE} (Selected pods are isolated for {field} connectivity)")
    for position, rule in enumerate(rules):
        if position:
            page.line(f"{INDENT}----------")
        for port in rule.get("ports") or ():
            last = f" Range: {port.get('port', '')}-{port['endPort']}" if port.get("endPort") else f": {port.get('port', '<nil>')}"
            page.line(f"{INDENT}To Port{last}/{port.get('protocol', 'TCP')}")
        if not rule.get("ports"):
            page.line(f"{INDENT}To Port: <any> (traffic allowed to all ports)")
        for peer in rule.get(peers) or ():
            page.line(f"{INDENT}{word}:")
            _peer(page, peer)
        if not rule.get(peers):
            page.line(f"{INDENT}{word}: <any> (traffic not restricted by {end})")


def _peer(page, peer):
    for label, field in (("NamespaceSelector", "namespaceSelector"), ("PodSelector", "podSelector")):
        if peer.get(field) is not None:
            page.line(f"{INDENT}{label}: {selector_text(peer[field])}", 1)
    block = peer.get("ipBlock")
    if block:
        page.line(f"{INDENT}IPBlock:", 1)
        page.line(f"{INDENT}CIDR: {block.get('cidr', '')}", 2)
        page.line(f"{INDENT}Except: {', '.join(at(block, 'except', default=()))}", 2)


DESCRIBERS = {"networkpolicies.networking.k8s.io": network_policy}
