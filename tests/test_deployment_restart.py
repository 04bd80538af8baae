"""The workload controllers keep nothing in memory that a run depends on."""
from lifecycle.simulation.indexes import Indexes

from .builders import a_cluster, a_deployment, a_service, create, every
from .changes import delete, patch, scale, set_image

FORGETFUL = ("deployment", "replicaset", "garbage-collector", "endpointslice", "endpoints", "recorder")


def forget(cluster):
    """Throw away what could be made again from the store: the components and the indexes."""
    cluster.etcd.on_change.remove(cluster.indexes.update)
    cluster.indexes = Indexes(cluster.etcd)
    cluster.etcd.on_change.insert(0, cluster.etcd.on_change.pop())
    for name, component in cluster.components.items():
        component.indexes = cluster.indexes
        if name in FORGETFUL:
            cluster.components[name] = type(component)(cluster)
    cluster.recorder = cluster.components["recorder"]
    cluster._watchers.clear()


def story(forgets_every):
    """A cluster after a story of changes, during which it forgets after every so many work items (0: never)."""
    cluster, steps = a_cluster(cpu="64", memory="256Gi"), 0

    def pass_time(seconds):
        nonlocal steps
        end = cluster.clock.now + seconds * 1000
        while (due := cluster.queue.due()) is not None and due <= end:
            cluster.step()
            steps += 1
            if forgets_every and steps % forgets_every == 0:
                forget(cluster)
        cluster.clock.now = end

    create(cluster, a_service())
    create(cluster, a_deployment(replicas=12))
    pass_time(20)
    set_image(cluster, "demo:v2")
    pass_time(3)
    scale(cluster, 5)
    patch(cluster, "services", "web", {"spec": {"publishNotReadyAddresses": True}})
    pass_time(20)
    patch(cluster, "pods", every(cluster, "pods")[0]["metadata"]["name"], {"metadata": {"labels": {"app": "other"}}})
    pass_time(20)
    delete(cluster, "deployments.apps", "web", "Orphan")
    pass_time(2)
    create(cluster, a_deployment(replicas=4))
    pass_time(20)
    delete(cluster, "deployments.apps", "web", "Foreground")
    pass_time(60)
    return cluster


def test_a_run_is_the_same_when_every_cache_is_thrown_away_again_and_again():
    plain, forgetful = story(0), story(7)
    assert forgetful.log.steps == plain.log.steps
    assert forgetful.etcd.history == plain.etcd.history
