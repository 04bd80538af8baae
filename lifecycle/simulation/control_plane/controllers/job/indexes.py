"""The completion indexes of an Indexed Job, and how its status writes them: "0,2-5" (pkg/controller/job/indexed_job_utils.go)."""
from ....objects import is_active, replaced
from ..pod_bodies import with_labels

INDEX, FAILURES, IGNORED = (f"batch.kubernetes.io/{name}" for name in ("job-completion-index", "job-index-failure-count", "job-index-ignored-failure-count"))
VARIABLE = {"name": "JOB_COMPLETION_INDEX", "valueFrom": {"fieldRef": {"fieldPath": f"metadata.labels['{INDEX}']"}}}


def is_indexed(job):
    return job["spec"].get("completionMode") == "Indexed"


def counts_per_index(job):
    """Whether failures are counted for each index on its own."""
    return is_indexed(job) and job["spec"].get("backoffLimitPerIndex") is not None


def _annotation(pod, key):
    """A whole number in an annotation, or None."""
    text = (pod["metadata"].get("annotations") or {}).get(key, "")
    return int(text) if text.isdecimal() else None


def index_of(pod, job):
    """The Pod's index, or None if it has none or one that the Job does not."""
    index = _annotation(pod, INDEX)
    return index if index is not None and index < job["spec"]["completions"] else None


def failures_of(pod):
    """(failures of the Pod's index before it, failures before it that a policy ignored)."""
    return _annotation(pod, FAILURES) or 0, _annotation(pod, IGNORED) or 0


def parsed(text, limit):
    """The set of indexes below `limit` that a text such as "0,2-5" names."""
    found = set()
    for part in filter(None, (text or "").split(",")):
        first, _, last = part.partition("-")
        found.update(range(int(first), min(int(last or first) + 1, limit)))
    return found


def written(indexes):
    """The text for a set of indexes; runs of three and more are drawn together."""
    runs = []
    for index in sorted(indexes):
        if runs and index == runs[-1][1] + 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    return ",".join(f"{first}-{last}" if last > first + 1 else f"{first},{last}" if last > first else str(first) for first, last in runs)


def pending(job, taken, count):
    """The `count` lowest indexes that are not taken."""
    found = []
    for index in range(job["spec"]["completions"]):
        if len(found) == count:
            break
        if index not in taken:
            found.append(index)
    return found


def duplicates(job, pods):
    """(Pods without a valid index and all but the best of several with one index, the others)."""
    by_index, surplus = {}, []
    for pod in pods:
        index = index_of(pod, job)
        surplus.append(pod) if index is None else by_index.setdefault(index, []).append(pod)
    return surplus, by_index


def active_indexes(job, pods):
    return {index_of(pod, job) for pod in pods if is_active(pod)} - {None}


def with_index(pod, job, index, failures=None):
    """The Pod with its index in labels, annotations, host name and environment; `failures` as in `failures_of`, or None where they are not counted."""
    annotations = {**(pod["metadata"].get("annotations") or {}), INDEX: str(index)}
    if failures is not None:
        annotations |= {FAILURES: str(failures[0]), **({IGNORED: str(failures[1])} if failures[1] else {})}
    pod = replaced(with_labels(pod, {INDEX: str(index)}), annotations, "metadata", "annotations")
    spec = {**pod["spec"], "hostname": f"{job['metadata']['name']}-{index}"}
    for field in ("initContainers", "containers"):
        if spec.get(field):
            spec[field] = [_with_variable(container) for container in spec[field]]
    return {**pod, "spec": spec}


def _with_variable(container):
    known = container.get("env") or []
    return container if any(one["name"] == VARIABLE["name"] for one in known) else {**container, "env": [*known, VARIABLE]}
