"""Events as client-go sends them: a moment after they were recorded, counted when they repeat, combined when many are alike.

Rules: client-go tools/record/events_cache.go (EventCorrelator) and tools/events (series).
"""
from .client import Client
from .component import Component
from .objects import at
from .timings import EVENT_DELAY, MINUTE

SIMILAR = 10                   # so many different messages of one kind about one object within WINDOW are combined from then on
WINDOW = 10 * MINUTE
COMBINED = "(combined from similar events): "


class Recorder(Component):
    """Posts what components recorded. Work keys are the sources' names; each source sends its events in order."""

    name = "recorder"

    def record(self, component, about, kind, reason, message, source=None, field_path=None):
        """Queue an Event. `about` is the object; `source` the event's source ({"component", "host"}), by default the component's own."""
        meta = about["metadata"]
        involved = {"kind": about["kind"], "namespace": meta.get("namespace"), "name": meta["name"], "uid": meta.get("uid"),
                    "apiVersion": about["apiVersion"], "resourceVersion": meta.get("resourceVersion"), "fieldPath": field_path}
        source = source or component.event_source
        sender = "/".join(source.values())
        number = self.read("recorded", 0) + 1
        self.write("recorded", number)
        self.etcd.write(f"events of {sender}", str(number), {
            "involvedObject": {name: value for name, value in involved.items() if value}, "type": kind, "reason": reason, "message": message,
            "source": source, "at": self.clock.now, "actor": component.actor, "facts": component.facts_of_event(about)})
        self.again(sender, EVENT_DELAY)

    def reconcile(self, sender):
        """Send the oldest event of a source."""
        space = f"events of {sender}"
        waiting = self.etcd.disk(space)
        if not waiting:
            return None
        key, event = next(iter(waiting.items()))
        self.etcd.write(space, key, None)
        self._send(sender, event)
        return 1 if waiting else None

    def _send(self, sender, event):
        namespace = event["involvedObject"].get("namespace") or "default"
        client = Client(self.cluster.api, self.etcd, event["actor"], f"system:{sender}", sender.split("/")[0], event["facts"])
        known = [thing for thing in self.indexes.find("events by object", event["involvedObject"].get("uid", "")).values() if self._same_kind(thing, event)]
        recent = [thing for thing in known if self.clock.since(thing["lastTimestamp"] or thing["eventTime"]) <= WINDOW]
        message = event["message"]
        if len(recent) >= SIMILAR or any(thing["message"].startswith(COMBINED) for thing in recent):
            message = COMBINED + message if not any(thing["message"] == message for thing in recent) else message
        same = next((thing for thing in known if thing["message"] == message or message.startswith(COMBINED) and thing["message"].startswith(COMBINED)), None)
        if same:
            self._count(client, namespace, same, message, event)
        else:
            client.create("events.events.k8s.io" if event["actor"] == "scheduler" else "events", namespace, self._new(namespace, message, event))

    @staticmethod
    def _same_kind(thing, event):
        source = thing["source"].get("component") or thing.get("reportingComponent")
        return (source, thing["type"], thing["reason"], at(thing, "involvedObject", "fieldPath")) == (
            event["source"]["component"], event["type"], event["reason"], event["involvedObject"].get("fieldPath"))

    def _new(self, namespace, message, event):
        """A core/v1 Event; the scheduler's uses the fields of events.k8s.io."""
        involved, stamp = event["involvedObject"], self.clock.timestamp(event["at"])
        number = (self.clock.epoch + event["at"]) * 1_000_000 + int(self.read("recorded")) % 1_000_000
        body = {"kind": "Event", "apiVersion": "v1", "metadata": {"name": f"{involved['name']}.{number:016x}", "namespace": namespace},
                "involvedObject": involved, "reason": event["reason"], "message": message, "type": event["type"]}
        if event["actor"] == "scheduler":
            return {**body, "source": {}, "firstTimestamp": None, "lastTimestamp": None, "eventTime": self.clock.microtime(event["at"]), "action": event.get("action", "Binding"),
                    "reportingComponent": event["source"]["component"], "reportingInstance": "default-scheduler-control-plane"}
        return {**body, "source": event["source"], "firstTimestamp": stamp, "lastTimestamp": stamp, "count": 1, "eventTime": None,
                "reportingComponent": event["source"]["component"], "reportingInstance": event["source"].get("host", "")}

    def _count(self, client, namespace, same, message, event):
        """An event that was there before is counted up."""
        name = same["metadata"]["name"]
        if event["actor"] == "scheduler":
            series = {"count": at(same, "series", "count", default=1) + 1, "lastObservedTime": self.clock.microtime(event["at"])}
            client.patch("events.events.k8s.io", namespace, name, {"series": series})
        else:
            client.patch("events", namespace, name, {"count": same.get("count", 1) + 1, "lastTimestamp": self.clock.timestamp(event["at"]), "message": message})
