"""Jobs: Pods that run until enough of them have succeeded."""
from functools import cache

import pytest

from lifecycle.simulation.control_plane.controllers.job.indexes import parsed, written
from lifecycle.simulation.objects import condition, controller_of, is_ready

from .stories import play

FINALIZER = "batch.kubernetes.io/job-tracking"


def job(command="sleep 2", spec="", policy="Never", name="work"):
    return f"""
apiVersion: batch/v1
kind: Job
metadata: {{name: {name}}}
spec:
  {spec}
  template:
    spec:
      restartPolicy: {policy}
      containers:
      - {{name: c, image: "busybox:1.36", command: [sh, -c, "trap 'exit 0' TERM; {command}"]}}
"""


def told(script, **kwargs):
    return play(f"@0s kubectl create -f job.yaml\n{script}", {"job.yaml": job(**kwargs)})


def status(moment, name="work"):
    return moment.get("jobs.batch", name)["status"]


def said(moment, kind):
    found = condition(moment.get("jobs.batch", "work"), kind)
    return found and (found["status"], found["reason"], found["message"])


def every_pod(story):
    """{name: first state} of every Pod that the Job ever had."""
    names = {pod["metadata"]["name"] for _, pods in story.history("pods", "work-") for pod in pods}
    return {name: story.states("pods", name)[0] for name in names}


@cache
def three_of_two():
    return told("@60s end", spec="completions: 3\n  parallelism: 2")


def test_no_more_pods_run_than_parallelism_and_no_more_start_than_are_needed():
    story = three_of_two()
    assert len(every_pod(story)) == 3
    running = [sum(pod["status"].get("phase") in ("Pending", "Running") for pod in pods) for _, pods in story.history("pods", "work-")]
    assert max(running) == 2
    assert status(story.end())["succeeded"] == 3


def test_success_is_said_in_two_steps_and_nothing_is_deleted():
    story = three_of_two()
    reached = ("True", "CompletionsReached", "Reached expected number of succeeded pods")
    assert said(story.end(), "SuccessCriteriaMet") == said(story.end(), "Complete") == reached
    steps = [[one["type"] for one in state.object["status"].get("conditions", ())] for state in story.states("jobs.batch", "work")]
    assert ["SuccessCriteriaMet"] in steps and steps[-1] == ["SuccessCriteriaMet", "Complete"]
    assert len(story.end().names("pods")) == 3
    assert [event.message for event in story.events("work", "Completed")] == ["Job completed"]


def test_every_pod_is_born_with_the_finalizer_and_ends_without():
    story = three_of_two()
    assert all(state.object["metadata"]["finalizers"] == [FINALIZER] for state in every_pod(story).values())
    assert not any(pod["metadata"].get("finalizers") for pod in story.end().list("pods"))


def test_a_status_is_written_in_kubernetes_order():
    assert list(status(three_of_two().end())) == [
        "conditions", "startTime", "completionTime", "succeeded", "terminating", "uncountedTerminatedPods", "ready"]


def test_a_deadline_deletes_what_runs():
    story = told("@60s end", command="sleep 100", spec="activeDeadlineSeconds: 10")
    assert said(story.end(), "Failed") == ("True", "DeadlineExceeded", "Job was active longer than specified deadline")
    target = next(state.at for state in story.states("jobs.batch", "work") if condition(state.object, "FailureTarget"))
    assert 9 < target < 11
    assert story.end().names("pods") == [] and status(story.end())["failed"] == 1


def test_a_suspended_job_has_no_pods_and_starts_anew():
    story = told("""
        @10s kubectl patch job work -p '{"spec":{"suspend":false}}'
        @20s kubectl patch job work -p '{"spec":{"suspend":true}}'
        @60s kubectl patch job work -p '{"spec":{"suspend":false}}'
        @100s end""", command="sleep 15", spec="suspend: true")
    assert story.at(9).names("pods") == [] and "startTime" not in status(story.at(9))
    assert len(story.at(19).names("pods")) == 1
    assert story.at(50).names("pods") == [] and "startTime" not in status(story.at(50))
    assert "failed" not in status(story.at(50))
    assert said(story.end(), "Complete")
    assert [event.reason for event in story.events("work")] == [
        "Suspended", "SuccessfulCreate", "Resumed", "SuccessfulDelete", "SuccessfulCreate", "Completed"]


def test_a_finished_job_expires_with_its_pods():
    story = told("@60s end", spec="ttlSecondsAfterFinished: 10")
    done = next(state.at for state in story.states("jobs.batch", "work") if condition(state.object, "Complete"))
    assert 9 < story.gone("jobs.batch", "work") - done < 11.5
    assert story.end().names("pods") == []


def test_deleting_a_running_job_lets_its_pods_go():
    story = told("@10s kubectl delete job work\n@60s end", command="sleep 100")
    assert story.end().names("pods") == []


def test_a_pod_deleted_by_hand_counts_as_failed_and_is_replaced():
    story = play("@0s kubectl create -f job.yaml\n@10s end", {"job.yaml": job("sleep 30", "backoffLimit: 3").replace("trap 'exit 0' TERM; ", "")})
    name, = story.end().names("pods")
    story.go_on(f"@10s kubectl delete pod {name} --wait=false\n@100s end")
    assert len(every_pod(story)) == 2
    assert status(story.end())["failed"] == 1 and status(story.end())["succeeded"] == 1


