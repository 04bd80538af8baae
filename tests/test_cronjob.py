"""CronJobs: Jobs at the times of a schedule. A story begins at midnight, UTC."""
from datetime import UTC, datetime

import pytest

from lifecycle.simulation.control_plane.controllers.cronjob.schedule import schedule_of

from .stories import play


def cron_job(schedule="* * * * *", command="sleep 2", spec=""):
    return f"""
apiVersion: batch/v1
kind: CronJob
metadata: {{name: tick}}
spec:
  schedule: "{schedule}"
  {spec}
  jobTemplate:
    metadata: {{labels: {{made: here}}}}
    spec:
      backoffLimit: 0
      template: {{spec: {{restartPolicy: Never, containers: [{{name: c, image: "busybox:1.36", command: [sh, -c, "{command}"]}}]}}}}
"""


def told(script, **kwargs):
    return play(f"@30s kubectl create -f tick.yaml\n{script}", {"tick.yaml": cron_job(**kwargs)})


def made(story):
    """[(second, name)] of the Jobs that were ever made."""
    names = {each["metadata"]["name"] for _, jobs in story.history("jobs.batch", "tick-") for each in jobs}
    return sorted((round(story.states("jobs.batch", name)[0].at), name) for name in names)


def test_a_job_is_named_after_its_minute_and_carries_what_its_template_says():
    story = told("@70s end")
    job, = story.end().list("jobs.batch")
    assert job["metadata"]["name"] == f"tick-{datetime(2026, 1, 1, 0, 1, tzinfo=UTC).timestamp() // 60:.0f}"
    assert job["metadata"]["labels"]["made"] == "here"
    assert job["metadata"]["annotations"] == {"batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T00:01:00Z"}


def test_a_run_is_in_the_status_while_it_is_active():
    story = told("@70s end")
    states = [state.object["status"] for state in story.states("cronjobs.batch", "tick")]
    job, = story.end().list("jobs.batch")
    assert [[each["uid"] for each in state.get("active", ())] for state in states] == [[], [job["metadata"]["uid"]], []]
    assert states[-1] == {"lastScheduleTime": "2026-01-01T00:01:00Z", "lastSuccessfulTime": job["status"]["completionTime"]}
    assert [event.message for event in story.events("tick")] == [
        f"Created job {job['metadata']['name']}", f"Saw completed job: {job['metadata']['name']}, condition: Complete"]


@pytest.mark.parametrize("command, spec, kept", [("sleep 2", "successfulJobsHistoryLimit: 2", 2), ("exit 1", "failedJobsHistoryLimit: 1", 1)])
def test_old_jobs_are_cleared_away_beyond_the_history_limit(command, spec, kept):
    story = told("@290s end", command=command, spec=spec)
    names = [name for _, name in made(story)]
    assert len(names) == 4
    assert story.end().names("jobs.batch") == names[-kept:]
    assert [event.message for event in story.events("tick", "SuccessfulDelete")] == [f"Deleted job {name}" for name in names[:-kept]]


def test_a_suspended_cron_job_starts_nothing_and_makes_up_for_the_last_run_only():
    story = told("@200s kubectl patch cronjob tick -p '{\"spec\":{\"suspend\":false}}'\n@230s end", spec="suspend: true")
    (at, name), = made(story)
    assert at == 200
    assert story.end().get("jobs.batch", name)["metadata"]["annotations"] == {"batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T00:03:00Z"}


def test_a_run_that_comes_too_late_is_left_out():
    story = told("@40s component controller-manager stop\n@100s component controller-manager start\n@130s end", spec="startingDeadlineSeconds: 20")
    assert [at for at, _ in made(story)] == [120]


def test_allowed_runs_overlap():
    story = told("@200s end", command="sleep 100")
    assert len(story.at(150).get("cronjobs.batch", "tick")["status"]["active"]) == 2


def test_another_schedule_counts_from_now_on():
    story = told("""@40s kubectl patch cronjob tick -p '{"spec":{"schedule":"*/2 * * * *"}}'\n@250s end""")
    assert [at for at, _ in made(story)] == [120, 240]


def test_a_job_made_by_hand_is_unexpected():
    story = told("@40s kubectl create job mine --from=cronjob/tick\n@58s end")
    event, = story.events("tick", "UnexpectedJob")
    assert (event.type, event.message) == ("Warning", "Saw a job that the controller did not create or forgot: mine")


def test_a_job_that_someone_deleted_went_missing():
    story = told("@70s end", command="sleep 100")
    (_, name), = made(story)
    story.go_on(f"@70s kubectl delete job {name}\n@100s end")
    assert [event.message for event in story.events("tick", "MissingJob")] == [f"Active job went missing: {name}"]
    assert "active" not in story.end().get("cronjobs.batch", "tick")["status"]


def test_more_than_a_hundred_missed_times_are_complained_about():
    story = told("@40s component controller-manager stop\n@7000s component controller-manager start\n@7010s end")
    event, = story.events("tick", "TooManyMissedTimes")
    assert event.message == "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew"
    assert [at for at, _ in made(story)] == [7000]


def test_deleting_it_takes_jobs_and_pods_along():
    story = told("@70s kubectl delete cronjob tick\n@130s end", command="sleep 5")
    assert story.end().names("jobs.batch") == story.end().names("pods") == []
    assert not [key for component, key in story.cluster.queue.waiting if component == "cronjob"]


# -- schedules ---------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text, zone, after, due", [
    ("*/15 * * * *", None, "2026-01-01T00:00:00", "2026-01-01T00:15:00"),
    ("5-10/2 1 * * *", None, "2026-01-01T01:05:00", "2026-01-01T01:07:00"),
    ("0 0 1 * *", None, "2026-01-01T00:00:00", "2026-02-01T00:00:00"),
    ("30 6 * * mon-fri", None, "2026-01-02T07:00:00", "2026-01-05T06:30:00"),
    ("0 0 13 * 5", None, "2026-01-01T00:00:00", "2026-01-02T00:00:00"),        # the 13th or a Friday
    ("0 0 */2 * 5", None, "2026-01-03T00:00:00", "2026-01-05T00:00:00"),       # a step is no plain star: odd days or Fridays
    ("0 0 ? * 5", None, "2026-01-03T00:00:00", "2026-01-09T00:00:00"),
    ("0 0 29 2 *", None, "2026-01-01T00:00:00", "2028-02-29T00:00:00"),
    ("0 0 31 2 *", None, "2026-01-01T00:00:00", None),
    ("@hourly", None, "2026-01-01T00:10:00", "2026-01-01T01:00:00"),
    ("@every 90s", None, "2026-01-01T00:00:10", "2026-01-01T00:01:40"),
    ("0 9 * * *", "Asia/Shanghai", "2026-01-01T00:00:00", "2026-01-01T01:00:00"),
    ("TZ=America/New_York 0 9 * * *", None, "2026-07-01T00:00:00", "2026-07-01T13:00:00"),
    ("30 2 * * *", "America/New_York", "2026-03-08T00:00:00", "2026-03-09T06:30:00"),       # 02:30 is left out when clocks go forward
])
def test_a_schedule_is_next_due(text, zone, after, due):
    start = datetime.fromisoformat(after).replace(tzinfo=UTC).timestamp()
    found = schedule_of(text, zone).next(start)
    assert (found and datetime.fromtimestamp(found, UTC).strftime("%Y-%m-%dT%H:%M:%S")) == due
