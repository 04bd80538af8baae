"""The real kubectl and the console at clusters that are alike."""
import json
import shlex
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from lifecycle import clusters
from lifecycle.kubernetes_api.kubeconfig import address, kubeconfig
from lifecycle.simulation.resources import registry

from ..kubectl import PATIENCE, Kubectl

MADE = ("pods", "replicasets", "controllerrevisions", "endpoints", "endpointslices", "events", "leases", "nodes")
DRAWN = ("uid", "creationTimestamp", "resourceVersion", "generation")
SETTLED = 600_000              # virtual ms after which what still moves never comes to rest


class Printed(NamedTuple):
    """What came of a command."""

    exit: int
    out: str
    err: str


class Place:
    """A cluster in this process's database, where both the real kubectl (through the server at an address) and the console can be used.

    `files` are {name: text}, for both. `pace` and `speed` are those of the cluster while nobody steps.
    """

    def __init__(self, server, folder, files=(), pace="paused", speed=None):
        row = clusters.create("web", 3, seed=1)
        self.pace = pace, speed
        clusters.set_pace(row.pk, *self.pace)
        row = clusters.make_address(row.pk)
        self.pk, self.files = row.pk, dict(files)
        folder = Path(folder)
        folder.mkdir()
        for name, text in self.files.items():
            (folder / name).write_text(text)
        config = folder / "kubeconfig.yaml"
        config.write_text(kubeconfig(row, address(row, server)))
        self.kubectl = Kubectl(config, None, None)

    def real(self, line):
        """What the real kubectl prints."""
        return Printed(*self.kubectl.run(*shlex.split(line)))

    def typed(self, line):
        """What the console prints; virtual time goes on until it has ended."""
        end = monotonic() + PATIENCE
        with clusters.act(self.pk) as cluster:
            console, id = cluster.simulation.console, cluster.simulation.kubectl(f"kubectl {line}", self.files)
            while console.command(id)["exit"] is None and monotonic() < end and cluster.simulation.step():
                pass
            found = console.command(id)
        return Printed(found["exit"], found["stdout"], found["stderr"])

    def objects(self):
        """What is stored, as sorted texts: who manages which field too, but no status, and none of what controllers make in their own time."""
        with clusters.act(self.pk) as cluster:
            api = cluster.simulation.api
            rows = [row for row in registry().values() if "list" in row.verbs and row.plural not in MADE]
            lists = [(row, api.http("GET", row.path(), show_managed_fields=True)) for row in rows]
            return sorted(_stored(row, item) for row, answer in lists if answer.ok for item in answer.body["items"])

    def settle(self):
        """Let all happen that is to happen."""
        with clusters.act(self.pk) as cluster:
            cluster.simulation.run_until_settled(cluster.simulation.clock.now + SETTLED)
        clusters.set_pace(self.pk, *self.pace)             # real time goes on from there


def _stored(row, thing):
    meta = {name: value for name, value in thing["metadata"].items() if name not in DRAWN}
    owners = [entry for entry in meta.get("managedFields", ()) if entry.get("subresource") != "status"]
    meta["managedFields"] = sorted(({name: value for name, value in entry.items() if name != "time"} for entry in owners), key=str)
    return json.dumps({**{name: value for name, value in thing.items() if name != "status"}, "kind": row.kind, "metadata": meta}, sort_keys=True, indent=1)
