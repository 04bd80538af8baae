"""POST serviceaccounts/token: a bound token; nothing is stored (pkg/registry/core/serviceaccount/storage/token.go)."""
from base64 import urlsafe_b64decode, urlsafe_b64encode
from json import dumps, loads

from ....objects import at
from ....resources import resource
from .. import bodies
from ..errors import not_found, unauthorized

AUDIENCE = "https://kubernetes.default.svc.cluster.local"
DEFAULT_SECONDS, LEAST_SECONDS = 3600, 600


def create(call):
    """The TokenRequest with its status: a token that looks like a JWT and says whose it is."""
    account = call.etcd.get(call.key)
    if account is None:
        raise not_found(call.resource, call.name)
    body = call.request.body if call.request.trusted else bodies.decoded(call, call.request.body)
    spec = dict(body.get("spec") or {})
    spec["audiences"] = spec.get("audiences") or [AUDIENCE]
    spec["expirationSeconds"] = max(spec.get("expirationSeconds") or DEFAULT_SECONDS, LEAST_SECONDS)
    until = call.clock.now + spec["expirationSeconds"] * 1000
    status = {"token": _token(call, account, spec, until), "expirationTimestamp": call.clock.timestamp(until)}
    call.tell(call.key)
    metadata = {"name": call.name, "namespace": call.namespace, "creationTimestamp": call.clock.timestamp()}
    return 201, {"kind": "TokenRequest", "apiVersion": "authentication.k8s.io/v1", "metadata": metadata, "spec": spec, "status": status}


def _token(call, account, spec, until):
    subject = f"system:serviceaccount:{call.namespace}:{call.name}"
    bound = at(spec, "boundObjectRef", "name")
    whose = {"namespace": call.namespace, "serviceaccount": {"name": call.name, "uid": account["metadata"]["uid"]}}
    if bound:
        whose["pod"] = {"name": bound}
    now = (call.clock.epoch + call.clock.now) // 1000
    claims = {"aud": spec["audiences"], "exp": (call.clock.epoch + until) // 1000, "iat": now, "iss": AUDIENCE, "jti": call.server.random.uid(),
              "kubernetes.io": whose, "nbf": now, "sub": subject}
    return ".".join(_encoded(part) for part in ({"alg": "RS256", "kid": "lifecycle"}, claims, {"signed": call.server.random.hexadecimal(32)}))


def _encoded(part):
    return urlsafe_b64encode(dumps(part, separators=(",", ":")).encode()).decode().rstrip("=")


def holder(server, token):
    """The user that a token of a ServiceAccount names; None for a text that is no such token. Raises Refused (401) if it does not hold any more."""
    try:
        claims = loads(urlsafe_b64decode(token.split(".")[1] + "=="))
        about, subject, until = claims["kubernetes.io"], claims["sub"], int(claims["exp"])
        namespace, name, uid = about["namespace"], about["serviceaccount"]["name"], about["serviceaccount"]["uid"]
    except (IndexError, KeyError, TypeError, ValueError):
        return None
    account = server.etcd.get(resource("serviceaccounts").key(namespace, name))
    if account is None or account["metadata"]["uid"] != uid or until * 1000 <= server.clock.epoch + server.clock.now:
        raise unauthorized()
    return subject
