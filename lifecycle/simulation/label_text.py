"""Labels and label selectors as Kubernetes prints them (apimachinery: labels.FormatLabels, metav1.FormatLabelSelector)."""


def pairs(mapping):
    """"a=b,c=d" in order of keys, "<none>" for nothing."""
    return ",".join([f"{key}={mapping[key]}" for key in sorted(mapping)]) if mapping else "<none>"


def requirements(selector):
    """The requirements of a LabelSelector as text, in order of keys: ["a=b", "c in (d,e)", "!f"]."""
    found = [(key, f"{key}={value}") for key, value in ((selector or {}).get("matchLabels") or {}).items()]
    for expression in (selector or {}).get("matchExpressions") or ():
        key, operator, values = expression["key"], expression["operator"], ",".join(sorted(expression.get("values") or ()))
        found.append((key, {"In": f"{key} in ({values})", "NotIn": f"{key} notin ({values})", "Exists": key, "DoesNotExist": f"!{key}"}[operator]))
    return [text for _, text in sorted(found)]


def selector_text(selector):
    """A LabelSelector as the API reads it back: "a=b,c in (d,e)"; "<none>" for an empty one."""
    return ",".join(requirements(selector)) or "<none>"
