"""O22: a node that loses power, as its Deployment and DaemonSet Pods see it. Times are seconds from the start of the script; the node goes down at 20."""
from functools import cache

from lifecycle.simulation.objects import condition

from .stories import play
from .test_open_cases_20_sets import AGENT, WEB, stateful_set

SPREAD = """
      topologySpreadConstraints:
      - {maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: APP}}}
"""


@cache
def lost():
    return play("""
        @0s kubectl create -f agent.yaml
        @0s kubectl create -f web.yaml
        @0s kubectl create -f db.yaml
        @20s node n3 down
        @600s node n3 up
        @700s end
    """, {"agent.yaml": AGENT, "web.yaml": WEB + SPREAD.replace("APP", "web"), "db.yaml": stateful_set("db", policy="Parallel") + SPREAD.replace("APP", "db")})


def on_n3(moment, prefix):
    return [pod for pod in moment.list("pods", prefix) if pod["spec"].get("nodeName") == "n3"]


def test_o22_the_daemon_pod_stays_but_no_longer_counts_as_wanted():
    moment = lost().at(590)
    pod, = on_n3(moment, "agent-")
    assert "deletionTimestamp" not in pod["metadata"]
    status = moment.get("daemonsets.apps", "agent")["status"]
    assert (status["desiredNumberScheduled"], status["numberMisscheduled"]) == (2, 1)


def test_o22_a_deployment_pod_is_marked_after_300_seconds_and_replaced_at_once():
    story = lost()
    name, = [pod["metadata"]["name"] for pod in on_n3(story.at(15), "web-")]
    marked = next(state for state in story.states("pods", name) if "deletionTimestamp" in state.object["metadata"])
    assert 365 < marked.at < 380
    assert condition(marked.object, "DisruptionTarget")["reason"] == "DeletionByTaintManager"
    others = [each for each in story.at(590).names("pods", "web-") if each not in story.at(15).names("pods")]
    assert 0 <= min(story.states("pods", each)[0].at for each in others) - marked.at < 0.5


def test_o22_a_stateful_pod_is_not_replaced_until_the_node_confirms():
    story = lost()
    pod, = on_n3(story.at(15), "db-")
    name, uid = pod["metadata"]["name"], pod["metadata"]["uid"]
    waiting = story.at(590).get("pods", name)
    assert waiting["metadata"]["uid"] == uid and "deletionTimestamp" in waiting["metadata"]
    back = story.end().get("pods", name)
    assert back["metadata"]["uid"] != uid and story.gone("pods", name) > 600


def test_o22_when_the_node_is_back_the_daemon_pod_counts_again():
    status = lost().end().get("daemonsets.apps", "agent")["status"]
    assert (status["desiredNumberScheduled"], status["numberMisscheduled"]) == (3, 0)
