"""The 23 creation steps and the 25 deletion steps of the source documents are shown by messages of real runs."""
from pathlib import Path

import pytest

from lifecycle.explanations import seed_steps
from lifecycle.scripts import parse

from .builders import a_cluster

EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"
CREATION = [f"C{number}" for number in range(1, 24)]
DELETION = [f"D{number}" for number in range(1, 26)]

# the first message of the earlier step comes before the first of the later one, in the place that k8s-truth gives them
CREATION_ORDER = ["C1", "C2", "C3", "C4", "C6", "C7", "C8", "C9", "C10", "C11", "C12", "C13", "C14", "C18", "C19"]
ON_THE_NODE = ["C13", "C14", "C17", "C16", "C15"]          # volumes, then the sandbox with its network, then images and containers
TERMINATION = ["D9", "D10", "D11", "D12", "D16", "D19", "D15", "D18", "D20"]          # as recorded: dead containers are removed just before the last DELETE


def played(name):
    """The messages of an example script, as (number of the message, steps shown)."""
    cluster = a_cluster()
    files = {"web.yaml": (EXAMPLES / "web.yaml").read_text()}
    for act in parse((EXAMPLES / name).read_text()):
        cluster.run_until(act.at)
        if act.words != "end":
            cluster.kubectl(act.words, files)
    return cluster.log.steps


def first_seen(steps, since=0):
    """{step of the documents: number of the first message that shows it}"""
    seen = {}
    for step in steps:
        if step.at >= since:
            for seed in seed_steps(step):
                seen.setdefault(seed, step.seq)
    return seen


@pytest.fixture(scope="module", params=["background", "foreground", "orphan"])
def run_of(request):
    return request.param, played(f"delete-{request.param}.script")


def in_order(seen, steps):
    places = [seen[step] for step in steps]
    assert places == sorted(places), dict(zip(steps, places))


def test_a_deployment_shows_every_creation_step(run_of):
    seen = first_seen(run_of[1])
    assert [step for step in CREATION if step not in seen] == []


def test_creation_comes_in_the_order_of_a_real_cluster(run_of):
    seen = first_seen(run_of[1])
    in_order(seen, CREATION_ORDER)
    in_order(seen, ON_THE_NODE)


def test_a_deletion_shows_every_step_that_its_policy_has(run_of):
    policy, steps = run_of
    seen = first_seen(steps)
    # Orphaned Pods live on; only the foreground policy waits for children; the processes here obey SIGTERM, so D14 has its own test
    absent = {"background": {"D3", "D4", "D14", "D21", "D22"}, "foreground": {"D14"}, "orphan": {*DELETION[7:20], "D14"}}[policy]
    if policy == "background":
        absent -= {"D3"}                       # the Pods are marked, although the Deployment is not
    assert [step for step in DELETION if step not in seen and step not in absent] == []


def test_termination_comes_in_the_order_of_a_real_node(run_of):
    policy, steps = run_of
    if policy != "orphan":
        in_order(first_seen(steps), TERMINATION)


def test_background_removes_the_deployment_first_and_foreground_last(run_of):
    policy, steps = run_of
    removed = [step.object.split("/")[2] for step in steps if step.reason == "EtcdDelete"]
    removed = [kind for kind in removed if kind in ("deployments", "replicasets", "pods")]
    pods = ["pods"] * 3
    expected = {"background": ["deployments", "replicasets", *pods], "foreground": [*pods, "replicasets", "deployments"], "orphan": ["deployments"]}
    assert removed == expected[policy]


def test_a_process_that_ignores_sigterm_shows_sigkill():
    cluster = a_cluster()
    cluster.kubectl("kubectl run deaf --image=busybox --restart=Never -- sh -c 'trap \"\" TERM; sleep 3600'")
    cluster.run_until(30_000)
    cluster.kubectl("kubectl delete pod deaf --grace-period=5")
    cluster.run_until(60_000)
    seen = first_seen(cluster.log.steps)
    in_order(seen, ["D10", "D12", "D14", "D16", "D19", "D20"])
    assert seen["D13"] == seen["D12"] or seen["D12"] < seen["D13"] < seen["D14"]
