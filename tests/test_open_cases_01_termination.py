"""O01 to O05: how Pods end. Times in the names and comments are seconds after the delete, which is typed at @30s unless a story says otherwise."""
from functools import cache

import pytest

from lifecycle.simulation.objects import condition

from .stories import play

DELETED = 30


def after(seconds):
    """A time so many seconds after the delete was typed; kubectl and the machinery may take half a second."""
    return pytest.approx(DELETED + seconds + 0.25, abs=0.25)


def confirmed(story, name):
    """Whether the object went when the kubelet had listed its containers once more, which it does every second, after the last had ended."""
    ended = max(story.times("ProcessExited", pod=name))
    return ended < story.gone("pods", name) < ended + 1.3


def last_status(story, name):
    """The status in the last MODIFIED watch event before DELETED."""
    states = story.states("pods", name)
    assert [state.type for state in states[-2:]] == ["MODIFIED", "DELETED"]
    return states[-2].object["status"]


def end_of(status, container="c"):
    """(exit code, reason) of a container that has ended."""
    ended = next(each for each in status["containerStatuses"] + status.get("initContainerStatuses", []) if each["name"] == container)["state"]["terminated"]
    return ended["exitCode"], ended["reason"]


# -- O01 --------------------------------------------------------------------------------------------------------------------
@cache
def a_long_prestop(seconds, term="IGNORE_TERM"):
    return play("""
        @0s kubectl apply -f web.yaml
        @30s kubectl delete pod web
        @70s end
    """, {"web.yaml": f"""
apiVersion: v1
kind: Pod
metadata: {{name: web}}
spec:
  terminationGracePeriodSeconds: 30
  containers:
  - name: c
    image: demo:deaf
    env: [{{name: {term}, value: "1"}}]
    lifecycle: {{preStop: {{exec: {{command: ["sleep", "{seconds}"]}}}}}}
"""})


def test_o01_the_deletion_timestamp_lies_in_the_future_by_the_grace_period():
    meta = a_long_prestop(300).at(31).get("pods", "web")["metadata"]
    assert meta["deletionGracePeriodSeconds"] == 30
    assert meta["deletionTimestamp"] == "2026-01-01T00:01:00Z"


def test_o01_a_prestop_hook_longer_than_the_grace_period_gets_two_seconds_once():
    story = a_long_prestop(300)
    assert story.times("RunPreStopHook", pod="web") == [after(0)]
    assert story.times("SendSIGTERM", pod="web") == [after(30)]
    assert [step.facts["timeout"] for step in story.messages("StopContainer", pod="web")] == [2]
    assert story.times("SendSIGKILL", pod="web") == [after(32)]
    assert confirmed(story, "web")


def test_o01_the_container_was_killed_and_its_hook_died_with_it():
    story = a_long_prestop(300)
    status = last_status(story, "web")
    assert end_of(status) == (137, "Error")
    assert status["phase"] == "Failed"
    killing, = story.events("web", "Killing")
    assert (killing.type, killing.message, killing.at) == ("Normal", "Stopping container c", after(0))
    failed, = story.events("web", "FailedPreStopHook")
    assert (failed.type, failed.message, failed.at) == ("Warning", "PreStopHook failed", after(32))


def test_o01_the_hook_of_an_image_that_obeys_dies_at_sigterm():
    failed, = a_long_prestop(300, "UNUSED").events("web", "FailedPreStopHook")
    assert failed.at == after(30)


def test_o01_the_last_change_before_the_object_goes_sets_the_grace_to_zero_and_the_deletion_to_now():
    modified, deleted = a_long_prestop(300).states("pods", "web")[-2:]
    assert modified.object["metadata"]["deletionGracePeriodSeconds"] == 0
    assert modified.object["metadata"]["deletionTimestamp"] == f"2026-01-01T00:01:{int(modified.at) - 60:02}Z"
    assert deleted.type == "DELETED"


def test_o01_a_shorter_hook_takes_its_time_from_the_grace_period():
    story = a_long_prestop(10)
    assert story.times("SendSIGTERM", pod="web") == [after(10)]
    assert story.times("SendSIGKILL", pod="web") == [after(30)]
    assert story.events("web", "FailedPreStopHook") == []


