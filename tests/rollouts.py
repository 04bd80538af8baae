"""What the stories of rollouts share."""
from itertools import groupby

from lifecycle.simulation.objects import condition

HISTORY, PAUSE, RESTART = (f"kubectl rollout {verb} deployment/web" for verb in ("history", "pause", "restart"))
RESUME, STATUS, UNDO = (f"kubectl rollout {verb} deployment/web" for verb in ("resume", "status", "undo"))


def deployment(replicas, image="demo:ok", spec="", env="", probe=False):
    """A Deployment `web`; `spec` are lines of its spec, `env` is one variable as "NAME: VALUE"."""
    name, _, value = env.partition(": ")
    return f"""
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec:
  replicas: {replicas}
  {spec}
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers:
      - name: c
        image: {image}
        env: {f'[{{name: {name}, value: "{value}"}}]' if env else '[]'}
        {'readinessProbe: {httpGet: {path: /ready, port: 80}, periodSeconds: 1}' if probe else ''}
"""


def replica_set(moment, image):
    """The ReplicaSet of an image."""
    found, = [each for each in moment.list("replicasets.apps", "web-") if each["spec"]["template"]["spec"]["containers"][0]["image"] == image]
    return found


def states_of(story, image):
    """Every revision of the ReplicaSet of an image."""
    return story.states("replicasets.apps", replica_set(story.end(), image)["metadata"]["name"])


def runs(values):
    """The values without immediate repetitions."""
    return [value for value, _ in groupby(values)]


def progressing(thing):
    found = condition(thing, "Progressing")
    return found["status"], found["reason"]
