"""Events as client-go sends them: a moment after they were recorded, in order, counted when they repeat and combined when many are alike."""
from . import broken
from .client import Client
from .component import Component
from .event_correlation import COMBINED, correlated, end_of_series, ended, in_series
from .timings import EVENT_DELAY

MOST_REMEMBERED = 4096         # objects of one source, as in client-go's caches
ACTIONS = {"Scheduled": "Binding", "FailedScheduling": "Scheduling", "Preempted": "Preempting"}
CORE, NEW = "events", "events.events.k8s.io"


class Recorder(Component):
    """Posts what components recorded; each source sends its events in order.

    Work keys are the sources' names, and "SOURCE OBJECT" for series that may have ended. On disk, in spaces of their own: what waits to be sent, and what each
    source remembers of each object (event_correlation.py).
    """

    name = actor = "recorder"                          # part of every process that records, and stopped with none of them
    first_retry = longest_retry = 10_000               # client-go/tools/record, defaultSleepDuration

    def record(self, component, about, kind, reason, message, source=None, field_path=None):
        """Queue an Event. `about` is the object; `source` the event's source ({"component", "host"}), by default the component's own."""
        meta = about["metadata"]
        involved = {"kind": about["kind"], "namespace": meta.get("namespace"), "name": meta["name"], "uid": meta.get("uid"),
                    "apiVersion": about["apiVersion"], "resourceVersion": meta.get("resourceVersion"), "fieldPath": field_path}
        source = source or component.event_source
        user = f"system:node:{source['host']}" if source.get("host") else component.api.user
        sender = "/".join(source.values())
        number = self.read("recorded", 0) + 1
        self.write("recorded", number)
        self.etcd.write(f"events of {sender}", str(number), {
            "involvedObject": {name: value for name, value in involved.items() if value}, "type": kind, "reason": reason, "message": message,
            "source": source, "at": self.clock.now + broken.skew(self.etcd, source.get("host")), "number": number,
            "actor": component.actor, "user": user, "manager": component.manager, "facts": component.facts_of_event(about)})
        self.again(sender, EVENT_DELAY)

    def resync(self):
        return ()

    def reached(self, host):
        """Sources on a node that can reach the API server again send what they have."""
        for space in self.etcd.spaces():
            if space.startswith("events of ") and space.endswith(f"/{host}"):
                self.again(space.removeprefix("events of "))

    def reconcile(self, key):
        """Send the oldest event of a source, or close its series."""
        sender, _, thing = key.partition(" ")
        if thing:
            return self._close_series(sender, thing)
        space = f"events of {sender}"
        waiting = self.etcd.disk(space)
        if not waiting or broken.is_cut_off(self.etcd, sender.rpartition("/")[2]):
            return None
        number, event = next(iter(waiting.items()))
        self.etcd.write(space, number, None)
        send = self._send_new if event["actor"] == "scheduler" else self._send
        send(sender, event, event["involvedObject"].get("namespace") or "default")
        return 1 if waiting else None

    def _client(self, event):
        return Client(self.cluster.api, self.etcd, event["actor"], event["user"], event["manager"], event["facts"])

    def _name(self, event, at):
        """Object and time, in nanoseconds as Kubernetes writes it; the event's number makes it unique."""
        return f"{event['involvedObject']['name']}.{(self.clock.epoch + at) * 1_000_000 + event['number'] % 1_000_000:016x}"

    def _memory(self, sender, event):
        """(disk space, key) of what a source remembers of an object."""
        involved = event["involvedObject"]
        return f"events by {sender}", involved.get("uid") or f"{involved['kind']} {involved.get('namespace', '')} {involved['name']}"

    def _remember(self, space, key, memory):
        self.etcd.write(space, key, memory)
        remembered = self.etcd.disk(space)
        if len(remembered) > MOST_REMEMBERED:
            self.etcd.write(space, next(iter(remembered)), None)

    # -- core/v1 ---------------------------------------------------------------------------------------------------------------
    def _send(self, sender, event, namespace):
        """Post the event or count up the one that it repeats."""
        place, stamp = self._memory(sender, event), self.clock.timestamp(event["at"])
        memory, sent = correlated(self.etcd.read(*place, {}), event, self._name(event, event["at"]), event["at"], stamp)
        self._remember(*place, memory)
        if sent.dropped:
            return
        message = COMBINED + event["message"] if sent.combined else event["message"]
        client = self._client(event)
        if sent.name is not None:
            answer = client.patch(CORE, namespace, sent.name, {"count": sent.count, "lastTimestamp": stamp, "message": message})
            if answer.reason != "NotFound":
                return
        client.create(CORE, namespace, self._event(event, namespace, message, sent, stamp))

    def _event(self, event, namespace, message, sent, stamp):
        reporting = ("", "") if sent.combined else (event["source"]["component"], event["source"].get("host", ""))
        return {"kind": "Event", "apiVersion": "v1", "metadata": {"name": sent.name or self._name(event, event["at"]), "namespace": namespace},
                "involvedObject": event["involvedObject"], "reason": event["reason"], "message": message, "source": event["source"],
                "firstTimestamp": sent.first, "lastTimestamp": stamp, "count": sent.count, "type": event["type"], "eventTime": None,
                "reportingComponent": reporting[0], "reportingInstance": reporting[1]}

    # -- events.k8s.io ---------------------------------------------------------------------------------------------------------
    def _send_new(self, sender, event, namespace):
        """Post the event, or tell that its series begins; after that it is only counted here until the series ends."""
        space, key = self._memory(sender, event)
        memory, (name, count) = in_series(self.etcd.read(space, key, {}), event, self._name(event, event["at"]), event["at"])
        self._remember(space, key, memory)
        if name is None:
            self.etcd.write(f"series of {sender}", key, event)
            self.queue.add(self.name, f"{sender} {key}", end_of_series(event["at"]) + 1)
        elif count == 1:
            self._client(event).create(NEW, namespace, self._new_event(event, namespace, name))
        else:
            self._tell_series(event, name, count, event["at"])

    def _tell_series(self, event, name, count, last):
        series = {"count": count, "lastObservedTime": self.clock.microtime(last)}
        self._client(event).patch(NEW, event["involvedObject"].get("namespace") or "default", name, {"series": series})

    def _close_series(self, sender, key):
        """Tell how often the events of a series came in the end."""
        space = f"events by {sender}"
        memory, event = self.etcd.read(space, key, {}), self.etcd.read(f"series of {sender}", key)
        for identity, (name, count, last) in memory.items():
            if event is not None and count > 2 and ended(last, self.clock.now):
                self.etcd.write(space, key, {other: value for other, value in memory.items() if other != identity})
                self._tell_series(event, name, count, last)
                return 1
        open_series = [last for _, count, last in memory.values() if count > 2]
        if not open_series:
            self.etcd.write(f"series of {sender}", key, None)
            return None
        self.again(f"{sender} {key}", end_of_series(min(open_series)) + 1 - self.clock.now)
        return None

    def _new_event(self, event, namespace, name):
        component = event["source"]["component"]
        return {"kind": "Event", "apiVersion": "events.k8s.io/v1", "metadata": {"name": name, "namespace": namespace},
                "eventTime": self.clock.microtime(event["at"]), "reportingController": component, "reportingInstance": f"{component}-control-plane",
                "action": ACTIONS.get(event["reason"], event["reason"]), "reason": event["reason"], "regarding": event["involvedObject"],
                "note": event["message"], "type": event["type"], "deprecatedSource": {}, "deprecatedFirstTimestamp": None, "deprecatedLastTimestamp": None}
