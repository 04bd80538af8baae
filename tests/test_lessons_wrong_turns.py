"""Every wrong turn that a lesson explains is seen when somebody takes it."""
import pytest

from lifecycle.lessons import acting
from lifecycle.lessons.catalog import find, folders
from lifecycle.lessons.loading import load
from lifecycle.lessons.playing import Player
from lifecycle.simulation.cluster import Cluster

TIME = "wait 40"                 # until what was done has had its effect
UNGUARDED = """--type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'"""
POLICY = """'{"spec":{"restartPolicy":"Never"}}'"""
# {lesson: {task: {wrong turn: the lines of somebody who takes it}}}
TURNS = {
    "components": {
        "everyone": {"bare-pod": ["kubectl run other --image=nginx"]},
        "no-scheduler": {"other-name": ["kubectl run other --image=nginx"]},
        "start-scheduler": {"created-again": ["kubectl run again --image=nginx"]},
        "no-controllers": {"deployment-deleted": ["kubectl delete deployment web"]},
    },
    "a-pod-is-born": {
        "store": {"other-name": ["kubectl run other --image=nginx"]},
        "start": {"deleted": ["kubectl delete pod hello"]},
        "read": {"wide": ["kubectl get pods -o wide"]},
        "refused": {"no-validation": ["kubectl apply -f typo.yaml --validate=false"]},
    },
    "a-deployment-is-born": {
        "create": {"other-name": ["kubectl create deployment other --image=nginx"], "bare-pod": ["kubectl run other --image=nginx"]},
        "replace": {"whole": ["kubectl delete deployment web"], "replicaset": ["kubectl delete replicasets --all"]},
        "release": {"deleted": ["kubectl delete pods --field-selector spec.nodeName=n3"], "template": ["kubectl label deployment web team=red"]},
        "adopt": {"scaled": ["kubectl scale deployment web --replicas=4"], "deleted": ["kubectl delete pods -l !app"]},
        "service": {"no-endpoints": ["kubectl create service clusterip other --tcp=80"]},
    },
    "phases": {
        "pending": {"deleted": ["kubectl apply -f missing-image.yaml", "kubectl delete pod lost"],
                    "other-change": ["kubectl apply -f missing-image.yaml", f"kubectl patch pod lost -p {POLICY}"]},
        "half": {"deleted": ["kubectl apply -f two.yaml", "kubectl delete pod two"]},
        "terminating": {"forced": ["kubectl delete pod stubborn --force"]},
        "unreachable": {"deleted": ["kubectl delete pod far --wait=false"]},
    },
    "where-it-runs": {
        "roomiest": {"other-name": ["kubectl run other --image=nginx"]},
        "full": {"changed": ["kubectl apply -f big.yaml", f"kubectl patch pod big -p {POLICY}"],
                 "deleted": ["kubectl apply -f big.yaml", "kubectl delete pod big"]},
        "label": {"pod-labelled": ["kubectl apply -f picky.yaml", "kubectl label pod picky disk=ssd"], "other-value": ["kubectl label node n2 disk=hdd"]},
        "taint": {"no-execute": ["kubectl taint node n1 team=red:NoExecute"], "cordoned": ["kubectl cordon n1"]},
        "gate": {"changed": ["kubectl apply -f gated.yaml", """kubectl patch pod gated -p '{"spec":{"nodeName":"n1"}}'"""]},
    },
    "sandbox-network-volumes": {
        "store": {"claim-deleted": ["kubectl delete pvc data --wait=false"]},
        "share": {"wrong-container": ["kubectl apply -f pair.yaml", "wait 10", "kubectl exec pair -c web -- ps"]},
        "missing": {"deleted": ["kubectl apply -f needs.yaml", "kubectl delete pod needs"],
                    "other-name": ["kubectl create configmap setting --from-literal=a=b"]},
    },
    "health-checks": {
        "unready": {"deleted": ["kubectl delete pod shop"], "service": ["kubectl delete service shop"]},
        "patient": {"killed": ["kubectl apply -f patient.yaml", "wait 5", "container patient/app startup fail", "wait 120"],
                    "changed": ["kubectl apply -f patient.yaml", f"kubectl patch pod patient -p {POLICY}"]},
    },
    "resources-events-logs": {
        "throttled": {"deleted": ["kubectl delete pod busy"]},
        "killed": {"changed": ["kubectl apply -f greedy.yaml", f"kubectl patch pod greedy -p {POLICY}"]},
        "logs": {"too-early": ["kubectl apply -f diary.yaml", "wait 5", "kubectl logs diary --previous"]},
    },
    "crash-and-back-off": {
        "crash": {"deleted": ["kubectl apply -f painter.yaml", "kubectl delete pod painter"]},
        "loop": {"early": ["kubectl create configmap settings --from-literal=color=blue"], "deleted": ["kubectl delete pod painter"]},
        "repair": {"key": ["kubectl create configmap settings --from-literal=size=1"], "deleted": ["kubectl delete pod painter"]},
    },
    "a-graceful-end": {
        "delete": {"forced": ["kubectl delete pod web --force"], "service": ["kubectl delete service web"]},
        "team": {"forced": ["kubectl delete pod team --now"]},
    },
    "sigterm-ignored": {
        "deaf": {"hurried": ["kubectl delete pod deaf --grace-period=3"]},
        "slow": {"hurried": ["kubectl delete pod slow --now"]},
        "hasty": {"forced": ["kubectl delete pod hasty --force"], "patient": ["kubectl delete pod hasty --wait=false"]},
        "forced": {"patient": ["kubectl delete pod forced"]},
        "polite": {"forced": ["kubectl apply -f polite.yaml", "kubectl delete pod polite --force"],
                   "early": ["kubectl apply -f polite.yaml", "kubectl delete pod polite"]},
    },
    "deleting-a-deployment": {
        "pod": {"deployment": ["kubectl delete deployment web"]},
        "background": {"policy": ["kubectl delete deployment web --cascade=foreground"], "replicaset": ["kubectl delete replicasets --all"]},
        "foreground": {"background": ["kubectl apply -f web.yaml", "kubectl delete deployment web"],
                       "orphan": ["kubectl apply -f web.yaml", "kubectl delete deployment web --cascade=orphan"]},
        "orphan": {"background": ["kubectl apply -f web.yaml", "kubectl delete deployment web"]},
        "adopt": {"replicaset": ["kubectl delete replicasets --all"]},
    },
    "finalizers": {
        "delete": {"released": [f"kubectl patch pod guarded {UNGUARDED}", "kubectl delete pod guarded"]},
        "force": {"released": [f"kubectl patch pod guarded {UNGUARDED}"]},
        "release": {"again": ["kubectl delete pod guarded --wait=false"]},
        "claim": {"pod": ["kubectl delete pod db"]},
        "user": {"by-hand": [f"kubectl patch pvc data {UNGUARDED}"]},
    },
    "a-node-dies": {
        "power": {"other": ["node n2 down", "wait 60"], "node": ["kubectl delete node n3"]},
        "wait": {"deleted": ["kubectl delete pod lonely --wait=false"]},
        "return": {"forced": ["kubectl delete pod lonely --force"]},
    },
    "rolling-update": {
        "update": {"image": ["kubectl set image deployment/web nginx=nginx:missing"], "deleted": ["kubectl delete deployment web"]},
        "broken": {"undone": ["kubectl set image deployment/web nginx=nginx:missing", "wait 5", "kubectl rollout undo deployment/web"]},
        "undo": {"deleted": ["kubectl delete pods --all"]},
        "pause": {"running": ["kubectl set image deployment/web nginx=nginx:1.29"]},
    },
    "documents-and-truth": {
        "end": {"forced": ["kubectl delete pods -l app=shop --force"], "deployment": ["kubectl delete deployment shop"]},
        "cascade": {"policy": ["kubectl delete deployment shop --cascade=foreground"]},
        "node": {"node": ["kubectl delete node n3"]},
    },
}
CASES = [(slug, task, wrong) for slug, tasks in TURNS.items() for task, turns in tasks.items() for wrong in turns]


@pytest.mark.parametrize("slug, task, wrong", CASES)
def test_a_wrong_turn_is_seen(slug, task, wrong):
    lesson = find(slug)
    simulation = Cluster(1)
    player = Player(lesson, simulation)
    player.open()
    for line in solution_before(lesson, task):
        acting.do(simulation, line, lesson.files, player.follow)
    assert player.follower.state["task"] == task and not player.follower.state["wrong"].get(task)
    for line in (*TURNS[slug][task][wrong], TIME):
        acting.do(simulation, line, lesson.files, player.follow)
    assert wrong in player.follower.state["wrong"].get(task, ())


def solution_before(lesson, id):
    """The lines that lead to a task."""
    for task in lesson.tasks:
        if task.id == id:
            return
        yield from task.solution


def test_no_wrong_turn_is_left_out():
    named = {(lesson.slug, task.id, wrong.id) for lesson in map(load, folders()) for task in lesson.tasks for wrong in task.wrong}
    assert named == set(CASES)
