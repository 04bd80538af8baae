"""What several tables print the same way. Every function returns the text of one cell."""
from ....durations import age
from ....objects import at


def created(thing, clock):
    """The AGE column."""
    return age(thing["metadata"].get("creationTimestamp"), clock)


def name_and_age(thing, clock):
    """The cells of a resource about which nothing else is printed."""
    return [thing["metadata"]["name"], created(thing, clock)]


def containers(template):
    """Names and images of a pod template's containers: two cells."""
    found = at(template, "spec", "containers", default=())
    return [",".join([container["name"] for container in found]), ",".join([container.get("image", "") for container in found])]


def pairs(mapping):
    """labels.FormatLabels: "a=b,c=d" in order of keys, "<none>" for nothing."""
    return ",".join([f"{key}={mapping[key]}" for key in sorted(mapping)]) if mapping else "<none>"


def requirements(selector):
    """The requirements of a LabelSelector as text, in order of keys: ["a=b", "c in (d,e)", "!f"]."""
    found = [(key, f"{key}={value}") for key, value in ((selector or {}).get("matchLabels") or {}).items()]
    for expression in (selector or {}).get("matchExpressions") or ():
        key, operator, values = expression["key"], expression["operator"], ",".join(sorted(expression.get("values") or ()))
        found.append((key, {"In": f"{key} in ({values})", "NotIn": f"{key} notin ({values})", "Exists": key, "DoesNotExist": f"!{key}"}[operator]))
    return [text for _, text in sorted(found)]


def selector_text(selector):
    """metav1.FormatLabelSelector: "<none>" for an empty selector."""
    return ",".join(requirements(selector)) or "<none>"


def first_few(texts, count, limit=3, separator=","):
    """`texts` has at most `limit` of `count` entries: "a,b,c + 2 more..."."""
    text = separator.join(texts[:limit])
    return f"{text} + {count - limit} more..." if count > limit else text


def integer(thing, *path):
    """A number at a path, 0 if it is not there."""
    return at(thing, *path, default=0)
