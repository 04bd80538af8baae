"""The real kubectl and the console at clusters that are alike, and what may differ in what they print."""
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from lifecycle import clusters
from lifecycle.kubernetes_api.kubeconfig import address, kubeconfig

from ..kubectl import Kubectl

PATIENCE = 60                  # seconds that a command may take
SETTLED = 600_000              # virtual ms after which what still moves never comes to rest


class Printed(NamedTuple):
    """What came of a command."""

    exit: int
    out: str
    err: str


class Place:
    """A cluster of one server's database, where both can be used."""

    def __init__(self, server, folder, pace="paused", nodes=3):
        row = clusters.create("web", nodes, seed=1)
        clusters.set_pace(row.pk, pace)
        row = clusters.make_address(row.pk)
        self.pk, self.folder = row.pk, Path(folder)
        self.folder.mkdir(exist_ok=True)
        config = self.folder / "kubeconfig.yaml"
        config.write_text(kubeconfig(row, address(row, server)))
        self.kubectl = Kubectl(config, None, None)

    def typed(self, line, files=None, stdin=None):
        """What the console prints."""
        end = monotonic() + PATIENCE
        with clusters.act(self.pk) as cluster:
            console, id = cluster.simulation.console, cluster.simulation.kubectl(f"kubectl {line}", files, stdin)
            while console.command(id)["exit"] is None and monotonic() < end and cluster.simulation.step():
                pass
            found = console.command(id)
        return Printed(found["exit"], found["stdout"], found["stderr"])
