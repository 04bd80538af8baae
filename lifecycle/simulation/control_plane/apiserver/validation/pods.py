"""Rules for Pods as a whole: what a new one must have, what may change in one (pkg/apis/core/validation/validation.go)."""

from ....objects import at, removed, replaced
from . import internal, metadata, names
from .errors import IMMUTABLE, between, duplicate, each_message, forbidden, invalid, not_supported, required, shown_map
from .podspec import MAX_INT32, validate_pod_spec
from .scheduling import REQUIRED, tolerations

MIRROR = "kubernetes.io/config.mirror"
DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
CONTAINERS = ("containers", "initContainers")
UPDATABLE = (
    "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
    "`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
)


def pod(found):
    yield from _metadata_and_spec(found)
    spec = found["spec"]
    if spec.get("ephemeralContainers"):
        yield forbidden("spec.ephemeralContainers", "cannot be set on create")
    if spec.get("nodeName") and spec.get("schedulingGates"):
        yield forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared")


def _metadata_and_spec(found):
    yield from metadata.object_meta(found["metadata"], True, names.dns_subdomain)
    yield from annotations(found["metadata"].get("annotations") or {}, found["spec"], "metadata.annotations")
    yield from validate_pod_spec(found["spec"])
    yield from _ephemeral_claims(found)


def _ephemeral_claims(found):
    """The names of the claims that will be made for ephemeral volumes."""
    for index, volume in enumerate(found["spec"].get("volumes") or ()):
        if volume.get("ephemeral") is not None and found["metadata"].get("name") and volume.get("name"):
            claim = f"{found['metadata']['name']}-{volume['name']}"
            for message in names.dns_subdomain(claim):
                yield invalid(f"spec.volumes[{index}].name", volume["name"], f'PVC name "{claim}": {message}')


def annotations(found, spec, path):
    """Errors in the annotations that mean something on a Pod or a template."""
    if MIRROR in found and not spec.get("nodeName"):
        yield invalid(f"{path}[{MIRROR}]", found[MIRROR], "must set spec.nodeName if mirror pod annotation is set")
    cost = found.get(DELETION_COST)
    if cost is not None and not _is_int32(cost):
        yield invalid(f"{path}[{DELETION_COST}]", cost, "must be a 32bit integer")


def _is_int32(text):
    """Whether Go's strconv.ParseInt takes it, and no plus sign or leading zero came with it."""
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and (digits == "0" or digits[0] != "0") and -(2**31) <= int(text) <= MAX_INT32


def pod_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from _metadata_and_spec(new)
    yield from _mirror_annotation(new, old)
    for kind in CONTAINERS:
        if len(new["spec"].get(kind) or ()) != len(old["spec"].get(kind) or ()):
            yield forbidden(f"spec.{kind}", "pod updates may not add or remove containers")
            return
    deadline = list(_deadline(new["spec"].get("activeDeadlineSeconds"), old["spec"].get("activeDeadlineSeconds")))
    yield from deadline
    if deadline and new["spec"].get("activeDeadlineSeconds") is not None:
        return
    yield from _only_added_tolerations(new["spec"].get("tolerations") or (), old["spec"].get("tolerations") or ())
    yield from _only_deleted_gates(new["spec"].get("schedulingGates") or (), old["spec"].get("schedulingGates") or ())
    if new["spec"] is not old["spec"] and new["spec"] != old["spec"]:
        yield from _spec_update(new["spec"], old["spec"])


def _mirror_annotation(new, old):
    after, before = (at(thing, "metadata", "annotations", MIRROR) for thing in (new, old))
    if after != before:
        what = "add" if before is None else "remove or update"
        yield forbidden(f"metadata.annotations[{MIRROR}]", f"may not {what} mirror pod annotation")


def _deadline(new, old):
    """A deadline may be set, and be made shorter."""
    if new is None:
        if old is not None:
            yield invalid("spec.activeDeadlineSeconds", None, "must not update from a positive integer to nil value")
    elif not 0 <= new <= MAX_INT32:
        yield invalid("spec.activeDeadlineSeconds", new, between(0, MAX_INT32))
    elif old is not None and old < new:
        yield invalid("spec.activeDeadlineSeconds", new, "must be less than or equal to previous value")


def _only_added_tolerations(new, old):
    if new == old:
        return
    kept = [removed(toleration, "tolerationSeconds") for toleration in new]
    if any(removed(toleration, "tolerationSeconds") not in kept for toleration in old):
        yield forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")
    else:
        yield from tolerations(new, "spec.tolerations")


def _only_deleted_gates(new, old):
    known = {gate["name"] for gate in old}
    for index, gate in enumerate(new):
        if gate["name"] not in known:
            yield forbidden(f"spec.schedulingGates[{index}].name", f"only deletion is allowed, but found new scheduling gate '{gate['name']}'")


