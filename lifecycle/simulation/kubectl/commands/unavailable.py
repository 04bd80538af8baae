"""Commands of kubectl that need a terminal, a network or files of one's own, which this console does not have."""
from lifecycle.simulation.kubectl.errors import CommandError
from lifecycle.simulation.kubectl.options import Command

REASONS = {
    "certificate": "it has no certificate requests to approve",
    "completion": "it is not a shell",
    "edit": "it has no editor; use kubectl patch or kubectl apply",
    "kuberc": "it has no configuration files",
    "kustomize": "it has no folders of kustomizations; give plain manifests",
    "plugin": "it has no plugins",
    "port-forward": "nothing can connect to it; use kubectl exec POD -- wget -qO- URL",
    "proxy": "nothing can connect to it; use kubectl get --raw PATH",
}


def unavailable(name, reason):
    """A command that only says why it is not here."""
    def run(invocation):
        yield from ()
        raise CommandError(f"this console has no \"kubectl {name}\": {reason}")
    return run


COMMANDS = {(name,): Command(unavailable(name, reason), flags=None) for name, reason in REASONS.items()}