# -- O02 --------------------------------------------------------------------------------------------------------------------
@cache
def three_ways_to_end():
    return play("""
        @0s kubectl apply -f pods.yaml
        @30s kubectl delete pod a b c
        @40s kubectl delete pod a --wait=false
        @80s end
    """, {"pods.yaml": """
apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  containers:
  - {name: c, image: "busybox:1.36", command: [sh, -c, "sleep 1000; true"]}
---
apiVersion: v1
kind: Pod
metadata: {name: b}
spec:
  shareProcessNamespace: true
  containers:
  - {name: c, image: "busybox:1.36", command: [sh, -c, "sleep 1000; true"]}
---
apiVersion: v1
kind: Pod
metadata: {name: c}
spec:
  containers:
  - {name: c, image: "demo:ok", env: [{name: TERM_DELAY, value: "5"}]}
"""})


@pytest.mark.parametrize("name, seconds, end, phase", [
    ("a", 30, (137, "Error"), "Failed"),
    ("b", 0, (143, "Error"), "Failed"),
    ("c", 5, (0, "Completed"), "Succeeded"),
])
def test_o02_a_container_that_ignores_dies_of_or_handles_sigterm(name, seconds, end, phase):
    story = three_ways_to_end()
    assert story.times("SendSIGTERM", pod=name) == [after(0)]
    assert story.times("ProcessExited", pod=name) == [after(seconds)]
    status = last_status(story, name)
    assert end_of(status) == end
    assert status["phase"] == phase
    killing, = story.events(name, "Killing")
    assert (killing.message, killing.at) == ("Stopping container c", after(0))


def test_o02_only_the_one_that_ignores_is_killed():
    story = three_ways_to_end()
    assert [step.facts["pod"] for step in story.messages("SendSIGKILL")] == ["a"]


def test_o02_kubectl_waits_until_the_last_object_is_gone():
    story = three_ways_to_end()
    assert story.ended("kubectl delete pod a b c") == pytest.approx(story.gone("pods", "a"), abs=0.1)
    assert confirmed(story, "a")
    assert story.printed("kubectl delete pod a b c") == "".join(f'pod "{name}" deleted from default namespace\n' for name in "abc")


def test_o02_without_waiting_kubectl_returns_at_once():
    assert three_ways_to_end().ended("kubectl delete pod a --wait=false") < 41


# -- O03 --------------------------------------------------------------------------------------------------------------------
FORCE = "kubectl delete pod web --grace-period=0 --force --wait=false"
IMPATIENT = "kubectl delete pod web --grace-period=0 --force --timeout=3s"
ADD = """kubectl patch pod web --type=json -p '[{"op":"add","path":"/metadata/finalizers/-","value":"example.com/two"}]'"""
REMOVE = """kubectl patch pod web --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'"""
CHANGES = (
    "kubectl label pod web a=b",
    "kubectl set image pod/web c=demo:ok2",
    """kubectl patch pod web -p '{"spec":{"activeDeadlineSeconds":1000}}'""",
)
REFUSED = """kubectl patch pod web -p '{"spec":{"containers":[{"name":"c","env":[{"name":"A","value":"b"}]}]}}'"""


@cache
def a_held_pod(code="0"):
    changes = "\n".join(f"@{110 + number}s {line}" for number, line in enumerate((*CHANGES, REFUSED)))
    return play(f"""
        @0s kubectl apply -f web.yaml
        @30s kubectl delete pod web --wait=false
        @31s kubectl get pod web
        @60s kubectl get pod web
        @90s {FORCE}
        @91s kubectl get pod web
        @100s {IMPATIENT}
        @105s {ADD}
        {changes}
        @150s {REMOVE}
        @160s end
    """, {"web.yaml": f"""
apiVersion: v1
kind: Pod
metadata:
  name: web
  finalizers: [example.com/hold]
spec:
  containers:
  - {{name: c, image: "busybox:1.36", command: [sh, -c, "trap 'sleep 3; exit {code}' TERM; while true; do sleep 0.2; done"]}}
"""})


def row(story, line, number=1):
    return story.printed(line, number).splitlines()[1].split()


def test_o03_the_kubelet_confirms_and_the_finalizer_holds():
    story = a_held_pod()
    assert story.at(31).get("pods", "web")["metadata"]["deletionGracePeriodSeconds"] == 30
    held = story.at(60).get("pods", "web")
    assert held["metadata"]["deletionGracePeriodSeconds"] == 0
    assert held["metadata"]["finalizers"] == ["example.com/hold"]
    assert held["status"]["phase"] == "Succeeded"


