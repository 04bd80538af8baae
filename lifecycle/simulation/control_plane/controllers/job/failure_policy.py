"""What a Job's podFailurePolicy says about a failed Pod (pkg/controller/job/pod_failure_policy.go)."""

IGNORE, FAIL_INDEX, FAIL_JOB = "Ignore", "FailIndex", "FailJob"


def verdict(job, pod):
    """(action of the first rule that matches, or None; the message for the Job if that fails it)."""
    for number, rule in enumerate((job["spec"].get("podFailurePolicy") or {}).get("rules") or ()):
        words = _exit_codes(rule, pod) if rule.get("onExitCodes") else _conditions(rule, pod)
        if words:
            return rule["action"], f"{words} matching {rule['action']} rule at index {number}"
    return None, None


def counts(job, pod):
    """Whether a failure counts towards the back-off limit."""
    return verdict(job, pod)[0] != IGNORE


def _exit_codes(rule, pod):
    wanted = rule["onExitCodes"]
    for status in [*(pod["status"].get("containerStatuses") or ()), *(pod["status"].get("initContainerStatuses") or ())]:
        code = ((status.get("state") or {}).get("terminated") or {}).get("exitCode", 0)
        if code and wanted.get("containerName") in (None, status["name"]) and (code in wanted["values"]) == (wanted["operator"] == "In"):
            return f"Container {status['name']} for pod {pod['metadata']['namespace']}/{pod['metadata']['name']} failed with exit code {code}"
    return None


def _conditions(rule, pod):
    patterns = {(pattern["type"], pattern.get("status", "True")) for pattern in rule.get("onPodConditions") or ()}
    found = next((one for one in pod["status"].get("conditions") or () if (one["type"], one["status"]) in patterns), None)
    return found and f"Pod {pod['metadata']['namespace']}/{pod['metadata']['name']} has condition {found['type']}"
