"""The same seed and the same script give the same bytes, in any process: nothing depends on the order in which Python happens to keep sets and hashes."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MANIFESTS = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, tier: front, team: blue}, annotations: {one: "1", two: "2"}}
    spec:
      topologySpreadConstraints:
      - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: web}}}
      containers:
      - {name: app, image: nginx, volumeMounts: [{name: data, mountPath: /data}], readinessProbe: {httpGet: {port: 80}}}
      - {name: side, image: busybox, command: [sh, -c, "while true; do date; sleep 7; done"]}
      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
---
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
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: app, image: "demo:ok"}]}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 2
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: app, image: "demo:ok"}]}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: tick}
spec:
  schedule: "* * * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: busybox, command: [sh, -c, "sleep 3; exit 1"]}]}}}}
"""
SCRIPT = """
@0s kubectl create priorityclass high --value=1000
@1s kubectl apply -f all.yaml
@20s kubectl run crash --image=busybox -- sh -c 'sleep 1; exit 1'
@30s kubectl set image deployment/web app=nginx:1.28
@40s kubectl create namespace team
@41s kubectl create deployment other --image=demo:ok --replicas=4 -n team
@60s node n1 down
@70s kubectl drain n2 --ignore-daemonsets --delete-emptydir-data --force --timeout=30s
@120s component scheduler stop
@121s kubectl scale deployment web --replicas=5
@130s component scheduler start
@150s kubectl describe pods
@160s kubectl get all -A -o yaml
@170s kubectl delete namespace team --wait=false
@180s node n1 up
@200s node n3 reboot
@300s kubectl delete deployment web --cascade=foreground
@400s kubectl delete all --all
@460s end
"""


def simulate(folder, hash_seed, *options):
    """What `manage.py simulate` writes in a process with this PYTHONHASHSEED."""
    command = [sys.executable, "manage.py", "simulate", "--script", str(folder / "case.script"), "--format", "jsonl", "--objects", *options]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return done.stdout


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "all.yaml").write_text(MANIFESTS)
    (tmp_path / "case.script").write_text(SCRIPT)
    return tmp_path


def test_processes_with_other_hashes_write_the_same_bytes(folder):
    first, *others = (simulate(folder, seed) for seed in ("0", "1", "4242"))
    assert len(first.splitlines()) > 2000
    for other in others:
        for one, two in zip(first.splitlines(), other.splitlines()):
            assert one == two
        assert other == first


def test_another_seed_tells_another_story(folder):
    assert simulate(folder, "0", "--seed", "2") != simulate(folder, "0", "--seed", "3")
