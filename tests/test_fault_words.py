"""Faults are sentences: how they are said, what they may name, and how the log tells them."""
import pytest

from lifecycle.explanations import LANGUAGES
from lifecycle.explanations.texts import entry, source_of
from lifecycle.simulation.faults import FAULTS

from .builders import a_pod, create, run, said


@pytest.mark.parametrize("words, sentence", [
    ("node n9 down", 'there is no node "n9"'),
    ("component magic stop", 'there is no component "magic"'),
    ("component kubectl slow", 'there is no component "kubectl"'),
    ("container web crash", 'there is no Pod "default/web" on a node'),
    ("container there/sidecar hang", 'Pod "default/there" has no container "sidecar"; it has app'),
    ("container there liveness fail", 'container "app" of Pod "default/there" has no liveness probe'),
    ("image Nginx missing", '"Nginx" is no image name'),
    ("image nginx slow 1", '"1" is no factor from 2 to 100000'),
    ("registry docker.io/library unreachable", '"docker.io/library" is no registry'),
    ("csi attach slow soon", '"soon" is no number of seconds'),
    ("node n1 clock yesterday", '"yesterday" is no time to jump by'),
    ("clock -5m", "goes forward only"),
    ("node n1 explode", 'unknown fault "node n1 explode"; known are "node NODE down"'),
    ("nonsense", 'unknown fault "nonsense"'),
    ("", 'unknown fault ""'),
])
def test_what_is_not_known_or_not_there_is_refused_with_a_sentence_and_leaves_no_trace(cluster, words, sentence):
    create(cluster, a_pod("there", nodeName="n1"))
    run(cluster, 5)
    before = cluster.log.seq, cluster.etcd.disk("faults").copy()
    with pytest.raises(ValueError, match=sentence):
        cluster.fault(words)
    assert (cluster.log.seq, cluster.etcd.disk("faults")) == before


def test_a_container_that_does_not_run_cannot_crash(cluster):
    create(cluster, a_pod("web", "demo:missing", nodeName="n1"))
    run(cluster, 5)
    with pytest.raises(ValueError, match='container "app" of Pod "default/web" does not run'):
        cluster.fault("container web crash")
    assert not said(cluster, "CrashContainer")


@pytest.mark.parametrize("reason", sorted({fault.reason for fault in FAULTS}))
def test_every_fault_is_explained_with_its_source(reason):
    for language in LANGUAGES:
        assert {"title", "text", "happens", "look"} <= entry(language, reason).keys()
        assert source_of(reason, language)


def test_no_two_faults_are_said_alike():
    assert len({fault.words for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("words, reason, target, facts", [
    ("node n3 down", "BreakNode", "kubelet", {"node": "n3"}),
    ("component scheduler slow 7", "SlowComponent", "scheduler", {"component": "scheduler", "factor": 7}),
    ("component replicaset stop", "StopComponent", "controller-manager", {"component": "replicaset"}),
    ("image nginx slow", "SlowImage", "cri", {"image": "docker.io/library/nginx:latest", "factor": 100}),
    ("csi attach slow 20", "SlowAttach", "csi", {"seconds": 20}),
    ("etcd read-only", "FillEtcd", "etcd", {}),
    ("clock 1m30s", "JumpClock", "apiserver", {"ms": 90_000}),
    ("container web/app crash", "CrashContainer", "cri", {"node": "n1", "pod": "web", "namespace": "default", "container": "app"}),
])
def test_a_fault_is_the_first_message_of_what_it_does(cluster, words, reason, target, facts):
    create(cluster, a_pod("web", nodeName="n1"))
    run(cluster, 5)
    before = len(cluster.log.steps)
    cluster.fault(words)
    step = cluster.log.steps[before]
    assert (step.source, step.target, step.reason) == ("user", target, reason)
    assert step.facts == {"words": words, **facts}


def test_a_fault_and_its_mend_leave_nothing_broken(cluster):
    create(cluster, a_pod("web", nodeName="n1", container={"livenessProbe": {"tcpSocket": {"port": 80}}}))
    run(cluster, 5)
    for words, mend in (("node n1 cni fail", "node n1 cni mend"), ("node n1 clock 5m", "node n1 clock mend"), ("node n2 partition", "node n2 heal"),
                        ("container web hang", "container web resume"), ("container web liveness fail", "container web liveness mend"),
                        ("image nginx denied", "image nginx mend"), ("registry docker.io unreachable", "registry docker.io mend"),
                        ("csi attach stuck", "csi attach mend"), ("csi mount fail", "csi mount mend"), ("etcd down", "etcd mend"),
                        ("component scheduler slow", "component scheduler mend")):
        cluster.fault(words)
        assert cluster.etcd.disk("faults"), words
        cluster.fault(mend)
        assert not cluster.etcd.disk("faults"), mend