def _spec_update(new, old):
    """Everything else in the spec must stay; what may change was looked at before and is taken over here."""
    after = _with(new, old, "activeDeadlineSeconds", "schedulingGates", "tolerations")
    for kind in CONTAINERS:
        if after.get(kind):
            after = {**after, kind: [{**one, "image": was.get("image")} for one, was in zip(after[kind], old[kind])]}
    if (old.get("terminationGracePeriodSeconds") or 0) < 0 and after.get("terminationGracePeriodSeconds") == 1:
        after = _with(after, old, "terminationGracePeriodSeconds")
    if old.get("schedulingGates"):
        yield from _node_selector_update(new, old)
        yield from _node_affinity_update(new, old)
        after = _with_node_affinity(_with(after, old, "nodeSelector"), old)
    before, now = internal.pod_spec(old), internal.pod_spec(after)
    if before != now:
        yield forbidden("spec", f"pod updates may not change fields other than {UPDATABLE}\n{internal.difference(before, now)}")


def _with(new, old, *keys):
    """`new` with what `old` has, or has not, under `keys`."""
    for key in keys:
        new = {**new, key: old[key]} if key in old else removed(new, key)
    return new


def _with_node_affinity(new, old):
    kept = at(old, "affinity", "nodeAffinity")
    if kept is not None:
        return replaced(new, kept, "affinity", "nodeAffinity")
    new = removed(new, "affinity", "nodeAffinity")
    return new if new.get("affinity") or "affinity" in old else removed(new, "affinity")


def _node_selector_update(new, old):
    before, after = old.get("nodeSelector") or {}, new.get("nodeSelector") or {}
    if any(after.get(key) != value for key, value in before.items()):
        yield invalid("spec.nodeSelector", shown_map(new.get("nodeSelector")), "only additions to spec.nodeSelector are allowed (no mutations or deletions)")


def _node_affinity_update(new, old):
    """A gated Pod may be narrowed down: further requirements in the terms it has."""
    path = f"spec.affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms"
    before, after = (at(spec, "affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms", default=[]) for spec in (old, new))
    if before and len(before) != len(after):
        shown = [internal.internal("NodeSelectorTerm", term) for term in after] or None
        yield invalid(path, shown, "no additions/deletions to non-empty NodeSelectorTerms list are allowed")
        return
    for index, (was, now) in enumerate(zip(before, after)):
        if not _only_adds(now, was):
            yield invalid(f"{path}[{index}]", internal.internal("NodeSelectorTerm", now), "only additions are allowed (no mutations or deletions)")


def _only_adds(now, was):
    kept = [(was.get(key) or [], now.get(key) or []) for key in ("matchExpressions", "matchFields")]
    if not any(before for before, _ in kept):
        return not any(after for _, after in kept)
    return all(after[: len(before)] == before for before, after in kept)


def pod_status_update(new, old):
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    for index, condition in enumerate(at(new, "status", "conditions", default=())):
        yield from each_message(f"metadata.conditions[{index}].Type", condition["type"], names.qualified_name(condition["type"]))
    if new["spec"].get("nodeName") != old["spec"].get("nodeName"):
        yield forbidden("status.nodeName", "may not be changed directly")
    new_class, old_class = at(new, "status", "qosClass"), at(old, "status", "qosClass")
    if old_class and new_class != old_class:
        yield invalid("status.qosClass", new_class or "", IMMUTABLE)
    yield from _container_transitions(new, old)
    yield from _addresses(new.get("status") or {})


def _container_transitions(new, old):
    """A container that will not be restarted stays terminated."""
    policy = old["spec"].get("restartPolicy")
    if policy == "Always":
        return
    own = {container["name"] for kind in CONTAINERS for container in old["spec"].get(kind) or () if container.get("restartPolicy")}
    for key in ("containerStatuses", "initContainerStatuses"):
        running = {status["name"] for status in at(new, "status", key, default=()) if at(status, "state", "terminated") is None}
        for index, status in enumerate(at(old, "status", key, default=())):
            ended = at(status, "state", "terminated")
            may_restart = status["name"] in own or (ended and policy == "OnFailure" and ended.get("exitCode"))
            if ended and not may_restart and status["name"] in running:
                yield forbidden(f"status.{key}[{index}].state", "may not be transitioned to non-terminated state")


def _addresses(status):
    for key in ("podIPs", "hostIPs"):
        seen = set()
        for index, address in enumerate(status.get(key) or ()):
            yield from names.ip_address(f"status.{key}[{index}]", address.get("ip") or "")
            if address.get("ip") in seen:
                yield duplicate(f"status.{key}[{index}]", {"IP": address.get("ip") or ""})
            seen.add(address.get("ip"))


def ephemeral_containers_update(new, old):
    """The subresource pods/ephemeralcontainers: containers may be added, none may go or change."""
    yield from metadata.object_meta_update(new["metadata"], old["metadata"])
    yield from _metadata_and_spec(new)
    kept = {container["name"]: container for container in new["spec"].get("ephemeralContainers") or ()}
    for container in old["spec"].get("ephemeralContainers") or ():
        name = container["name"]
        if name not in kept:
            yield forbidden("spec.ephemeralContainers", f'existing ephemeral containers "{name}" may not be removed\n')
        elif kept[name] != container:
            before, after = (internal.internal("EphemeralContainer", one) for one in (container, kept[name]))
            yield forbidden("spec.ephemeralContainers", f'existing ephemeral containers "{name}" may not be changed\n{internal.difference(before, after)}')


def binding(found):
    target = found.get("target") or {}
    if target.get("kind") and target["kind"] != "Node":
        yield not_supported("target.kind", target["kind"], ("Node", "<empty>"))
    if not target.get("name"):
        yield required("target.name")
