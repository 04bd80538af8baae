"""Stories of one command that reads one file, f.yaml."""
from .stories import play

APPLY = "kubectl apply -f f.yaml"


def applied(text, command=APPLY):
    """A Story of one command on f.yaml."""
    return play(f"@0s {command}\n@5s end", {"f.yaml": text})


def config(name, body='data: {a: "1"}', more=""):
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n{more}{body}\n"


def made(story, qualified="configmaps"):
    """The names of what the user made."""
    return [name for name in story.end().names(qualified) if name != "kube-root-ca.crt"]


def wrote(story):
    """The write requests of kubectl."""
    return [step for step in story.cluster.log.steps if step.source == "kubectl" and step.target == "apiserver" and not str(step.request).startswith("GET")]
