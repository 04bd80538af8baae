"""DaemonSets: the generation of their template, which v1 keeps in an annotation (pkg/registry/apps/daemonset/strategy.go)."""
from ....objects import at, replaced

GENERATION = "deprecated.daemonset.template.generation"


def creating(call, daemon_set):
    return _numbered(daemon_set, 1)


def updating(call, new, old):
    """Another template counts up; whatever the client said about the generation is not heard."""
    before = int(at(old, "metadata", "annotations", GENERATION, default="1"))
    return _numbered(new, before + (new["spec"]["template"] != old["spec"]["template"]))


def _numbered(daemon_set, generation):
    return replaced(daemon_set, str(generation), "metadata", "annotations", GENERATION)