def test_o03_status_is_terminating_while_the_container_runs_and_completed_after():
    story = a_held_pod()
    assert row(story, "kubectl get pod web")[1:3] == ["1/1", "Terminating"]
    assert row(story, "kubectl get pod web", 2)[1:3] == ["0/1", "Completed"]


def test_o03_an_exit_code_other_than_zero_makes_it_error():
    story = a_held_pod("3")
    assert row(story, "kubectl get pod web", 2)[1:3] == ["0/1", "Error"]
    assert story.at(60).get("pods", "web")["status"]["phase"] == "Failed"


def test_o03_force_says_deleted_and_the_pod_stays():
    story = a_held_pod()
    forced = story.command(FORCE)
    assert forced["stdout"] == 'pod "web" force deleted from default namespace\n'
    assert forced["stderr"] == ("Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. "
                                "The resource may continue to run on the cluster indefinitely.\n")
    assert story.at(99).get("pods", "web") is not None


def test_o03_a_forced_delete_that_waits_times_out():
    story = a_held_pod()
    assert story.command(IMPATIENT)["stderr"].splitlines()[-1] == "error: timed out waiting for the condition on pods/web"
    assert story.exit(IMPATIENT) == 1
    assert story.ended(IMPATIENT) == pytest.approx(103, abs=1)


def test_o03_no_finalizer_can_be_added_any_more():
    story = a_held_pod()
    assert story.exit(ADD) == 1
    assert story.printed(ADD) == ('The Pod "web" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, '
                                  'found new finalizers []string{"example.com/two"}\n')


@pytest.mark.parametrize("line", CHANGES)
def test_o03_a_terminating_pod_can_be_edited_like_any_other(line):
    assert a_held_pod().exit(line) == 0


def test_o03_other_fields_are_refused_as_ever():
    story = a_held_pod()
    assert story.exit(REFUSED) == 1
    assert story.printed(REFUSED).startswith('The Pod "web" is invalid: spec: Forbidden: pod updates may not change fields other than '
                                             '`spec.containers[*].image`,`spec.initContainers[*].image`,')


def test_o03_the_request_that_empties_the_finalizers_removes_the_pod():
    story = a_held_pod()
    assert story.gone("pods", "web") == story.times("PatchPod")[-1]
    assert story.printed(REMOVE) == "pod/web patched\n"


# -- O04 --------------------------------------------------------------------------------------------------------------------
SERVICES = """
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: pub}
spec: {publishNotReadyAddresses: true, selector: {app: web}, ports: [{port: 80}]}
"""


HOOK = "lifecycle: {preStop: {exec: {command: [sleep, \"20\"]}}}"


def a_web_deployment(hook=HOOK):
    return f"""
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec:
  replicas: 2
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      containers:
      - name: app
        image: demo:ok
        ports: [{{containerPort: 80}}]
        readinessProbe: {{httpGet: {{path: /ready, port: 80}}, periodSeconds: 2}}
        {hook}
"""


@cache
def a_terminating_endpoint():
    """The story, and the name and the address of the Pod that goes."""
    story = play("""
        @0s kubectl apply -f services.yaml
        @0s kubectl apply -f web.yaml
        @20s end
    """, {"services.yaml": SERVICES, "web.yaml": a_web_deployment()})
    pod = story.end().list("pods", "web-")[0]
    story.go_on(f"""
        @30s kubectl delete pod {pod["metadata"]["name"]}
        @35s kubectl get pods
        @70s end
    """)
    return story, pod["metadata"]["name"], pod["status"]["podIP"]


def conditions_of(moment, service, address):
    """The conditions of an endpoint in a Service's slices, or None if it is not there."""
    for piece in moment.list("endpointslices.discovery.k8s.io", service + "-"):
        for endpoint in piece["endpoints"] or ():
            if address in endpoint["addresses"]:
                return endpoint["conditions"]
    return None


def addresses_of(moment, service):
    """(ready, not ready) addresses of the legacy Endpoints."""
    subsets = moment.get("endpoints", service).get("subsets") or []
    return tuple([address["ip"] for subset in subsets for address in subset.get(field) or ()] for field in ("addresses", "notReadyAddresses"))


