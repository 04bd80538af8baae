"""O19: CronJobs whose Jobs take longer than the time between two runs. Times are seconds from the start of the script, which is a full minute."""
from functools import cache

from .stories import play


def cron_job(name, policy="Forbid", deadline="", image="busybox:1.36"):
    return f"""
apiVersion: batch/v1
kind: CronJob
metadata: {{name: {name}}}
spec:
  schedule: "*/1 * * * *"
  concurrencyPolicy: {policy}
  {deadline}
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
          - {{name: c, image: "{image}", command: [sh, -c, "trap 'exit 0' TERM; sleep 90"]}}
"""


@cache
def long_runs():
    return play("""
        @30s kubectl create -f tick.yaml
        @30s kubectl create -f tick20.yaml
        @30s kubectl create -f repl.yaml
        @30s kubectl create -f stuck.yaml
        @300s end
    """, {"tick.yaml": cron_job("tick"), "tick20.yaml": cron_job("tick20", deadline="startingDeadlineSeconds: 20"),
          "repl.yaml": cron_job("repl", "Replace"), "stuck.yaml": cron_job("stuck", image="demo:missing")})


def starts(story, name):
    """[(time of creation, minutes since 1970 in the Job's name)]"""
    found = [(min(state.at for state in story.states("jobs.batch", job)), int(job.rpartition("-")[2])) for job in names(story, name)]
    return sorted(found)


def names(story, name):
    return {each["metadata"]["name"] for _, jobs in story.history("jobs.batch", f"{name}-") for each in jobs}


def test_o19_a_job_starts_a_tenth_of_a_second_after_its_minute():
    assert [round(starts(long_runs(), name)[0][0], 1) for name in ("tick", "tick20", "repl", "stuck")] == [60.1] * 4


def test_o19_a_skipped_run_is_made_up_for_when_the_job_before_ends():
    story = long_runs()
    (first, minute), (second, next_minute), *_ = starts(story, "tick")
    done = next(state.at for state in story.states("jobs.batch", f"tick-{minute}") if state.object["status"].get("completionTime"))
    assert 150 < done < 155 and 0 < second - done < 0.1
    # It is the run of 00:02 that starts late, and its Job says so.
    assert next_minute == minute + 1
    late = story.states("jobs.batch", f"tick-{next_minute}")[0].object
    assert late["metadata"]["annotations"]["batch.kubernetes.io/cronjob-scheduled-timestamp"] == "2026-01-01T00:02:00Z"


def test_o19_skipping_is_said():
    event, = long_runs().events("tick", "JobAlreadyActive")
    assert (event.type, event.message) == ("Normal", "Not starting job because prior execution is running and concurrency policy is Forbid")
    assert 120 < event.at < 121


def test_o19_with_a_deadline_the_skipped_run_is_lost():
    story = long_runs()
    (_, minute), (second, next_minute), *_ = starts(story, "tick20")
    assert (round(second, 1), next_minute) == (180.1, minute + 2)


def test_o19_replace_deletes_the_running_job_and_starts_the_next_at_once():
    story = long_runs()
    (_, first), (at, _), *_ = starts(story, "repl")
    assert round(at, 1) == 120.1
    assert 0 <= at - story.gone("jobs.batch", f"repl-{first}") < 0.1
    assert [event.message for event in story.events("repl", "SuccessfulDelete")][0] == f"Deleted job repl-{first}"


def test_o19_a_job_stuck_on_its_image_is_active_for_ever():
    story = long_runs()
    assert len(starts(story, "stuck")) == 1
    assert len(story.end().get("cronjobs.batch", "stuck")["status"]["active"]) == 1
