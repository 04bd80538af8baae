"""DeleteOptions: what a DELETE asks for, and whether it is about the object that is there (apiserver/pkg/registry/rest/delete.go)."""
from .errors import Refused, kind_conflict
from .listing import number

POLICIES = ("Orphan", "Background", "Foreground")


def options_of(call):
    """The DeleteOptions of the body, or without one those of the query. Raises Refused for what contradicts itself."""
    options = call.request.body
    if not isinstance(options, dict) or not options:
        query = call.request.options
        options = {key: query[key] for key in ("propagationPolicy",) if key in query}
        if "gracePeriodSeconds" in query:
            options["gracePeriodSeconds"] = number(query["gracePeriodSeconds"])
    call.dry_run = call.dry_run or "All" in (options.get("dryRun") or ())
    _check_options(options)
    return options


def _check_options(options):
    policy = options.get("propagationPolicy")
    if policy is not None and options.get("orphanDependents") is not None:
        raise _bad_options("orphanDependents and deletionPropagation cannot be both set", "Invalid value", policy, "FieldValueInvalid")
    if policy is not None and policy not in POLICIES:
        raise _bad_options('supported values: "Background", "Foreground", "Orphan"', "Unsupported value", policy, "FieldValueNotSupported")


def _bad_options(detail, title, value, reason):
    message = f'{title}: "{value}": {detail}'
    cause = {"reason": reason, "message": message, "field": "propagationPolicy"}
    details = {"group": "meta.k8s.io", "kind": "DeleteOptions", "causes": [cause]}
    return Refused(422, f'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: {message}', "Invalid", details)


def check_preconditions(call, old, options):
    wanted, meta = options.get("preconditions") or {}, old["metadata"]
    uid, version = wanted.get("uid"), wanted.get("resourceVersion")
    if uid is not None and uid != meta["uid"]:
        raise kind_conflict(call.resource, meta["name"], f"the UID in the precondition ({uid}) does not match the UID in record ({meta['uid']}). "
                            "The object might have been deleted and then recreated")
    if version is not None and version != meta["resourceVersion"]:
        raise kind_conflict(call.resource, meta["name"], f"the ResourceVersion in the precondition ({version}) does not match the ResourceVersion in record "
                            f"({meta['resourceVersion']}). The object might have been modified")
