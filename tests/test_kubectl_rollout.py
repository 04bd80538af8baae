"""kubectl rollout, set, logs and exec: changing workloads and looking into them."""
from .builders import every, get, kubectl, run

MANAGED = "Warning: resource deployments/web was previously managed with 'kubectl apply'."
TALKER = """
apiVersion: v1
kind: Pod
metadata: {name: talker, labels: {app: talker}}
spec:
  restartPolicy: Never
  initContainers: [{name: first, image: busybox, command: [echo, ready]}]
  containers:
  - {name: app, image: busybox, command: [sh, -c, "for i in 1 2 3; do echo line $i; sleep 5; done"]}
"""


def deployed(cluster, replicas=3):
    kubectl(cluster, f"kubectl create deployment web --image=nginx:1 --replicas={replicas}", seconds=20)


def image(cluster):
    return get(cluster, "deployments.apps", "web")["spec"]["template"]["spec"]["containers"][0]["image"]


def test_a_rollout_is_followed_until_it_is_done(cluster):
    deployed(cluster)
    assert kubectl(cluster, "kubectl set image deploy/web nginx=nginx:2")["stdout"] == "deployment.apps/web image updated\n"
    lines = kubectl(cluster, "kubectl rollout status deploy/web", seconds=60)["stdout"].splitlines()
    assert lines[0] == 'Waiting for deployment "web" rollout to finish: 1 out of 3 new replicas have been updated...'
    assert lines[-1] == 'deployment "web" successfully rolled out'
    assert kubectl(cluster, "kubectl rollout status deploy/web")["stdout"] == 'deployment "web" successfully rolled out\n'


def test_a_rollout_that_does_not_come_to_an_end_is_given_up(cluster):
    deployed(cluster)
    kubectl(cluster, """kubectl patch deploy web -p '{"spec": {"progressDeadlineSeconds": 10}}'""")
    kubectl(cluster, "kubectl set image deploy/web nginx=demo:missing")
    short = kubectl(cluster, "kubectl rollout status deploy/web --timeout=2s", seconds=4)
    assert (short["stderr"], short["exit"]) == ("error: timed out waiting for the condition\n", 1)
    told = kubectl(cluster, "kubectl rollout status deploy/web", seconds=30)
    assert (told["stderr"], told["exit"]) == ('error: deployment "web" exceeded its progress deadline\n', 1)


def test_history_shows_revisions_and_undo_goes_back_to_one(cluster):
    deployed(cluster)
    for version in ("2", "3"):
        kubectl(cluster, f"kubectl set image deploy/web nginx=nginx:{version}", seconds=40)
    kubectl(cluster, "kubectl annotate deploy web kubernetes.io/change-cause=third", seconds=3)
    assert kubectl(cluster, "kubectl rollout history deploy/web")["stdout"] == (
        "deployment.apps/web \nREVISION  CHANGE-CAUSE\n1         <none>\n2         <none>\n3         third\n\n")
    assert "    Image:\tnginx:2\n" in kubectl(cluster, "kubectl rollout history deploy/web --revision=2")["stdout"]
    assert kubectl(cluster, "kubectl rollout undo deploy/web --to-revision=1", seconds=40)["stdout"] == "deployment.apps/web rolled back\n"
    assert image(cluster) == "nginx:1"
    assert kubectl(cluster, "kubectl rollout undo deploy/web --to-revision=4")["stdout"] == (
        "deployment.apps/web skipped rollback (current template already matches revision 4)\n")
    assert kubectl(cluster, "kubectl rollout undo deploy/web --to-revision=9")["stderr"] == "error: unable to find specified revision 9 in history\n"
    kubectl(cluster, "kubectl rollout undo deploy/web", seconds=40)
    assert image(cluster) == "nginx:3"


def test_an_applied_deployment_is_rolled_back_with_a_warning(cluster):
    manifest = kubectl(cluster, "kubectl create deployment web --image=nginx:1 --dry-run=client -o yaml")["stdout"]
    kubectl(cluster, "kubectl apply -f web.yaml", {"web.yaml": manifest}, seconds=20)
    kubectl(cluster, "kubectl set image deploy/web nginx=nginx:2", seconds=20)
    assert kubectl(cluster, "kubectl rollout undo deploy/web")["stderr"].startswith(MANAGED)


def test_a_paused_deployment_is_neither_restarted_nor_rolled_back(cluster):
    deployed(cluster)
    kubectl(cluster, "kubectl set image deploy/web nginx=nginx:2", seconds=40)
    lines = [("pause", "deployment.apps/web paused\n", ""), ("pause", "", 'error: deployments.apps "web" is already paused\n'),
             ("restart", "", 'error: deployments.apps "web" can\'t restart paused deployment (run rollout resume first)\n'),
             ("undo", "", "error: you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again\n"),
             ("resume", "deployment.apps/web resumed\n", ""), ("resume", "", 'error: deployments.apps "web" is not paused\n'),
             ("restart", "deployment.apps/web restarted\n", "")]
    for act, out, err in lines:
        told = kubectl(cluster, f"kubectl rollout {act} deploy/web")
        assert (told["stdout"], told["stderr"]) == (out, err)


