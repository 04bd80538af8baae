"""kubectl version and cluster-info."""
from json import dumps

from lifecycle.simulation.kubectl.commands.config import SERVER
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.flags import boolean, text
from lifecycle.simulation.kubectl.options import Command
from lifecycle.simulation.kubectl.printing.yaml_text import to_yaml

CLIENT = {"major": "1", "minor": "36", "gitVersion": "v1.36.4", "gitCommit": "bb826b1d48562f110659e64e8ec444327433db95", "gitTreeState": "clean",
          "buildDate": "2026-08-20T03:09:25Z", "goVersion": "go1.26.5", "compiler": "gc", "platform": "linux/amd64"}
KUSTOMIZE = "v5.8.1"


def version(invocation):
    """Print the versions of client and server."""
    flags = invocation.flags
    if invocation.args:
        raise CommandError(f"extra arguments: [{' '.join(invocation.args)}]")
    if flags["output"] not in ("", "yaml", "json"):
        raise CommandError("--output must be 'yaml' or 'json'")
    server = None if flags["client"] else (yield from invocation.get("/version", {"timeout": "32s"}))
    if flags["output"]:
        told = {"clientVersion": CLIENT, "kustomizeVersion": KUSTOMIZE, **({"serverVersion": server} if server else {})}
        invocation.write("out", (to_yaml(told) if flags["output"] == "yaml" else dumps(told, indent=2)) + "\n")
        return
    invocation.out(f"Client Version: {CLIENT['gitVersion']}\nKustomize Version: {KUSTOMIZE}")
    if server:
        invocation.out(f"Server Version: {server['gitVersion']}")


def cluster_info(invocation):
    """Say where the control plane is."""
    yield from invocation.get("/api/v1/namespaces/kube-system/services", {"labelSelector": "kubernetes.io/cluster-service=true"})
    invocation.out(f"Kubernetes control plane is running at {SERVER}\n\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.")


COMMANDS = {
    ("version",): Command(version, "[flags]", {"client": boolean(), "output": text(short="o")}),
    ("cluster-info",): Command(cluster_info),
}
