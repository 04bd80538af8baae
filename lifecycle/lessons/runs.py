"""Learners' runs through lessons, as rows: begun, followed, begun anew. (What learners do in them is learning.py's.)

A run is only ever written by its version: who finds that another server has been quicker reads it again. What a lesson does to the cluster when a task opens
happens in the same transaction as the run is written in, so it happens once. A cluster in motion is held when a task opens with a prediction, so that there is
time to think before the run answers: `state["held"]` is the pace at which it goes on then.
"""
from math import inf
from time import time

from django.db import transaction
from django.utils import timezone

from .. import clusters, looking_back, pace
from ..history import back, newest_first
from ..models import Cluster, LessonRun
from . import acting
from .catalog import find
from .following import Follower, fresh

LAG = 200                      # messages without news for the learner after which it is noted that they were seen
AWAY = 300                     # seconds between two signs of life that still count as time spent
PAGE = 500                     # messages that are read at a time


# -- begin -----------------------------------------------------------------------------------------------------------------
@transaction.atomic
def start(lesson, name, owner, guest):
    """The learner's LessonRun of a lesson, with a cluster called `name`, begun if it is not."""
    run = LessonRun.objects.of(owner, guest, lesson.slug) or LessonRun(owner=owner, guest=guest, slug=lesson.slug)
    if run.cluster_id is None:
        _begin(run, lesson, clusters.create(name, lesson.nodes, owner, guest, lesson=lesson.slug))
    return run


@transaction.atomic
def restart(run, lesson):
    """Begin a lesson anew, on a cluster that is as it was at first. What was predicted at the very first is kept."""
    clusters.reset(run.cluster_id)
    run = LessonRun.objects.select_for_update().get(pk=run.pk)
    run.attempts += 1
    _begin(run, lesson, Cluster.objects.row(run.cluster_id))
    return run


def _begin(run, lesson, row):
    first = first_predictions(run.state)
    run.cluster_id, run.seen, run.revision = row.pk, row.messages, row.revision
    run.state = {**fresh(lesson, row.messages), "firsts": first}
    clusters.set_pace(row.pk, *lesson.pace)
    run.state = _opened(lesson, run.state, row.pk)
    run.version += 1
    run.save()


def first_predictions(state):
    """{prediction: [what was answered at the very first or None, what the run answered]}"""
    found = {id: [known.get("first"), known["outcome"]] for id, known in state.get("predictions", {}).items() if known.get("outcome") is not None}
    return {**found, **state.get("firsts", {})}


def _opened(lesson, state, pk):
    """Do to the cluster, whose row is locked, what the task says that is reached now. Returns the state after that."""
    task = lesson.task(state["task"])
    Cluster.objects.filter(pk=pk).update(stops=list(task.stops) if task else [])
    if task and task.begin:
        with clusters.act(pk) as cluster:
            for line in task.begin:
                acting.give(cluster.simulation, line, lesson.files)
    row, state = Cluster.objects.row(pk), {**state, "held": None}
    if open_predictions(lesson, state) and row.pace in pace.SPEEDS and row.next_virtual is not None:
        clusters.set_pace(pk, "paused")
        state["held"] = [row.pace, row.speed]
    return state


def open_predictions(lesson, state):
    """The predictions of the open task that are neither answered nor skipped, nor answered by the run."""
    return [each for each in lesson.predictions if each.task == state["task"] and not state["predictions"].get(each.id)]


# -- follow ----------------------------------------------------------------------------------------------------------------
def follow(row, snapshot):
    """The LessonRun of a cluster, brought up to a looking_back.Snapshot of where its row stands; None for a cluster without a lesson that we have."""
    lesson = find(row.lesson) if row.lesson else None
    run = LessonRun.objects.filter(cluster=row.pk).first() if lesson else None
    if run is None or snapshot.seq < run.seen or (run.seen, run.revision) == (snapshot.seq, snapshot.revision):
        return run
    state = judged(run, lesson, row, snapshot)
    if state == run.state and snapshot.seq - run.seen < LAG:
        return run
    values = {"state": state, "seen": snapshot.seq, "revision": snapshot.revision}
    return _followed(run, lesson, values) or LessonRun.objects.filter(pk=run.pk).first()


def judged(run, lesson, row, snapshot):
    """The run's state after everything up to a Snapshot. When the history in between is gone, what is there now has to do."""
    if run.seen < row.forgotten or not row.compacted <= run.revision <= snapshot.revision:
        follower, steps, changes = Follower(lesson, run.state, snapshot.objects), (), ()
    else:
        steps = looking_back.messages(row.pk, run.seen, snapshot.seq + 1, max(snapshot.seq - run.seen, 1))
        objects, changes = rewound(row.pk, run.revision, snapshot)
        follower = Follower(lesson, run.state, objects)
    follower.follow(steps, changes, round(time()))
    return follower.state


def rewound(pk, revision, snapshot):
    """(the stored objects at a revision before a Snapshot, the Changes since then)."""
    objects = dict(snapshot.objects)
    changes = [change for record in newest_first(pk, revision, snapshot.revision) if (change := back(record, objects))]
    return {key: thing for key, thing in objects.items() if thing is not None}, changes[::-1]


def _followed(run, lesson, values):
    """Write what following found, and open the task that was reached; the run as written, or None if somebody else was quicker."""
    state = values["state"]
    if state["task"] == run.state["task"]:
        return run if written(run, **values) else None
    with transaction.atomic():
        Cluster.objects.locked(run.cluster_id)          # the cluster's row first, as everywhere
        if not written(run, **values):
            return None
        opened = _opened(lesson, state, run.cluster_id)
        if opened != state:
            written(run, state=opened)
    return run


def written(run, **values):
    """Write some fields of a run if nobody else has written it since it was read. Returns whether they were."""
    now = timezone.now()
    since = (now - run.touched).total_seconds() if run.touched else inf
    values |= {"touched": now, "version": run.version + 1, "seconds": run.seconds + (round(since) if since < AWAY else 0)}
    if not LessonRun.objects.filter(pk=run.pk, version=run.version).update(**values):
        return False
    for name, value in values.items():
        setattr(run, name, value)
    return True


def brought_up(run):
    """The run, followed up to now."""
    if run.cluster_id is None:
        return run
    row = Cluster.objects.row(run.cluster_id)
    return follow(row, looking_back.snapshot_of(row)) or run


def everything_said(run, lesson):
    """The messages since the learner began, oldest first."""
    after = run.state["opened"][lesson.tasks[0].id]
    while steps := looking_back.messages(run.cluster_id, after, None, PAGE):
        yield from steps
        after = steps[-1].seq