def test_with_replacement_policy_failed_a_pod_is_replaced_only_when_it_has_ended():
    story = play("@0s kubectl create -f job.yaml\n@10s end", {
        "job.yaml": job("while true; do sleep 1; done", "podReplacementPolicy: Failed").replace("trap 'exit 0' TERM; ", "trap '' TERM; ")})
    name, = story.end().names("pods")
    story.go_on(f"@10s kubectl delete pod {name} --wait=false\n@100s end")
    first, second = sorted(state.at for state in every_pod(story).values())
    ended = next(state.at for state in story.states("pods", name) if state.object["status"].get("phase") == "Failed")
    assert ended > 39 and second > ended
    assert any(state.object["status"]["terminating"] == 1 for state in story.states("jobs.batch", "work") if state.object["status"])


# -- policies ----------------------------------------------------------------------------------------------------------------
def test_a_failure_policy_can_fail_the_job_at_once():
    story = told("@60s end", command="exit 42", spec="podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, values: [42]}}]}")
    name, = every_pod(story)
    assert said(story.end(), "Failed") == (
        "True", "PodFailurePolicy", f"Container c for pod default/{name} failed with exit code 42 matching FailJob rule at index 0")


def test_a_failure_policy_can_ignore_disruptions():
    rules = "podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}"
    story = told("@10s kubectl drain n1 n2 n3 --force --timeout=5s\n@60s kubectl uncordon n1\n@120s end", command="sleep 20",
                 spec=f"backoffLimit: 0\n  {rules}").go_on("@121s end")
    assert "failed" not in status(story.end())
    assert said(story.end(), "Failed") is None


# -- indexes -----------------------------------------------------------------------------------------------------------------
INDEXED = "completions: 4\n  parallelism: 2\n  completionMode: Indexed"


def test_each_index_has_a_pod_that_knows_it():
    story = told("@60s end", command="echo $JOB_COMPLETION_INDEX", spec=INDEXED)
    pods = story.end().list("pods")
    assert sorted(pod["metadata"]["annotations"]["batch.kubernetes.io/job-completion-index"] for pod in pods) == ["0", "1", "2", "3"]
    assert sorted(pod["spec"]["hostname"] for pod in pods) == [f"work-{index}" for index in range(4)]
    assert sorted(pod["metadata"]["name"][:7] for pod in pods) == [f"work-{index}-" for index in range(4)]
    assert status(story.end())["completedIndexes"] == "0-3"


def test_failures_can_be_counted_for_each_index():
    story = told("@120s end", command="test $JOB_COMPLETION_INDEX != 1", spec=f"{INDEXED}\n  backoffLimitPerIndex: 1")
    found = status(story.end())
    assert (found["completedIndexes"], found["failedIndexes"], found["failed"], found["succeeded"]) == ("0,2,3", "1", 2, 3)
    assert said(story.end(), "Failed") == ("True", "FailedIndexes", "Job has failed indexes")
    counts = [pod["metadata"]["annotations"]["batch.kubernetes.io/job-index-failure-count"] for pod in story.end().list("pods", "work-1-")]
    assert sorted(counts) == ["0", "1"]


def test_too_many_failed_indexes_end_the_job():
    story = told("@120s end", command="exit 1", spec=f"{INDEXED}\n  backoffLimitPerIndex: 0\n  maxFailedIndexes: 1")
    assert said(story.end(), "Failed") == ("True", "MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes")


def test_a_success_policy_ends_the_job_early():
    rules = "successPolicy: {rules: [{succeededIndexes: '0', succeededCount: 1}]}"
    story = told("@120s end", command="test $JOB_COMPLETION_INDEX = 0 || sleep 100", spec=f"{INDEXED}\n  {rules}")
    assert said(story.end(), "Complete") == ("True", "SuccessPolicy", "Matched rules at index 0")
    assert status(story.end())["completedIndexes"] == "0"
    assert story.end().names("pods", "work-1-") == []


@pytest.mark.parametrize("indexes, text", [(set(), ""), ({3}, "3"), ({1, 2}, "1,2"), ({0, 1, 2, 5, 7, 8}, "0-2,5,7,8")])
def test_sets_of_indexes_are_written_and_read(indexes, text):
    assert written(indexes) == text and parsed(text, 100) == indexes


# -- the rest ----------------------------------------------------------------------------------------------------------------
def test_a_work_queue_waits_for_its_pods_after_the_first_success():
    story = told("@60s end", command="sleep 5", spec="parallelism: 3")
    assert len(every_pod(story)) == 3 and said(story.end(), "Complete")
    assert status(story.end())["succeeded"] == 3


def test_a_job_managed_by_someone_else_is_left_alone():
    story = told("@60s end", spec="managedBy: example.com/mine")
    assert story.end().names("pods") == [] and status(story.end()) == {}


def test_a_refused_pod_is_complained_about_and_tried_again():
    story = play("@0s kubectl create quota q --hard=pods=0\n@5s kubectl create -f job.yaml\n@20s kubectl delete quota q\n@90s end", {"job.yaml": job()})
    event = story.events("work", "FailedCreate")[0]
    assert event.message.startswith("Error creating: pods \"work-") and "exceeded quota: q" in event.message
    assert said(story.end(), "Complete")


def test_it_adopts_a_pod_that_its_selector_matches():
    manual = job("sleep 3", "manualSelector: true\n  selector: {matchLabels: {app: work}}")
    manual = manual.replace("  template:\n", "  template:\n    metadata: {labels: {app: work}}\n")
    story = play("""
        @0s kubectl run mine --image=busybox:1.36 --labels=app=work --restart=Never -- sleep 20
        @5s kubectl create -f job.yaml
        @60s end
    """, {"job.yaml": manual})
    assert every_pod(story) == {}
    assert controller_of(story.end().get("pods", "mine"))["kind"] == "Job"
    assert is_ready(story.at(10).get("pods", "mine")) and said(story.end(), "Complete")


def test_a_finished_job_leaves_nothing_to_do():
    assert not [key for component, key in three_of_two().cluster.queue.waiting if component in ("job", "ttl-after-finished")]
