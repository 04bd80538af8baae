"""Links between the pages of the panel, and from there to the live pages."""
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode

from ..models import Node, Pod, Resource
from ..simulation.objects import at

MOST_DEPENDENTS = 2_000        # objects of a cluster that are asked for their owner
# Where manifests name another object: {"kind", "name", "namespace" unless it is their own}.
REFERENCES = (("involvedObject",), ("regarding",), ("spec", "claimRef"), ("spec", "scaleTargetRef"), ("roleRef",))


def link(row, text=None):
    """A link to a row's page."""
    return format_html('<a href="{}">{}</a>', page_of(row), text or row)


def page_of(row):
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def list_of(model, **filters):
    """The URL of a list, filtered."""
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    return f"{address}?{urlencode(filters)}" if filters else address


def live_link(cluster, text):
    return format_html('<a href="{}">{}</a>', cluster.get_absolute_url(), text)


def listed(rows):
    """A list of links, or a dash."""
    rows = list(rows)
    return format_html("<ul>{}</ul>", format_html_join("", "<li>{}</li>", ((link(row, titled(row)),) for row in rows))) if rows else "-"


def titled(row):
    """"ReplicaSet default/web-5d"."""
    kind = row.kind if isinstance(row, Resource) else row._meta.object_name
    return f"{kind} {row}"


# -- what belongs together -------------------------------------------------------------------------------------------------
def found(cluster, kind, namespace, name):
    """The rows with that name in the namespace, or outside all namespaces."""
    model = {"Node": Node, "Pod": Pod}.get(kind, Resource)
    rows = model.objects.filter(cluster=cluster, name=name, namespace__in=("", namespace or "")).defer("manifest")
    return list(rows.filter(kind=kind) if model is Resource else rows)


def owners(row):
    """The rows of an object's owners."""
    named = at(row.manifest, "metadata", "ownerReferences", default=())
    return [owner for each in named for owner in found(row.cluster_id, each["kind"], row.namespace, each["name"]) if owner.uid == each["uid"]]


def dependents(row):
    """The rows of the objects that name this one as their owner, as far as they are among the first MOST_DEPENDENTS of its namespace."""
    return [each for each in neighbours(row) if any(owner["uid"] == row.uid for owner in at(each.manifest, "metadata", "ownerReferences", default=()))]


def neighbours(row):
    """The objects that may depend on one: those of its namespace, or all."""
    for model in (Resource, Pod):
        rows = model.objects.filter(cluster=row.cluster_id).order_by("key")
        if model is Resource:
            rows = rows.exclude(kind="Event")
        yield from (rows.filter(namespace=row.namespace) if row.namespace else rows)[:MOST_DEPENDENTS]


def referred(row):
    """The rows of what a manifest names: its namespace, its node, and the references of the table."""
    places = [("Namespace", "", row.namespace)] if row.namespace else []
    if isinstance(row, Pod) and row.node:
        places.append(("Node", "", row.node))
    for path in REFERENCES:
        if named := at(row.manifest, *path):
            places.append((named.get("kind"), named.get("namespace") or row.namespace, named.get("name")))
    return [each for place in places for each in found(row.cluster_id, *place)]


def events(row):
    """The manifests of the Events about an object, in the order of their last time."""
    rows = Resource.objects.filter(cluster=row.cluster_id, kind="Event", name__startswith=f"{row.name}.").values_list("manifest", flat=True)
    about = [event for event in rows if at(event, "involvedObject", "name") == row.name and at(event, "involvedObject", "kind") == kind_of(row)]
    return sorted(about, key=lambda event: event.get("lastTimestamp") or at(event, "metadata", "creationTimestamp") or "")


def kind_of(row):
    return row.kind if isinstance(row, Resource) else row._meta.object_name