def test_o04_a_terminating_endpoint_is_not_ready_but_serves():
    story, _, address = a_terminating_endpoint()
    assert conditions_of(story.at(30.5), "web", address) == {"ready": False, "serving": True, "terminating": True}


def test_o04_the_legacy_endpoints_no_longer_list_it_at_all():
    story, _, address = a_terminating_endpoint()
    ready, not_ready = addresses_of(story.at(30.5), "web")
    assert address not in ready + not_ready
    assert len(ready) == 1


def test_o04_publishing_not_ready_addresses_keeps_it_ready_and_listed():
    story, _, address = a_terminating_endpoint()
    assert conditions_of(story.at(30.5), "pub", address) == {"ready": True, "serving": True, "terminating": True}
    assert address in addresses_of(story.at(30.5), "pub")[0]


def test_o04_the_pod_stays_ready_while_it_terminates():
    story, name, _ = a_terminating_endpoint()
    assert condition(story.at(45).get("pods", name), "Ready")["status"] == "True"
    line = next(line for line in story.printed("kubectl get pods").splitlines() if line.startswith(name))
    assert line.split()[1:3] == ["1/1", "Terminating"]


def test_o04_the_replacement_comes_at_once():
    story, name, _ = a_terminating_endpoint()
    pods = story.at(30.5).names("pods", "web-")
    assert len(pods) == 3
    assert name in pods


def test_o04_the_endpoint_leaves_when_the_phase_is_final_and_before_the_pod_goes():
    story, name, address = a_terminating_endpoint()
    slices = [state for each in story.end().names("endpointslices.discovery.k8s.io", "web-") for state in story.states("endpointslices.discovery.k8s.io", each)]
    left = next(state.at for state in slices if state.at > DELETED and all(address not in endpoint["addresses"] for endpoint in state.object["endpoints"]))
    final = next(state.at for state in story.states("pods", name) if state.object["status"]["phase"] == "Succeeded")
    assert after(20) == final <= left <= story.gone("pods", name)


def test_o04_without_a_hook_the_signal_and_the_endpoints_race():
    # Both follow from the same delete: SIGTERM waits for nobody, and nobody waits for the proxies.
    story = play("""
        @0s kubectl apply -f services.yaml
        @0s kubectl apply -f web.yaml
        @20s end
    """, {"services.yaml": SERVICES, "web.yaml": a_web_deployment(hook="")})
    name = story.end().names("pods", "web-")[0]
    story.go_on(f"@30s kubectl delete pod {name}\n@32s end")
    signal, = story.times("SendSIGTERM", pod=name)
    dropped = next(step.at / 1000 for step in story.messages("SyncProxyRules", service="web") if step.at / 1000 > DELETED and step.facts["removed"])
    assert DELETED < signal < dropped < signal + 1


def test_o04_readiness_probing_goes_on_and_liveness_probing_does_not():
    story = play("""
        @0s kubectl apply -f services.yaml
        @0s kubectl apply -f web.yaml
        @30s kubectl delete pod web
        @45s kubectl get pod web
        @70s end
    """, {"services.yaml": SERVICES, "web.yaml": """
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec:
  containers:
  - name: app
    image: demo:ok
    lifecycle: {preStop: {exec: {command: [sh, -c, "touch /tmp/bad; sleep 20"]}}}
    readinessProbe: {exec: {command: [sh, -c, "test ! -e /tmp/bad"]}, periodSeconds: 2, failureThreshold: 2}
    livenessProbe: {exec: {command: [sh, -c, "test ! -e /tmp/bad"]}, periodSeconds: 2, failureThreshold: 2}
"""})
    assert [event.message for event in story.events("web", "Unhealthy")] == ["Readiness probe failed: "]
    assert row(story, "kubectl get pod web")[1:3] == ["0/1", "Terminating"]
    address = story.at(29).get("pods", "web")["status"]["podIP"]
    assert conditions_of(story.at(45), "web", address) == {"ready": False, "serving": False, "terminating": True}
    assert story.times("SendSIGTERM", pod="web") == [after(20)]