def test_settings_of_the_template_can_be_changed_one_by_one(cluster):
    deployed(cluster, 1)
    kubectl(cluster, "kubectl create configmap settings --from-literal=log.level=info")
    kubectl(cluster, "kubectl set env deploy/web A=1 B=2")
    kubectl(cluster, "kubectl set env deploy/web B- --from=configmap/settings --prefix=MY_")
    assert kubectl(cluster, "kubectl set env deploy/web --list")["stdout"] == (
        "# Deployment web, container nginx\nA=1\n# MY_LOG_LEVEL from configmap settings, key log.level\n")
    assert kubectl(cluster,
                   "kubectl set resources deploy web --requests=cpu=100m --limits=cpu=1")["stdout"] == "deployment.apps/web resource requirements updated\n"
    assert kubectl(cluster, "kubectl set serviceaccount deploy web robot")["stdout"] == "deployment.apps/web serviceaccount updated\n"
    spec = get(cluster, "deployments.apps", "web")["spec"]["template"]["spec"]
    assert spec["serviceAccountName"] == "robot"
    assert spec["containers"][0]["resources"] == {"requests": {"cpu": "100m"}, "limits": {"cpu": "1"}}
    assert kubectl(cluster, "kubectl set image deploy/web nope=x:1")["stderr"] == 'error: unable to find container named "nope"\n'
    assert kubectl(cluster, "kubectl set image deploy/web nginx=nginx:1")["stdout"] == ""


def test_a_deployment_is_exposed_by_a_service_that_selects_its_pods(cluster):
    deployed(cluster, 1)
    assert kubectl(cluster, "kubectl expose deploy web")["stderr"] == "error: couldn't find port via --port flag or introspection\n"
    assert kubectl(cluster, "kubectl expose deploy web --port=80 --target-port=8080")["stdout"] == "service/web exposed\n"
    spec = get(cluster, "services", "web")["spec"]
    assert (spec["selector"], spec["ports"]) == ({"app": "web"}, [{"port": 80, "protocol": "TCP", "targetPort": 8080}])


def test_a_job_can_be_made_of_a_cron_job(cluster):
    kubectl(cluster, "kubectl create cronjob tick --image=busybox --schedule='0 0 1 1 *' -- echo hi")
    assert kubectl(cluster, "kubectl create job now --from=cronjob/tick")["stdout"] == "job.batch/now created\n"
    meta = get(cluster, "jobs.batch", "now")["metadata"]
    assert meta["annotations"]["cronjob.kubernetes.io/instantiate"] == "manual"
    assert meta["ownerReferences"][0]["name"] == "tick"


def test_a_log_is_read_whole_in_part_or_followed_to_its_end(cluster):
    cluster.kubectl("kubectl apply -f talker.yaml", {"talker.yaml": TALKER})
    run(cluster, 0.3)
    early = kubectl(cluster, "kubectl logs talker -c app", seconds=5)
    assert early["stderr"].startswith('Error from server (BadRequest): container "app" in pod "talker" is waiting to start')
    follow = cluster.kubectl("kubectl logs talker -f")
    run(cluster, 30)
    told = cluster.console.command(follow)
    assert (told["stdout"], told["stderr"]) == ("line 1\nline 2\nline 3\n", 'Defaulted container "app" out of: app, first (init)\n')
    assert kubectl(cluster, "kubectl logs talker --tail=1 -c app")["stdout"] == "line 3\n"
    assert kubectl(cluster, "kubectl logs -l app=talker --all-containers --prefix")["stdout"].splitlines()[0] == "[pod/talker/first] ready"
    assert kubectl(cluster, "kubectl logs talker -c nope")["stderr"] == "error: container nope is not valid for pod talker out of: app, first (init)\n"
    assert kubectl(cluster, "kubectl logs nope")["stderr"] == 'error: error from server (NotFound): pods "nope" not found in namespace "default"\n'


def test_a_command_runs_in_a_container_and_its_exit_code_is_kubectls(cluster):
    deployed(cluster, 2)
    told = kubectl(cluster, "kubectl exec deploy/web -- hostname")
    names = [pod["metadata"]["name"] for pod in every(cluster, "pods", "default")]
    assert told["stdout"].strip() in names
    assert told["stderr"] == f"Found 2 pods, using pod/{told['stdout'].strip()}\n"
    failed = kubectl(cluster, f"kubectl exec {names[0]} -- sh -c 'exit 5'")
    assert (failed["stderr"], failed["exit"]) == ("command terminated with exit code 5\n", 5)
    missing = kubectl(cluster, f"kubectl exec {names[0]} -- nope")
    assert missing["stderr"].startswith("error: Internal error occurred: ")
    assert missing["exit"] == 1
