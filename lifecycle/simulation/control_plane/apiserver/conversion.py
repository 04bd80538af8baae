"""Two groups, one storage: Events are kept in their core/v1 form and shown in either (pkg/apis/events/v1/conversion.go)."""
from .custom.validation import defaulted

TO_CORE = {"regarding": "involvedObject", "note": "message", "reportingController": "reportingComponent", "deprecatedSource": "source",
           "deprecatedFirstTimestamp": "firstTimestamp", "deprecatedLastTimestamp": "lastTimestamp", "deprecatedCount": "count"}
FROM_CORE = {core: name for name, core in TO_CORE.items()}
NEW = "events.k8s.io/v1"
ALWAYS = {"involvedObject": {}, "source": {}, "firstTimestamp": None, "lastTimestamp": None, "eventTime": None, "reportingComponent": "",
          "reportingInstance": ""}
ORDER = ("kind", "apiVersion", "metadata", "involvedObject", "reason", "message", "source", "firstTimestamp", "lastTimestamp", "count", "type", "eventTime",
         "series", "action", "related", "reportingComponent", "reportingInstance")


def to_stored(resource, thing):
    """What is written: events.k8s.io/v1 Events become core/v1 Events."""
    if resource.kind != "Event":
        return thing
    if thing.get("apiVersion") == NEW:
        thing = {"kind": "Event", "apiVersion": "v1", **{TO_CORE.get(key, key): value for key, value in thing.items() if key not in ("kind", "apiVersion")}}
    full = {**ALWAYS, **thing}
    return {key: full[key] for key in ORDER if key in full}


def to_served(resource, thing, schema=None):
    """What is answered under the resource that was asked for. A custom resource, by its definition's `schema`, has defaults that are newer than itself."""
    if schema:
        return defaulted(schema, thing)
    if resource.group != "events.k8s.io" or thing.get("kind") != "Event":
        return thing
    return {"kind": "Event", "apiVersion": NEW, **{FROM_CORE.get(key, key): value for key, value in thing.items() if key not in ("kind", "apiVersion")}}
