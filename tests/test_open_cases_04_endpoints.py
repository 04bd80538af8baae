"""O04: traffic to a Pod that is deleted."""
from functools import cache

from lifecycle.simulation.objects import condition

from .stories import play
from .terminations import DELETED, after, row

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
HOOK = 'lifecycle: {preStop: {exec: {command: [sleep, "20"]}}}'


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


def test_the_name_of_a_headless_service_without_endpoints_is_unknown():
    headless = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {clusterIP: None, selector: {app: web}, ports: [{port: 80}]}\n"
    story = play("""
        @0s kubectl apply -f headless.yaml
        @0s kubectl run client --image=busybox -- sleep 1000
        @20s kubectl exec client -- wget -qO- http://web
        @25s end
    """, {"headless.yaml": headless})
    assert "bad address 'web'" in story.printed("kubectl exec client -- wget -qO- http://web")
