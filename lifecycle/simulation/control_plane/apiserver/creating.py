"""POST: from a body to a stored object."""
from . import admission, aftermath, custom, event_ttl, metadata
from .bodies import received
from .defaulting import default, default_pod_spec
from .errors import Refused, already_exists, bad_request, invalid, no_space
from .required import check_required
from .strategies import strategy_of
from .validation import validate_create, warnings
from .validation.errors import REQUIRED, FieldError

UNCHECKED = ("events", "events.events.k8s.io", "leases.coordination.k8s.io", "endpointslices.discovery.k8s.io", "endpoints")     # of our own components


def create(call):
    """Create what the request carries; the stored object. Raises Refused."""
    body = received(call)
    namespace = body["metadata"].get("namespace")
    if namespace and namespace != call.namespace:
        raise bad_request("the namespace of the provided object does not match the namespace sent on the request")
    return store(call, body)


def store(call, body):
    """The pipeline behind decoding: default, admit, prepare, validate, admit, write."""
    strategy = strategy_of(call.resource)
    version = body["metadata"].get("resourceVersion")
    new = {**body, "metadata": metadata.for_create(call, body["metadata"], strategy.generation)}
    new = completed(call, new)
    check_required(call, new)
    new = admission.mutate(call, "create", new, None)
    new = _prepared(call, strategy, _named(call, new))
    _validate(call, body, new)
    admission.validate(call, "create", new, None)
    if version:
        raise Refused(500, "resourceVersion should not be set on objects to be created")
    return _write(call, strategy.storing(new) if strategy.storing else new)


def completed(call, new):
    """The object with its kind's defaults."""
    schema = custom.schema_of(call.etcd, call.resource)
    return default(call.resource.qualified, new) if schema is None else custom.defaulted(schema, new)


def _named(call, new):
    """The object under a name, generated if only a prefix was given: up to eight tries to find a free one."""
    meta = new["metadata"]
    if meta.get("name"):
        return new
    prefix = meta.get("generateName")
    if not prefix:
        raise invalid(call.resource, "", [FieldError(REQUIRED, "metadata.name", None, "name or generateName is required")])
    for _ in range(metadata.ATTEMPTS):
        name = metadata.generated_name(call, prefix)
        if call.etcd.get(call.resource.key(call.namespace, name)) is None:
            break
    return {**new, "metadata": {"name": name, **meta}}


def _prepared(call, strategy, new):
    """The object as its kind wants it at the beginning, whatever the client said about status."""
    if strategy.no_empty_status:
        new = {key: value for key, value in new.items() if key != "status"}
    elif strategy.status is not None:
        if not strategy.status_on_create or not new.get("status"):
            new = {**new, "status": strategy.status}
    elif "status" in call.resource.subresources:
        new = {key: value for key, value in new.items() if key != "status"}
    return strategy.creating(call, new) if strategy.creating else new


def _validate(call, body, new):
    """422 for what makes no sense. A Pod from a controller's template is judged by the template, whose verdict is remembered."""
    kind_key = call.resource.qualified
    if call.request.trusted and kind_key in UNCHECKED:
        return
    errors = validate_create(kind_key, _judged(call, body, new))
    schema = custom.schema_of(call.etcd, call.resource)
    if schema is not None:
        errors = [*errors, *custom.errors(schema, new)]
    if errors:
        raise invalid(call.resource, new["metadata"].get("name", ""), errors)
    if not call.request.trusted:
        call.warnings.extend(warnings(kind_key, new))


def _judged(call, body, new):
    """What validation looks at: for a Pod of a controller the template it was made from, which is the same object for all of its Pods."""
    if call.request.trusted and call.resource.qualified == "pods":
        return {**new, "spec": default_pod_spec(body["spec"])}
    return new


def _write(call, new):
    name = new["metadata"]["name"]
    key = call.resource.key(call.namespace, name)
    known = call.etcd.get(key)
    if known is not None and event_ttl.served(call, (known,)):
        raise already_exists(call.resource, name, "deletionTimestamp" in known["metadata"])
    if not call.etcd.has_room(key):
        raise no_space()
    call.tell(key)
    admission.quota.charge(call)
    aftermath.writing(call, new)
    return call.put(key, new)