def test_o04_when_all_endpoints_terminate_those_that_serve_get_the_traffic():
    client = """
apiVersion: v1
kind: Pod
metadata: {name: client}
spec:
  containers:
  - {name: c, image: "busybox:1.36", command: [sleep, "1000"]}
"""
    story = play("""
        @0s kubectl apply -f services.yaml
        @0s kubectl apply -f web.yaml
        @0s kubectl apply -f client.yaml
        @30s kubectl delete deployment web
        @40s kubectl exec client -- wget -qO- http://web
        @60s kubectl exec client -- wget -qO- http://web
        @70s end
    """, {"services.yaml": SERVICES, "web.yaml": a_web_deployment(), "client.yaml": client})
    line = "kubectl exec client -- wget -qO- http://web"
    assert story.exit(line) == 0
    assert story.printed(line).startswith("hello from web-")
    assert story.exit(line, 2) != 0


# -- O05 --------------------------------------------------------------------------------------------------------------------
TRAP = "trap 'sleep {seconds}; exit 0' TERM; while true; do sleep 0.05; done"
PRESTOP = "lifecycle: {preStop: {sleep: {seconds: 2}}}"


def with_sidecars(main, hook="", first="", grace=30):
    """A Pod with the sidecars s1 and s2, which take 1 s to exit."""
    sidecar = f'image: "busybox:1.36", restartPolicy: Always, command: [sh, -c, "{TRAP.format(seconds=1)}"]' + (f", {hook}" if hook else "")
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: side}}
spec:
  terminationGracePeriodSeconds: {grace}
  initContainers:
  - {{name: s1, {sidecar}{first}}}
  - {{name: s2, {sidecar}}}
  containers:
  - {{name: main, {main}{", " + hook if hook else ""}}}
"""


@cache
def sidecars(main, hook="", first="", grace=30):
    return play("""
        @0s kubectl apply -f side.yaml
        @30s kubectl delete pod side
        @90s end
    """, {"side.yaml": with_sidecars(main, hook, first, grace)})


SLOW = f'image: "busybox:1.36", command: [sh, -c, "{TRAP.format(seconds=5)}"]'
DEAF = 'image: "demo:deaf", env: [{name: IGNORE_TERM, value: "1"}]'
NEVER = ", startupProbe: {exec: {command: [\"false\"]}, failureThreshold: 1000}"


def signals(story, reason="SendSIGTERM"):
    return [(step.facts["container"], step.at / 1000) for step in story.messages(reason, pod="side")]


def test_o05_all_hooks_and_all_killing_events_come_at_once():
    story = sidecars(SLOW, PRESTOP)
    assert story.times("RunPreStopHook", pod="side") == [after(0)] * 3
    killing = story.events("side", "Killing")
    assert sorted(event.message for event in killing) == [f"Stopping container {name}" for name in ("main", "s1", "s2")]
    assert [event.at for event in killing] == [after(0)] * 3


def test_o05_sidecars_get_their_signal_after_main_the_last_declared_first():
    story = sidecars(SLOW, PRESTOP)
    assert signals(story) == [("main", after(2)), ("s2", after(7)), ("s1", after(8))]
    assert max(story.times("ProcessExited", pod="side")) == after(9)
    assert story.messages("SendSIGKILL", pod="side") == []
    assert confirmed(story, "side")


def test_o05_each_gets_what_is_left_of_the_grace():
    given = [step.facts["timeout"] for step in sidecars(SLOW, PRESTOP).messages("StopContainer", pod="side")]
    assert given == [28, 23, 22]


def test_o05_a_deaf_main_container_leaves_two_seconds_to_the_sidecars():
    story = sidecars(DEAF)
    assert signals(story, "SendSIGKILL") == [("main", after(30))]
    assert signals(story)[0] == ("main", after(0))
    assert sorted(signals(story)[1:]) == [("s1", after(30)), ("s2", after(30))]
    assert [step.facts["timeout"] for step in story.messages("StopContainer", pod="side")] == [30, 2, 2]
    assert max(story.times("ProcessExited", pod="side")) == after(31)
    assert confirmed(story, "side")


def test_o05_a_sidecar_that_never_started_gets_its_signal_at_once():
    story = sidecars(SLOW, "", NEVER)
    assert signals(story) == [("s1", after(0))]
    assert confirmed(story, "side")
    assert last_status(story, "side")["phase"] == "Failed"
