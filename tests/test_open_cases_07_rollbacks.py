"""O07: revisions and how they are undone."""
from functools import cache

from .rollouts import HISTORY, UNDO, deployment, replica_set, runs, states_of
from .stories import play

REVISION = "deployment.kubernetes.io/revision"
APPLY_WARNING = ("Warning: resource deployments/web was previously managed with 'kubectl apply'. Rolling back will not update the "
                 "kubectl.kubernetes.io/last-applied-configuration annotation, which may cause unexpected behavior on future 'kubectl apply' operations. "
                 "Consider using 'kubectl apply' with your previous configuration file instead.\n")


@cache
def two_undos():
    return play("""
        @0s kubectl create -f web.yaml
        @20s kubectl set image deployment/web c=demo:ok2
        @40s kubectl set image deployment/web c=demo:missing
        @60s kubectl rollout history deployment/web
        @61s kubectl rollout undo deployment/web
        @80s kubectl rollout history deployment/web
        @81s kubectl rollout undo deployment/web --to-revision=4
        @90s kubectl rollout undo deployment/web
        @110s kubectl rollout history deployment/web
        @111s kubectl scale deployment/web --replicas=5
        @130s kubectl rollout history deployment/web
        @131s kubectl rollout undo deployment/web --to-revision=2
        @140s end
    """, {"web.yaml": deployment(2)})


def revisions(story, number):
    """The revisions that the `number`th `rollout history` lists; CHANGE-CAUSE must be none."""
    head, columns, *rows = story.printed(HISTORY, number).strip().splitlines()
    assert (head.strip(), columns.split()) == ("deployment.apps/web", ["REVISION", "CHANGE-CAUSE"])
    assert {row.split()[1] for row in rows} == {"<none>"}
    return [int(row.split()[0]) for row in rows]


def test_o07_a_rollback_takes_the_revision_out_of_its_place_and_gives_it_a_new_number():
    story = two_undos()
    assert revisions(story, 1) == [1, 2, 3]
    assert revisions(story, 2) == [1, 3, 4]
    assert story.printed(UNDO) == "deployment.apps/web rolled back\n"
    assert story.at(80).get("deployments.apps", "web")["metadata"]["annotations"][REVISION] == "4"


def test_o07_the_old_replica_set_is_used_again():
    story = two_undos()
    before, after = (replica_set(story.at(seconds), "demo:ok2")["metadata"] for seconds in (60, 80))
    assert (before["name"], before["uid"]) == (after["name"], after["uid"])
    assert before["annotations"][REVISION] == "2"
    assert after["annotations"][REVISION] == "4"
    assert after["annotations"]["deployment.kubernetes.io/revision-history"] == "2"
    assert len(story.at(80).list("replicasets.apps")) == 3


def test_o07_two_undos_toggle():
    story = two_undos()
    assert revisions(story, 3) == [1, 4, 5]
    assert story.at(110).get("deployments.apps", "web")["spec"]["template"]["spec"]["containers"][0]["image"] == "demo:missing"


def test_o07_scaling_makes_no_revision_and_undo_restores_no_replicas():
    story = two_undos()
    assert revisions(story, 4) == [1, 4, 5]
    assert story.end().get("deployments.apps", "web")["spec"]["replicas"] == 5
    story = play("""
        @0s kubectl create -f web.yaml
        @20s kubectl set image deployment/web c=demo:ok2
        @40s kubectl scale deployment/web --replicas=3
        @60s kubectl rollout undo deployment/web
        @80s end
    """, {"web.yaml": deployment(2)})
    assert story.end().get("deployments.apps", "web")["spec"]["replicas"] == 3


def test_o07_scaling_during_a_broken_rollout_shares_the_new_pods_out():
    story = two_undos()
    sizes = {image: runs(state.object["spec"]["replicas"] for state in states_of(story, image)) for image in ("demo:ok2", "demo:missing")}
    assert sizes["demo:ok2"][-3:] == [2, 5, 4]
    assert sizes["demo:missing"][-3:] == [1, 2, 3]


def test_o07_a_revision_that_is_current_is_skipped_and_one_that_is_gone_is_not_found():
    story = two_undos()
    assert story.printed(f"{UNDO} --to-revision=4") == "deployment.apps/web skipped rollback (current template already matches revision 4)\n"
    assert story.exit(f"{UNDO} --to-revision=4") == 0
    assert story.printed(f"{UNDO} --to-revision=2") == "error: unable to find specified revision 2 in history\n"
    assert story.exit(f"{UNDO} --to-revision=2") == 1


def test_o07_undo_of_what_was_applied_warns_on_standard_error():
    story = play("""
        @0s kubectl apply -f web.yaml
        @20s kubectl set image deployment/web c=demo:ok2
        @40s kubectl rollout undo deployment/web
        @60s end
    """, {"web.yaml": deployment(2)})
    record = story.command(UNDO)
    assert (record["stdout"], record["stderr"]) == ("deployment.apps/web rolled back\n", APPLY_WARNING)


def test_o07_a_change_cause_is_shown():
    story = play("""
        @0s kubectl create -f web.yaml
        @20s kubectl set image deployment/web c=demo:ok2
        @21s kubectl annotate deployment/web kubernetes.io/change-cause=better
        @40s kubectl rollout history deployment/web
    """, {"web.yaml": deployment(1)})
    assert [row.split() for row in story.printed(HISTORY).strip().splitlines()[2:]] == [["1", "<none>"], ["2", "better"]]


def test_o07_revisions_are_numbers():
    updates = "\n".join(f"@{20 * number}s kubectl set image deployment/web c=demo:v{number}" for number in range(2, 12))
    story = play(f"""
        @0s kubectl create -f web.yaml
        {updates}
        @240s kubectl rollout history deployment/web
        @241s kubectl rollout undo deployment/web
        @260s end
    """, {"web.yaml": deployment(1, "demo:v1")})
    assert revisions(story, 1) == list(range(1, 12))
    web = story.end().get("deployments.apps", "web")
    assert web["spec"]["template"]["spec"]["containers"][0]["image"] == "demo:v10"
    assert web["metadata"]["annotations"][REVISION] == "12"
