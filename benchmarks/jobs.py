"""The jobs that are measured, each in a process of its own. Times are CPU seconds of the whole job, memory the peak in MiB."""
import resource
import sys
import time

from lifecycle import memory
from lifecycle.simulation.bootstrap import bootstrap
from lifecycle.simulation.cluster import Cluster

HOUR = 3_600_000


def deployment(pods, image="nginx:1.27"):
    labels = {"app": "web"}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "default"},
            "spec": {"replicas": pods, "selector": {"matchLabels": labels}, "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "app", "image": image, "resources": {"requests": {"cpu": "10m", "memory": "16Mi"}}}]}}}}


def fresh(nodes):
    cluster = Cluster(seed=1)
    bootstrap(cluster, nodes, "8", "32Gi")
    return cluster


def create(cluster, manifest):
    reply = cluster.api.http("POST", "/apis/apps/v1/namespaces/default/deployments", {}, manifest)
    assert reply.ok, reply.body


def ready(cluster):
    found = cluster.etcd.get("/registry/deployments/default/web")
    return found["status"].get("readyReplicas", 0) if found else 0


def roll_out(pods, nodes):
    """A Deployment until every Pod is Ready, every message recorded."""
    cluster = fresh(nodes)
    begin = time.process_time()
    create(cluster, deployment(pods))
    cluster.run_until_settled(HOUR)
    took = time.process_time() - begin
    assert ready(cluster) == pods, ready(cluster)
    return cluster, took


def create_job(pods, nodes):
    cluster, took = roll_out(pods, nodes)
    return {"seconds": took, "virtual seconds": cluster.clock.now / 1000, "messages": len(cluster.log.steps), "milliseconds a Pod": 1000 * took / pods}


def delete_job(pods, nodes):
    """Deletes that Deployment in the background; every Pod takes its 30 s of grace (an image that ignores SIGTERM)."""
    cluster = fresh(nodes)
    manifest = deployment(pods, "busybox:1.37")
    manifest["spec"]["template"]["spec"]["containers"][0]["command"] = ["sleep", "86400"]
    create(cluster, manifest)
    cluster.run_until_settled(HOUR)
    assert ready(cluster) == pods, ready(cluster)
    begin, at = time.process_time(), cluster.clock.now
    options = {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"}
    cluster.api.http("DELETE", "/apis/apps/v1/namespaces/default/deployments/web", {}, options)
    cluster.run_until_settled(HOUR)
    took = time.process_time() - begin
    left = len(cluster.etcd.range("/registry/pods"))
    assert left == 0, left
    return {"seconds": took, "virtual seconds": (cluster.clock.now - at) / 1000, "milliseconds a Pod": 1000 * took / pods}


def schedule_job(pods, nodes):
    """Pods per second of the scheduler's own work at many nodes: the time inside its reconcile loop."""
    cluster = fresh(nodes)
    scheduler = cluster.components["scheduler"]
    spent, inner = [0.0], scheduler.reconcile

    def measured(key):
        begin = time.process_time()
        again = inner(key)
        spent[0] += time.process_time() - begin
        return again

    scheduler.reconcile = measured
    create(cluster, deployment(pods))
    while sum(1 for pod in cluster.etcd.unsorted("/registry/pods/default").values() if pod["spec"].get("nodeName")) < pods:
        cluster.run_until(cluster.clock.now + 1000)
    return {"seconds": spent[0], "Pods a second": pods / spent[0]}


JOBS = {"create": create_job, "delete": delete_job, "schedule": schedule_job}


def main():
    memory.tune()
    name, pods, nodes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    figures = JOBS[name](pods, nodes)
    figures["MiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for what, value in figures.items():
        print(f"{what}\t{value:.3f}")


if __name__ == "__main__":
    main()
