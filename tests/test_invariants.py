"""The invariants of a Kubernetes cluster (tests/invariants) in random stories (random_scripts.py): whatever people type and whatever breaks, they hold.

    pytest tests/test_invariants.py                                  as in CI: always the same few hundred stories, a bit more than a minute
    HYPOTHESIS_PROFILE=long pytest tests/test_invariants.py          thousands of new ones; EXAMPLES=N says how many

A story that breaks a rule is printed as a script that `manage.py simulate` understands, with its manifests beside the commands.
"""
import os

import orjson
from hypothesis import HealthCheck, given, note, settings

from lifecycle.simulation.client import Request
from lifecycle.simulation.resources import resource
from lifecycle.simulation.state import loaded, saved

from .freezing import freeze
from .invariants import broken
from .machinery import flaws
from .random_runs import SECOND, Player, play
from .random_scripts import scripts

CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
PROFILES = {
    "ci": {"max_examples": 250, "derandomize": True, "database": None},
    "long": {"max_examples": int(os.environ.get("EXAMPLES", "5000"))}}
chosen = PROFILES[os.environ.get("HYPOTHESIS_PROFILE", "ci")]
profile = settings(deadline=None, suppress_health_check=CHECKS, **chosen)
fewer = settings(profile, max_examples=chosen["max_examples"] // 5)


@profile
@given(scripts())
def test_the_rules_hold_whatever_anybody_does(script):
    player = play(script)
    note("\n".join(player.played))
    assert broken(player.run()) == []
    assert list(flaws(player)) == []


@fewer
@given(scripts())
def test_a_cluster_that_is_put_down_before_every_act_tells_the_same_story(script):
    told, state = everything(script, interrupted=False)
    again, other = everything(script, interrupted=True)
    for one, two in zip(told, again):
        assert one == two
    assert len(told) == len(again) and state == other


def everything(script, interrupted):
    """(every message, final state) as bytes."""
    player, steps = Player(script), []
    note("\n".join(player.played))
    for act in script.acts:
        if interrupted:
            steps += player.cluster.log.steps
            player.take(loaded(orjson.loads(orjson.dumps(saved(player.cluster))), freeze))
        player.act(act)
    player.run_until(player.cluster.clock.now + 120 * SECOND)
    return [orjson.dumps(list(step)) for step in steps + player.cluster.log.steps], orjson.dumps(saved(player.cluster))


WATCHES = (
    ("pods", "labelSelector", "app=web"),
    ("pods", "fieldSelector", "spec.nodeName=n1"),
    ("pods", "fieldSelector", "spec.nodeName="),
    ("deployments.apps", "labelSelector", "!note"),
)


@fewer
@given(scripts())
def test_someone_who_watches_knows_what_is_there(script):
    player, views = Player(script), {}
    for act in script.acts:
        player.act(act)
        follow(player.cluster, views)
    player.run_until(player.cluster.clock.now + 120 * SECOND)
    follow(player.cluster, views)
    for watch, (_, known) in views.items():
        listed = asked(player.cluster, "list", watch).body["items"]
        assert known == {thing["metadata"]["uid"]: thing["metadata"]["resourceVersion"] for thing in listed}, watch


def asked(cluster, verb, watch, since=None):
    qualified, option, selector = watch
    request = Request(verb, resource(qualified), options={option: selector})
    return cluster.api.watch(request, since) if verb == "watch" else cluster.api.handle(request)


def follow(cluster, views):
    """Take in what the watches have brought since the last time: {watch: (revision, {uid: resourceVersion})}."""
    for watch in WATCHES:
        since, known = views.get(watch, (None, {}))
        known = dict(known)
        for frame in asked(cluster, "watch", watch, since):
            meta = frame["object"]["metadata"]
            assert (frame["type"] == "ADDED") == (meta["uid"] not in known), frame
            if frame["type"] == "DELETED":
                del known[meta["uid"]]
            else:
                known[meta["uid"]] = meta["resourceVersion"]
        views[watch] = cluster.etcd.revision, known
