"""Where the console, which prints what kubectl 1.36.4 prints, may differ from the real kubectl 1.37.1 outside: rules and commands, each with its reason."""
import re
from typing import NamedTuple


class Rule(NamedTuple):
    """What of both outputs does not count."""

    pattern: str
    replacement: str
    why: str


LOG = Rule(r"(?m)^[IEW]\d{4} \d\d:\d\d:\d\d\.\d+ .*\n", "", "a line of client-go's own log")
# Of one and the same cluster, everything else is compared byte for byte.
SAME_CLUSTER = (
    LOG,
    Rule(r'start exec "[0-9a-f]{64}"', "start exec", "drawn for each exec"),
    Rule(r"#success=(\d+) #failure=(\d+)", r"successThreshold=\1 failureThreshold=\2", "1.37 names the thresholds of probes"),
    Rule(r"(?m)^(Service Name|Pod Management Policy): .*\n|^Persistent Volume Claim Retention Policy:\n(  .*\n)+", "", "1.37 describes more of a StatefulSet"),
)
# Two clusters go their own ways in what is drawn and in when it happens.
TWO_CLUSTERS = (
    LOG,
    Rule(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UID", "drawn"),
    Rule(r"-[bcdfghjklmnpqrstvwxz2456789]{5}\b", "-xxxxx", "drawn"),
    Rule(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| \+0000)", "TIME", "the clock"),
    Rule(r'(resourceVersion"?: )"\d+"', r'\1"VERSION"', "counts all that has happened"),
    Rule(r"\b10\.\d+\.\d+\.\d+", "IP", "the next one that is free"),
    Rule(r'(nodePort"?: )\d+', r"\1PORT", "drawn"),
    Rule(r"/tmp/(LIVE|MERGED)-\d+", r"/tmp/\1", "the folder that diff uses"),
    Rule(r"eyJ[\w.-]+\n?", "TOKEN", "signed anew; a real kubectl ends the line in a terminal only"),
    Rule(r"(?m)^Warning: (.*); (.*)$", lambda found: "Warning: " + "; ".join(sorted(found.groups())), "Go's maps have no order"),
    Rule(r"\[(cannot delete [^\]]*)\]", lambda found: ", ".join(sorted(re.split(", (?=cannot)", found[1]))), "Go's maps have no order"),
    Rule(r"(?m)(^cannot delete .*\n)+", lambda found: "".join(sorted(found[0].splitlines(True))), "Go's maps have no order"),
    Rule(r"(?m)(^(evicting pod .*|pod/\S+ evicted)\n)+", lambda found: "".join(sorted(found[0].splitlines(True))), "evictions go on side by side"),
    Rule(r"(?m)^(pod|service)/exposed created\n(pod|service)/exposed created\n", "both created\n", "1.37 tells of the Pod first"),
    Rule(r"(invalid restart policy: Sometimes).*\n(See .*\n)?", r"\1\n", "1.37 lists the policies"),
)
# What a description or `kubectl events` says of ages, kubectl reckons with the clock on the wall.
AGE = Rule(r"(?<![\w.-])(?:\d+y)?(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?(?<=[ydhms])(?![\w.-])|<invalid>", "AGE", "the clock on the wall")
PADDING = Rule(r"  +", "  ", "columns are as wide as the widest age")
AGED = ("describe", "events", "rollout history")
UNORDERED = {
    "logs talk --all-containers --prefix": "Go's maps have no order", "logs talk --all-containers": "Go's maps have no order",
    **dict.fromkeys(("get pods --sort-by=.status.startTime", "get pods --sort-by='{.spec.nodeName}' -o name", "get events --sort-by=.lastTimestamp", "events",
                     "events -A", "events --no-headers --types=Normal"), "equals stay in their order here; Go's sort moves more than twelve of them"),
}
KNOWN = {
    "version -o json": "another version", "version -o yaml": "another version",
    "api-versions": "autoscaling/v1 is in every real cluster and in the console's list; this server does not serve it",
}


def normalised(text, rules):
    for rule in rules:
        text = re.sub(rule.pattern, rule.replacement, text)
    return text
