"""Sets and Jobs can be put down between any two work items too, in the middle of a sync."""
from functools import cache

import orjson
import pytest

from lifecycle.simulation.state import loaded, saved

from .builders import a_cluster
from .freezing import freeze

MANIFEST = """
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 2
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: app, image: nginx}]}}
  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: app, image: nginx}]}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: sums}
spec:
  completions: 3
  parallelism: 2
  completionMode: Indexed
  backoffLimitPerIndex: 1
  ttlSecondsAfterFinished: 20
  template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox, command: [sh, -c, 'sleep 2; test $JOB_COMPLETION_INDEX != 1']}]}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: tick}
spec:
  schedule: "* * * * *"
  concurrencyPolicy: Replace
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox, command: [sleep, "90"]}]}}}}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: old}
spec:
  replicas: 2
  selector: {app: old}
  template: {metadata: {labels: {app: old}}, spec: {containers: [{name: app, image: nginx}]}}
"""
STORY = [(0, "kubectl apply -f all.yaml"), (20, "kubectl set image sts/db app=nginx:1.28"), (20, "kubectl set image ds/agent app=nginx:1.28"),
         (60, "kubectl scale sts db --replicas=1"), (150, "kubectl delete -f all.yaml --wait=false"), (200, None)]


@cache
def play(every):
    """Plays the story; every so many work items the cluster is saved to bytes and loaded anew. Returns (messages, final state)."""
    cluster, steps, count = a_cluster(), [], 0
    for at, words in STORY:
        while (due := cluster.queue.due()) is not None and due <= at * 1000:
            cluster.step()
            count += 1
            if every and count % every == 0:
                steps += cluster.log.steps
                cluster = loaded(orjson.loads(orjson.dumps(saved(cluster))), freeze)
        cluster.run_until(at * 1000)
        if words:
            cluster.kubectl(words, {"all.yaml": MANIFEST})
    return [orjson.dumps(list(step)) for step in steps + cluster.log.steps], orjson.dumps(saved(cluster))


@pytest.mark.parametrize("every", [31, 100])
def test_saving_and_loading_in_between_changes_nothing(every):
    messages, state = play(0)
    interrupted, other = play(every)
    for number, (one, two) in enumerate(zip(messages, interrupted)):
        assert one == two, number
    assert len(messages) == len(interrupted)
    assert state == other


def test_when_all_is_deleted_no_controller_waits_any_more():
    _, state = play(0)
    waiting = {component for component, *_ in orjson.loads(state)["waiting"]}
    assert waiting.isdisjoint({"statefulset", "daemonset", "job", "cronjob", "ttl-after-finished", "replicationcontroller", "garbage-collector"})
