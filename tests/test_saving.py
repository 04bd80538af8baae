"""A cluster can be put down between any two work items and taken up elsewhere; nobody can tell from what follows."""
import orjson
import pytest

from lifecycle.simulation.state import loaded, saved

from .builders import a_cluster
from .freezing import freeze

EVERYTHING = """
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: nginx, volumeMounts: [{name: data, mountPath: /data}], readinessProbe: {httpGet: {port: 80}}}
      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
"""

IMPORTANT = '{"spec": {"priorityClassName": "high", "containers": [{"name": "big", "image": "nginx", "resources": {"requests": {"cpu": "1"}}}]}}'
PLACED = '{"spec": {"nodeName": "n1"}}'

STORIES = {
    "a Pod comes and goes": [(0, "kubectl run web --image=nginx"), (10, "kubectl delete pod web"), (20, None)],
    "a Deployment comes, is updated and goes": [
        (0, "kubectl apply -f all.yaml"), (30, "kubectl set image deployment/web app=nginx:1.28"), (32, "kubectl get pods -w --request-timeout=60s"),
        (90, "kubectl delete -f all.yaml"), (150, None)],
    "things that go wrong": [
        (0, "kubectl run crash --image=busybox -- sh -c 'sleep 1; exit 1'"), (0, "kubectl run lost --image=demo:missing"),
        (1, "kubectl create deployment web --image=nginx --replicas=2"),
        (20, "node n1 down"), (40, "kubectl delete pod crash --grace-period=3"), (120, "node n1 up"), (200, None)],
    "too little room": [
        (0, "kubectl create priorityclass high --value=1000"), (1, "kubectl create deployment low --image=nginx --replicas=4"),
        (2, "kubectl set resources deployment low --requests=cpu=1500m"), (10, f"kubectl run big --image=nginx --overrides='{IMPORTANT}'"),
        (60, "kubectl drain n2 --ignore-daemonsets --force"), (120, None)],
    "a Pod without an owner is adopted before it has a node": [
        (0, "kubectl create deployment web --image=nginx"), (0, "component scheduler stop"), (1, "kubectl run other --image=nginx --labels=app=web"),
        (2, "kubectl label pod other pod-template-hash=x"), (3, "component scheduler start"), (20, None)],
    "Pods that came to a node in another order than they were made are evicted": [
        (0, "kubectl create deployment web --image=nginx --replicas=5"), (0, f"kubectl run direct --image=nginx --overrides='{PLACED}'"),
        (1, "kubectl taint nodes n1 n2 n3 kind=special:NoExecute"), (20, None)],
    "a loop is probed, and then told to end": [
        (0, "kubectl apply -f loop.yaml"), (50, "kubectl logs loop"), (60, "kubectl delete pod loop"), (100, None)],
}
LOOP = """
apiVersion: v1
kind: Pod
metadata: {name: loop}
spec:
  containers:
  - name: app
    image: busybox
    command: [sh, -c, "trap 'sleep 3; exit 0' TERM; while true; do sleep 1; done"]
    livenessProbe: {exec: {command: [test, -d, /tmp]}, periodSeconds: 5}
    readinessProbe: {exec: {command: [sh, -c, "echo asked > /proc/1/fd/1"]}, periodSeconds: 7}
"""


def play(story, every):
    """Plays a story; every so many work items the cluster is saved to bytes and loaded anew. Returns (messages, final state)."""
    cluster, steps, count = a_cluster(), [], 0
    for at, words in story:
        while (due := cluster.queue.due()) is not None and due <= at * 1000:
            cluster.step()
            count += 1
            if every and count % every == 0:
                steps += cluster.log.steps
                cluster = loaded(orjson.loads(orjson.dumps(saved(cluster))), freeze)
        cluster.run_until(at * 1000)
        if words and words.startswith("kubectl"):
            cluster.kubectl(words, {"all.yaml": EVERYTHING, "loop.yaml": LOOP})
        elif words:
            cluster.fault(words)
    return [orjson.dumps(list(step)) for step in steps + cluster.log.steps], orjson.dumps(saved(cluster))


@pytest.mark.parametrize("every, name", [(1, "a Pod comes and goes"), *[(every, name) for name in STORIES for every in (17, 100)]])
def test_saving_and_loading_in_between_changes_nothing(every, name):
    messages, state = play(STORIES[name], 0)
    interrupted, other = play(STORIES[name], every)
    for number, (one, two) in enumerate(zip(messages, interrupted)):
        assert one == two, number
    assert len(messages) == len(interrupted)
    assert state == other


def test_history_and_revisions_survive():
    cluster = a_cluster()
    cluster.kubectl("kubectl run web --image=nginx")
    cluster.run_until(20_000)
    again = loaded(orjson.loads(orjson.dumps(saved(cluster))))
    assert again.etcd.revision == cluster.etcd.revision
    assert again.etcd.since(0) == cluster.etcd.since(0)
    assert again.etcd.get("/registry/pods/default/web") == cluster.etcd.get("/registry/pods/default/web")
