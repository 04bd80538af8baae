"""Which kinds there are and by which names they can be asked for (client-go's RESTMapper with kubectl's short names)."""
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.resources import registry


class Discovery:
    """Finds Resources by what people type. `custom` are those that CustomResourceDefinitions add."""

    def __init__(self, custom=()):
        self.custom = tuple(custom)
        self.resources = [*registry().values(), *self.custom]

    def find(self, typed):
        """The Resource of "pods", "po", "Pod", "deployments.apps", "deployments.v1.apps". Raises CommandError if there is none."""
        word, _, rest = typed.lower().partition(".")
        version, _, group_after = rest.partition(".")
        for group, wanted in ((rest, ""), (group_after, version)):
            found = self._first(word, group, wanted, bool(rest))
            if found:
                return found
        raise CommandError(f'the server doesn\'t have a resource type "{word}"')

    def _first(self, word, group, version, strict):
        if strict and not group and not version:
            return None
        rows = [row for row in self.resources if not version or row.version == version]
        if strict:
            rows = [row for row in rows if row.group == group or (not version and row.group.startswith(group))]
        for names in (lambda row: (row.plural, row.singular or row.kind.lower(), row.kind.lower()), lambda row: row.short_names):
            for row in rows:
                if word in names(row):
                    return row
        return None

    def of_kind(self, api_version, kind):
        """The Resource of an object's apiVersion and kind, or None."""
        for row in self.resources:
            if row.kind == kind and row.api_version == api_version:
                return row
        return None

    def category(self, name):
        """The listable Resources of a category such as "all", or []."""
        return [row for row in self.resources if name in row.categories and "list" in row.verbs]


def typed_name(resource):
    """"deployment.apps", "pod": how kubectl names a kind in front of a slash or a quoted name."""
    return f"{resource.kind.lower()}.{resource.group}" if resource.group else resource.kind.lower()
