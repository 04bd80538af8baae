"""The rules of roles as kubectl lists them: one for each thing, with all that may be done to it (kubectl/pkg/util/rbac, component-helpers/auth/rbac)."""
from .go_values import go_text


def rule_rows(rules):
    """[(resource, URLs, names, verbs)] as texts, in kubectl's order; `rules` are those of a Role or of a review's answer."""
    together, apart = {}, []                            # only rules about resources are put together
    for rule in rules:
        for subject in _subjects(rule):
            together.setdefault(subject, []).extend(rule.get("verbs") or ())
        apart += [(list(rule.get("verbs") or ()), "", "", url, "") for url in rule.get("nonResourceURLs") or ()]
    apart += [(list(dict.fromkeys(verbs)), group, resource, "", name) for (group, resource, name), verbs in together.items()]
    return [_row(*rule) for rule in sorted(apart, key=_as_go_text)]


def _subjects(rule):
    """(group, resource, name) for every resource that a rule is about; the name is "" for all of it."""
    for group in rule.get("apiGroups") or [""] * bool(rule.get("resources")):
        for resource in rule.get("resources") or ():
            for name in rule.get("resourceNames") or ("",):
                yield group, resource, name


def _as_go_text(rule):
    """Rules stand in the order of their texts, brackets included: verbs count first, and "pods/log" comes before "pods"."""
    verbs, group, resource, url, name = rule
    return f"[{' '.join(verbs)}],[{group}],[{resource}],[{name}],[{url}],"


def _row(verbs, group, resource, url, name):
    plural, slash, rest = resource.partition("/")
    return f"{plural}{'.' + group if group else ''}{slash}{rest}", *(go_text([each] if each else []) for each in (url, name)), go_text(verbs)
