"""How the API server refuses: Status objects with Kubernetes' own words and key order (apimachinery/pkg/api/errors)."""


class Refused(Exception):
    """A request is refused: `code` is the HTTP status, `status` the whole body of the answer."""

    def __init__(self, code, message, reason="", details=None):
        super().__init__(message)
        self.code, self.message = code, message
        self.status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message}
        if reason:
            self.status["reason"] = reason
        if details is not None:
            self.status["details"] = details
        self.status["code"] = code


def success(details=None, code=None):
    """The Status of a request that succeeded and has no object to show."""
    status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"}
    if details is not None:
        status["details"] = details
    if code is not None:
        status["code"] = code
    return status


def details_of(resource, name="", kind="", causes=None):
    """`details` in Go's field order; empty fields are left out."""
    found = {"name": name, "group": resource.group, "kind": kind or resource.plural, "causes": causes}
    return {key: value for key, value in found.items() if value}


def kind_of(resource):
    """"Pod", "Deployment.apps": how messages name a kind."""
    return f"{resource.kind}.{resource.group}" if resource.group else resource.kind


def bad_request(message):
    return Refused(400, message, "BadRequest")


def unauthorized():
    return Refused(401, "Unauthorized", "Unauthorized")


def not_found(resource, name):
    return Refused(404, f'{resource.qualified} "{name}" not found', "NotFound", details_of(resource, name))


def no_such_path():
    return Refused(404, "the server could not find the requested resource", "NotFound", {})


def method_not_allowed():
    return Refused(405, "the server does not allow this method on the requested resource", "MethodNotAllowed", {})


def already_exists(resource, name, deleting=False):
    prefix = "object is being deleted: " if deleting else ""
    return Refused(409, f'{prefix}{resource.qualified} "{name}" already exists', "AlreadyExists", details_of(resource, name))


def conflict(resource, name, why="the object has been modified; please apply your changes to the latest version and try again"):
    return Refused(409, f'Operation cannot be fulfilled on {resource.qualified} "{name}": {why}', "Conflict", details_of(resource, name))


def kind_conflict(resource, name, why):
    """A failed precondition of a delete names the kind where other conflicts name the resource (registry/rest/delete.go)."""
    return Refused(409, f'Operation cannot be fulfilled on {kind_of(resource)} "{name}": {why}', "Conflict", details_of(resource, name, resource.kind))


def forbidden(resource, name, why, causes=None):
    """403 on an object, or on the resource when `name` is empty."""
    subject = f'{resource.qualified} "{name}"' if name else resource.qualified
    return Refused(403, f"{subject} is forbidden: {why}", "Forbidden", details_of(resource, name, causes=causes))


def invalid(resource, name, errors):
    """422 with the FieldErrors of validation; equal messages are said once, as utilerrors.Aggregate does."""
    said = list(dict.fromkeys(error.message() for error in errors))
    text = said[0] if len(said) == 1 else f"[{', '.join(said)}]"
    details = details_of(resource, name, resource.kind, [error.cause() for error in errors])
    return Refused(422, f'{kind_of(resource)} "{name}" is invalid: {text}', "Invalid", details)


def too_many_requests(message, causes=None, retry_after=None):
    details = {**({"causes": causes} if causes else {}), **({"retryAfterSeconds": retry_after} if retry_after else {})}
    return Refused(429, message, "TooManyRequests", details)


def unsupported_media_type(content_type, accepted):
    message = f"the body of the request was in an unknown format - accepted media types include: {', '.join(accepted)}"
    return Refused(415, message, "UnsupportedMediaType", {})


def expired(message, token=None):
    """What was asked for is no longer kept; a `token` lets a list go on with what is there now."""
    refusal = Refused(410, message, "Expired")
    if token:
        refusal.status["metadata"] = {"continue": token}
    return refusal


def not_tabled(resource):
    """An answer without metadata has nothing to print (apiserver/pkg/registry/rest/table.go)."""
    return Refused(406, f"the resource {resource.qualified} does not support being converted to a Table", "NotAcceptable")


def no_space():
    """etcd has reached its quota (etcd/api/v3rpc/rpctypes, ErrNoSpace); the API server hands its words on."""
    return Refused(500, "etcdserver: mvcc: database space exceeded")


def no_quorum():
    """etcd does not answer in time (ErrTimeout)."""
    return Refused(500, "etcdserver: request timed out")
