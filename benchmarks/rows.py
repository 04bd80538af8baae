"""The jobs of the database: simulations that are committed, and how much room their rows take. Each runs in a process and on an SQLite file of its own."""
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import yaml

from .jobs import deployment

MINUTE = 60_000
PAGES = ("PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA page_count", "PRAGMA freelist_count", "PRAGMA page_size")


def room():
    """Bytes that the database uses."""
    from django.db import connection
    with connection.cursor() as cursor:
        _, pages, free, size = [cursor.execute(pragma).fetchone()[0] for pragma in PAGES]
    return (pages - free) * size


def a_cluster(nodes):
    """A watched cluster of large nodes in real time, as fast as it can."""
    from django.db import transaction

    from lifecycle import clusters, sessions
    from lifecycle.models import Cluster
    from lifecycle.simulation.bootstrap import bootstrap

    row = Cluster.objects.create(name="bench", seed=1, watched_until=time.time() + 86400)
    with transaction.atomic():
        sessions.begin(row, lambda simulation: bootstrap(simulation, nodes, "8", "32Gi"))
    clusters.set_pace(row.pk, "real", 1000)
    return row.pk


def until_settled(pk):
    """What the worker does until nothing waits; returns CPU seconds."""
    from django.db.models import F

    from lifecycle import worker
    from lifecycle.models import Cluster

    begin, due = time.process_time(), 0
    while due is not None:
        # The next minute of virtual time is due at once.
        Cluster.objects.filter(pk=pk).update(anchor_wall=time.time(), anchor_virtual=F("next_virtual") + MINUTE, next_due=0)
        due = worker.move(pk, ahead=True).due
    return time.process_time() - begin


def commit_job(pods, nodes):
    """A Deployment until Ready and its deletion, through the worker, every transaction committed."""
    from lifecycle import clusters
    from lifecycle.models import Cluster, Pod

    pk, before = a_cluster(nodes), room()
    clusters.command(pk, "kubectl apply -f web.yaml", {"web.yaml": yaml.safe_dump(deployment(pods))})
    took = until_settled(pk)
    assert Pod.objects.filter(cluster=pk, phase="Running").count() == pods
    messages = Cluster.objects.get(pk=pk).messages
    clusters.command(pk, "kubectl delete deployment web")
    deleted = until_settled(pk)
    assert not Pod.objects.filter(cluster=pk).exists()
    return {"seconds": took, "seconds to delete": deleted, "messages a second": messages / took, "milliseconds a Pod": 1000 * took / pods,
            "KB a Pod's life": (room() - before) / pods / 1024}


def story_job(pods, nodes):
    """A Deployment comes and goes step by step: a transaction for each message."""
    from lifecycle import clusters
    from lifecycle.models import Cluster

    before = room()
    row = clusters.create("bench", nodes, seed=1)
    clusters.set_pace(row.pk, "step")
    clusters.watch([row.pk])
    made, begin = room(), time.process_time()
    clusters.command(row.pk, "kubectl apply -f web.yaml", {"web.yaml": yaml.safe_dump(deployment(pods))})
    steps = _tell_all(row.pk)
    clusters.command(row.pk, "kubectl delete deployment web")
    steps += _tell_all(row.pk)
    took = time.process_time() - begin
    return {"KB a Pod's life": (room() - made) / pods / 1024, "KB of the cluster": (made - before) / 1024, "transactions": steps,
            "milliseconds a transaction": 1000 * took / steps, "messages": Cluster.objects.get(pk=row.pk).messages}


def _tell_all(pk):
    """Tell until nothing is left; returns how many transactions it took."""
    from lifecycle import clusters

    steps = 1
    while clusters.next_message(pk):
        steps += 1
    return steps


def idle_job(learners, nodes):
    """What a learner's cluster at rest takes: rows, and CPU of a worker that looks after all of them."""
    from lifecycle import clusters, worker

    before = room()
    for _ in range(learners):
        clusters.create("bench", nodes)
    rows = (room() - before) / learners / 1024
    begin = time.process_time()
    for _ in range(100):
        assert worker.overdue() == []
    return {"KB of rows": rows, "milliseconds a sweep": (time.process_time() - begin) * 10}


JOBS = {"commit": commit_job, "story": story_job, "idle": idle_job}


def main():
    name, count, nodes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        figures = JOBS[name](count, nodes)
    figures["MiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for what, value in figures.items():
        print(f"{what}\t{value:.3f}")


def prepare(folder):
    """Django with a new database, or with the one that DATABASE_URL names already; returns the settings with which other processes use it."""
    environment = {"DJANGO_SETTINGS_MODULE": "lifecycle.settings", "DATABASE_URL": os.environ.get("DATABASE_URL") or f"sqlite:///{folder / 'db.sqlite3'}",
                   "SECRET_KEY": "of-a-benchmark", "COMMANDS_PER_MINUTE": "1000000", "PODS_PER_CLUSTER": "100000"}
    os.environ.update(environment)
    import django
    from django.core.management import call_command

    from lifecycle import memory
    django.setup()
    call_command("migrate", verbosity=0)
    memory.tune()
    return environment


if __name__ == "__main__":
    main()
