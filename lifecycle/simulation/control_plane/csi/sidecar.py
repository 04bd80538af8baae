"""What the sidecars of a CSI driver have in common: they carry out what the API asks for by calls to the driver."""
from ...component import Component


class Sidecar(Component):
    """Keeps on disk, under a work key, the driver's call: {"call": name, "began": ms, "until": ms at which it will have finished}."""

    actor = "csi"

    def call(self, key, call, duration, about, object, facts=None):
        """Virtual ms until the driver's call for `key` has finished, 0 if it has. It starts unless it runs, and counts as finished until `key` is forgotten."""
        running = self.read(key)
        if running is None or running["call"] != call:
            self.say("csi", call, f"{call} {about}", object, facts)
            running = {"call": call, "began": self.clock.now, "until": self.clock.now + duration}
            self.write(key, running)
        return max(running["until"] - self.clock.now, 0)
