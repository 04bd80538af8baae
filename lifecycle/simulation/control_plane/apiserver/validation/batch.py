"""Rules for Jobs and CronJobs (pkg/apis/batch/validation/validation.go)."""

from .... import selectors
from ....objects import at
from . import internal, metadata, names, templates
from .errors import IMMUTABLE, invalid, not_negative, not_supported, one_of, required, shown_map, shown_selector, too_many, unchanged
from .schedules import schedule_error, zone_error

COUNTS = ("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes")
COMPLETION_MODES = ("Indexed", "NonIndexed")
MOST_INDEXES = 100_000
ACTIONS = ("Count", "FailIndex", "FailJob", "Ignore")
LONGEST_CRON_JOB_NAME = 52  # the controller appends eleven characters to it
SUSPENDED_UPDATABLE = ("nodeSelector", "affinity", "tolerations", "schedulingGates")


def job(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    yield from _generated_selector(found)
    yield from _whole_spec(found["spec"])


def _generated_selector(found):
    """Unless it says that it knows better, a Job has the selector that was generated for it."""
    selector, meta = found["spec"].get("selector"), found["metadata"]
    if found["spec"].get("manualSelector") or selector is None:
        return
    own = {"controller-uid": meta.get("uid", ""), "job-name": meta.get("name", "")}
    expected = {**own, **{f"batch.kubernetes.io/{key}": value for key, value in own.items()}}
    if not selectors.matches(selector, expected):
        yield invalid("spec.selector", shown_selector(selector), "`selector` not auto-generated")


def _whole_spec(spec):
    yield from job_spec(spec, "spec")
    selector = spec.get("selector")
    if selector is None:
        yield required("spec.selector")
    yield from metadata.label_selector(selector, "spec.selector")
    yield from templates.matching(selector, spec["template"], "spec.template")


def job_spec(spec, path):
    """Errors in what a Job and a CronJob's jobTemplate have in common."""
    for key in COUNTS:
        yield from not_negative(f"{path}.{key}", spec.get(key))
    yield from _completion_mode(spec, path)
    if spec.get("maxFailedIndexes") is not None and spec.get("backoffLimitPerIndex") is None:
        yield required(f"{path}.backoffLimitPerIndex", "when maxFailedIndexes is specified")
    if spec.get("podFailurePolicy") is not None:
        yield from _failure_policy(spec, f"{path}.podFailurePolicy")
    yield from _replacement(spec, f"{path}.podReplacementPolicy")
    yield from templates.template(spec["template"], f"{path}.template")
    yield from _restart_policy(spec, f"{path}.template.spec.restartPolicy")


def _completion_mode(spec, path):
    mode = spec.get("completionMode")
    if mode is not None and mode not in COMPLETION_MODES:
        yield not_supported(f"{path}.completionMode", mode, COMPLETION_MODES)
    if mode == "Indexed":
        if spec.get("completions") is None:
            yield required(f"{path}.completions", "when completion mode is Indexed")
        if (spec.get("parallelism") or 0) > MOST_INDEXES:
            yield invalid(f"{path}.parallelism", spec["parallelism"], f"must be less than or equal to {MOST_INDEXES} when completion mode is Indexed")
    elif spec.get("backoffLimitPerIndex") is not None:
        yield invalid(f"{path}.backoffLimitPerIndex", spec["backoffLimitPerIndex"], "requires indexed completion mode")


def _failure_policy(spec, path):
    rules = spec["podFailurePolicy"].get("rules") or ()
    if len(rules) > 20:
        yield too_many(f"{path}.rules", len(rules), 20)
    known = {container.get("name") for kind in ("containers", "initContainers") for container in spec["template"]["spec"].get(kind) or ()}
    for index, rule in enumerate(rules):
        yield from _failure_rule(rule, spec, known, f"{path}.rules[{index}]")


def _failure_rule(rule, spec, known, path):
    yield from one_of(f"{path}.action", rule.get("action"), ACTIONS, f"valid values: {', '.join(chr(34) + action + chr(34) for action in ACTIONS)}")
    if rule.get("action") == "FailIndex" and spec.get("backoffLimitPerIndex") is None:
        yield invalid(f"{path}.action", "FailIndex", "requires the backoffLimitPerIndex to be set")
    codes, patterns = rule.get("onExitCodes"), rule.get("onPodConditions") or ()
    if codes is not None:
        yield from _exit_codes(codes, known, f"{path}.onExitCodes")
    for index, pattern in enumerate(patterns):
        yield from metadata.label_key(pattern.get("type") or "", f"{path}.onPodConditions[{index}].type")
        yield from one_of(f"{path}.onPodConditions[{index}].status", pattern.get("status"), ("False", "True", "Unknown"))
    if codes is not None and patterns:
        yield invalid(path, rule, "specifying both OnExitCodes and OnPodConditions is not supported")
    if codes is None and not patterns:
        yield invalid(path, rule, "specifying one of OnExitCodes and OnPodConditions is required")


def _exit_codes(codes, known, path):
    yield from one_of(f"{path}.operator", codes.get("operator"), ("In", "NotIn"))
    name, values = codes.get("containerName"), codes.get("values") or ()
    if name is not None and name not in known:
        yield invalid(f"{path}.containerName", name, "must be one of the container or initContainer names in the pod template")
    if not values:
        yield invalid(f"{path}.values", values or None, "at least one value is required")
    if len(values) > 255:
        yield too_many(f"{path}.values", len(values), 255)
    for index, value in enumerate(values):
        if codes.get("operator") == "In" and value == 0:
            yield invalid(f"{path}.values[{index}]", value, "must not be 0 for the In operator")
    if list(values) != sorted(values):
        yield invalid(f"{path}.values", list(values), "must be ordered")


def _replacement(spec, path):
    policy = spec.get("podReplacementPolicy")
    supported = ("Failed",) if spec.get("podFailurePolicy") is not None else ("Failed", "TerminatingOrFailed")
    if policy is not None and policy not in supported:
        yield not_supported(path, policy, supported)


def _restart_policy(spec, path):
    policy = spec["template"]["spec"].get("restartPolicy") or ""
    if policy not in ("OnFailure", "Never"):
        yield required(path, 'valid values: "OnFailure", "Never"')
    elif spec.get("podFailurePolicy") is not None and policy != "Never":
        yield invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')


def job_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    after, before = new["spec"], old["spec"]
    yield from _whole_spec(after)
    yield from _completions_update(after, before)
    yield from unchanged("spec.selector", shown_selector(after.get("selector")), shown_selector(before.get("selector")))
    yield from _template_update(new, old)
    for key in ("completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"):
        yield from unchanged(f"spec.{key}", after.get(key), before.get(key))


def _completions_update(after, before):
    """Only an Indexed Job may change in size, and then in both of its numbers alike."""
    if after.get("completions") == before.get("completions"):
        return
    if after.get("completionMode") != "Indexed" or after.get("completions") is None:
        yield invalid("spec.completions", after.get("completions"), IMMUTABLE)
    elif after.get("completions") != after.get("parallelism"):
        yield invalid("spec.completions", after["completions"], "can only be modified in tandem with parallelism such that completions == parallelism")


def _template_update(new, old):
    """The template stays as it is; of a suspended Job that never ran, where its Pods go may change."""
    after, before = new["spec"]["template"], old["spec"]["template"]
    if old["spec"].get("suspend") and new["spec"].get("suspend") is not None and at(old, "status", "startTime") is None:
        after = _with_placement_of(after, before)
    if internal.pod_template(after) != internal.pod_template(before):
        shown = internal.pod_template(new["spec"]["template"])
        yield invalid("spec.template", {key: shown_map(value) if key in ("labels", "annotations") else value for key, value in shown.items()}, IMMUTABLE)


def _with_placement_of(after, before):
    meta = {**(after.get("metadata") or {}), **{key: at(before, "metadata", key) for key in ("labels", "annotations")}}
    kept = {key: before["spec"].get(key) for key in SUSPENDED_UPDATABLE}
    spec = {key: value for key, value in {**after["spec"], **kept}.items() if value is not None}
    return {"metadata": {key: value for key, value in meta.items() if value is not None}, "spec": spec}


def job_status_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    for key in ("active", "succeeded", "failed", "ready", "terminating"):
        yield from not_negative(f"status.{key}", at(new, "status", key))


def cron_job(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    yield from _cron_job_spec(found["spec"])
    name = found["metadata"].get("name") or ""
    if len(name) > LONGEST_CRON_JOB_NAME:
        yield invalid("metadata.name", name, f"must be no more than {LONGEST_CRON_JOB_NAME} characters")


def cron_job_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from _cron_job_spec(new["spec"])


def _cron_job_spec(spec):
    schedule, zone = spec.get("schedule") or "", spec.get("timeZone")
    if not schedule:
        yield required("spec.schedule")
    else:
        yield from _schedule(schedule, zone)
    yield from not_negative("spec.startingDeadlineSeconds", spec.get("startingDeadlineSeconds"))
    if zone is not None and zone_error(zone):
        yield invalid("spec.timeZone", zone, zone_error(zone))
    yield from one_of("spec.concurrencyPolicy", spec.get("concurrencyPolicy"), ("Allow", "Forbid", "Replace"))
    template = spec["jobTemplate"]["spec"]
    yield from job_spec(template, "spec.jobTemplate.spec")
    if template.get("selector") is not None:
        yield invalid("spec.jobTemplate.spec.selector", shown_selector(template["selector"]), "`selector` will be auto-generated")
    if template.get("manualSelector"):
        yield not_supported("spec.jobTemplate.spec.manualSelector", True, ("nil", "false"))
    for key in ("successfulJobsHistoryLimit", "failedJobsHistoryLimit"):
        yield from not_negative(f"spec.{key}", spec.get(key))


def _schedule(schedule, zone):
    wrong = schedule_error(schedule)
    if wrong:
        yield invalid("spec.schedule", schedule, wrong)
    if "TZ" in schedule:
        both = "cannot use both timeZone field and TZ or CRON_TZ in schedule"
        yield invalid("spec.schedule", schedule, both if zone is not None else "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")
