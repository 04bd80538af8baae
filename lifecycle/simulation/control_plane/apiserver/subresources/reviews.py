"""Reviews: questions about users that are asked with a POST and stored nowhere."""
from .. import bodies
from ..authorization import KNOWN, MASTERS, Attributes, groups_of, is_allowed, rules_for
from ..errors import Refused
from .token import holder

ADMIN_EXTRA = {"authentication.kubernetes.io/credential-id": ["X509SHA256=a80ebce37d9898a58f1556af0c65c0d5484b42c27ee4925ac21b4969facd8298"]}


def review(call):
    """(201, the review with its status)."""
    body = call.request.body if call.request.trusted else bodies.decoded(call, call.request.body)
    call.tell(None)
    status = STATUS[call.resource.kind](call, body.get("spec") or {})
    metadata = {**body.get("metadata", {})}
    spec = {"spec": body.get("spec") or {}} if call.resource.kind != "SelfSubjectReview" else {}
    return 201, {"kind": call.resource.kind, "apiVersion": call.resource.api_version, "metadata": metadata, **spec, "status": status}


def _who(call):
    return call.request.user, groups_of(call.request.user, call.request.groups)


def _self_access(call, spec):
    return _access(call, *_who(call), spec)


def _subject_access(call, spec):
    return _access(call, spec.get("user") or "", tuple(spec.get("groups") or ()), spec)


def _access(call, user, groups, spec):
    wanted, path = spec.get("resourceAttributes") or {}, spec.get("nonResourceAttributes") or {}
    plural = wanted.get("resource", "") + (f"/{wanted['subresource']}" if wanted.get("subresource") else "")
    place = [wanted.get(key, "") for key in ("group", "namespace", "name")]
    asked = Attributes(wanted.get("verb") or path.get("verb") or "", place[0], plural, *place[1:], path.get("path", ""))
    return {"allowed": is_allowed(call.etcd, user, groups, asked)}


def _self_rules(call, spec):
    user, groups = _who(call)
    found = [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}, {"verbs": ["*"], "nonResourceURLs": ["*"]}] if MASTERS in groups else \
        list(rules_for(call.etcd, user, groups, spec.get("namespace") or "default"))
    resources = [{key: rule[key] for key in ("verbs", "apiGroups", "resources", "resourceNames") if rule.get(key)} for rule in found if rule.get("resources")]
    paths = [{"verbs": rule["verbs"], "nonResourceURLs": rule["nonResourceURLs"]} for rule in found if rule.get("nonResourceURLs")]
    return {"resourceRules": resources, "nonResourceRules": paths, "incomplete": False}


def _self_review(call, spec):
    user, groups = _who(call)
    extra = {"extra": ADMIN_EXTRA} if user == "kubernetes-admin" else {}
    return {"userInfo": {"username": user, "groups": list(groups), **extra}}


def _token_review(call, spec):
    name = _user_of(call, spec.get("token") or "")
    if name is None:
        return {"user": {}, "error": "[invalid bearer token, token lookup failed]"}
    return {"authenticated": True, "user": {"username": name, "groups": list(groups_of(name))}, "audiences": ["https://kubernetes.default.svc.cluster.local"]}


def _user_of(call, token):
    """The user that a token names, or None. Here a user's name is a token too."""
    try:
        return holder(call.server, token) or (token if token in KNOWN else None)
    except Refused:
        return None


STATUS = {"SelfSubjectAccessReview": _self_access, "LocalSubjectAccessReview": _subject_access, "SubjectAccessReview": _subject_access,
          "SelfSubjectRulesReview": _self_rules, "SelfSubjectReview": _self_review, "TokenReview": _token_review}
