"""The scheduler's caches are never wrong: whatever happens, they are what one would make from the store."""
from hypothesis import given, settings
from hypothesis import strategies as st

from lifecycle.simulation.control_plane.scheduler.cache import Cache
from lifecycle.simulation.control_plane.scheduler.filtering import find, prepared
from lifecycle.simulation.control_plane.scheduler.scoring import scores_of
from lifecycle.simulation.control_plane.scheduler.view import View
from lifecycle.simulation.objects import name_of

from .builders import a_cluster, a_pod, create, every, run
from .scheduling import admin, asking, label, priority_class, taint, untaint

NEAR = [{"labelSelector": {"matchLabels": {"app": "a"}}, "topologyKey": "zone"}]
KINDS = {
    "plain": {},
    "asking": {"container": {"resources": {"requests": {"cpu": "300m", "memory": "100Mi"}}}},
    "port": {"container": {"ports": [{"containerPort": 80, "hostPort": 80}]}},
    "apart": {"affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 7, "podAffinityTerm": NEAR[0]}]}}},
    "alone": {"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": NEAR}}},
    "spread": {"topologySpreadConstraints": [
        {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": {"matchLabels": {"app": "a"}}}]},
    "ends": {"container": {"command": ["sh", "-c", "sleep 1"]}, "restartPolicy": "Never"},
}
ACTS = st.one_of(
    st.tuples(st.just("create"), st.sampled_from(sorted(KINDS)), st.sampled_from("ab")),
    st.tuples(st.just("delete"), st.integers(0, 5), st.booleans()),
    st.tuples(st.just("label"), st.sampled_from(["n1", "n2", "n3"]), st.sampled_from(["x", "y", None])),
    st.tuples(st.just("taint"), st.sampled_from(["n1", "n2", "n3"]), st.sampled_from(["NoSchedule", "PreferNoSchedule"])),
    st.tuples(st.just("untaint"), st.sampled_from(["n1", "n2", "n3"]), st.none()),
    st.tuples(st.just("wait"), st.integers(1, 4000), st.none()),
)


def act(cluster, number, what, first, second):
    if what == "create":
        create(cluster, a_pod(f"p{number}", labels={"app": second}, **KINDS[first]))
    elif what == "delete":
        pods = every(cluster, "pods")
        if pods:
            admin(cluster).delete("pods", "default", pods[first % len(pods)]["metadata"]["name"], grace=0 if second else None)
    elif what == "label":
        label(cluster, first, zone=second)
    elif what == "taint":
        untaint(cluster, first, "t")
        taint(cluster, first, key="t", effect=second)
    elif what == "untaint":
        untaint(cluster, first, "t")
    run(cluster, first / 1000 if what == "wait" else 0.02)


def rebuilt(cluster):
    """Caches made from the store alone."""
    cache = Cache()
    for node in every(cluster, "nodes"):
        cache.set_node(node["metadata"]["name"], node)
    for pod in every(cluster, "pods"):
        cache.set_pod(pod)
    return cache


def picture(cache):
    """Everything in a cache that answers depend on."""
    return {
        "nodes": {name: (sorted(node.pods), node.used_cpu, node.used_memory, node.scored_cpu, node.scored_memory, node.ports, node.labels, node.taints)
                  for name, node in cache.nodes.items()},
        "placed": cache.placed,
        "groups": sorted((group.namespace, repr((group.shape.anti_affinity, group.shape.preferred_anti_affinity)), sorted(group.counts.items()))
                         for group in cache.counters.groups.values()),
        "labels": {key: number for key, number in cache.with_label.items() if number},
        "soft": sorted(cache.with_soft_taint),
    }


def answers(cache, cluster, manifest):
    """What the plugins say of one more Pod."""
    view = View(cache, admin(cluster))
    info = cache.info(name_of(manifest), manifest)
    feasible, rejected, _ = find(info, view, prepared(info, view), 0)
    totals = scores_of(info, feasible, view)[0] if len(feasible) > 1 else []
    return {verdict.node.name: total for verdict, total in zip(feasible, totals, strict=False)}, {name: one.reasons for name, one in rejected.items()}


@settings(max_examples=25)
@given(acts=st.lists(ACTS, min_size=3, max_size=12))
def test_caches_that_follow_changes_equal_caches_made_anew(acts):
    cluster = a_cluster()
    scheduler = cluster.components["scheduler"]
    for number, (what, first, second) in enumerate(acts):
        act(cluster, number, what, first, second)
        if scheduler.is_restored:
            assert picture(scheduler.cache) == picture(rebuilt(cluster))
            for kind in ("plain", "asking", "apart", "alone", "spread"):
                manifest = a_pod("another", labels={"app": "a"}, **KINDS[kind])
                manifest["metadata"]["uid"] = "another"
                assert answers(scheduler.cache, cluster, manifest) == answers(rebuilt(cluster), cluster, manifest)


def story(forgetful):
    """What is said while Pods come that fit, that do not fit, that push others out and that wait for volumes; `forgetful`: without caches before every step."""
    cluster = a_cluster(seed=7)
    for name, value in (("low", 1), ("high", 1000)):
        priority_class(cluster, name, value)

    def pass_time(seconds):
        until = cluster.clock.now + round(seconds * 1000)
        while (due := cluster.queue.due()) is not None and due <= until:
            if forgetful:
                cluster.components["scheduler"]._cache = None
            cluster.step()
        cluster.clock.now = until

    for number in range(6):
        create(cluster, a_pod(f"low-{number}", priorityClassName="low", labels={"app": "a"}, **asking(cpu="900m")))
    create(cluster, a_pod("picky", nodeSelector={"disk": "ssd"}))
    create(cluster, {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": "default"},
                     "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}})
    create(cluster, a_pod("stateful", volumes=[{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}]))
    pass_time(20)
    create(cluster, a_pod("high", priorityClassName="high", **asking(cpu="1500m")))
    create(cluster, a_pod("waits", **asking(cpu="1")))
    pass_time(0.05)
    label(cluster, "n2", disk="ssd")
    pass_time(40)
    taint(cluster, "n1", key="t", effect="NoSchedule")
    admin(cluster).delete("pods", "default", "high")
    pass_time(400)
    return cluster.log.steps


def test_a_scheduler_whose_caches_are_thrown_away_before_every_step_says_the_same():
    assert story(forgetful=True) == story(forgetful=False)
