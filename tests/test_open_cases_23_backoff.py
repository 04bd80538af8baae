"""O23 and O24: how long the kubelet waits before it starts a failed container again, or pulls an image again."""
from functools import cache

import pytest

from .stories import play
from .terminations import row

SYNC = 15                # seconds that a Pod's next sync may come after the time at which something was due
GET = "kubectl get pod web"


def pod(container, **spec):
    more = "".join(f"\n  {field}: {value}" for field, value in spec.items())
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: web}}
spec:{more}
  containers:
  - {{name: c, {container}}}
"""


def failing(after=0, code=1):
    return f'image: "demo:fail", env: [{{name: EXIT_AFTER, value: "{after}"}}, {{name: EXIT_CODE, value: "{code}"}}]'


def statuses(story, name="web"):
    """(time, the container's status) whenever a Pod with one was stored."""
    return [(state.at, state.object["status"]["containerStatuses"][0]) for state in story.states("pods", name)
            if state.object["status"].get("containerStatuses")]


def waits(story, reason="StartContainer", since=0):
    """Seconds between one such message about the Pod and the next."""
    times = [time for time in story.times(reason, pod="web") if time >= since]
    return [later - before for before, later in zip(times, times[1:])]


def within_a_sync(found, due):
    """Whether every wait was as long as it had to be, and over at the next sync."""
    assert len(found) == len(due)
    return all(wanted <= wait <= wanted + SYNC for wanted, wait in zip(due, found))


# -- O23 --------------------------------------------------------------------------------------------------------------------
@cache
def crash_loop():
    return play(f"""
        @0s kubectl create -f web.yaml
        @60s {GET}
        @240s {GET}
        @330s kubectl delete pod web
        @340s kubectl create -f web.yaml
        @360s end
    """, {"web.yaml": pod(failing())})


@cache
def a_long_crash_loop():
    return play("""
        @0s kubectl create -f web.yaml
        @1500s end
    """, {"web.yaml": pod(failing())})


def test_o23_the_first_restart_has_no_delay_and_then_it_doubles_up_to_five_minutes():
    first, *others = waits(a_long_crash_loop())
    assert first < 1.5
    assert within_a_sync(others, [10, 20, 40, 80, 160, 300, 300, 300])


def test_o23_the_state_shows_the_exit_until_the_next_sync_and_then_the_wait():
    story = crash_loop()
    third = [(at, one) for at, one in statuses(story) if one["restartCount"] == 3 and at < 330]
    (at, ended), (later, waiting), *others = third
    assert ended["state"]["terminated"]["exitCode"] == 1
    assert ended["state"]["terminated"]["reason"] == "Error"
    uid = story.at(300).get("pods", "web")["metadata"]["uid"]
    assert waiting["state"] == {"waiting": {"reason": "CrashLoopBackOff", "message": f"back-off 40s restarting failed container=c pod=web_default({uid})"}}
    assert waiting["lastState"]["terminated"]["exitCode"] == 1
    assert later - at > 40
    assert others == []


def test_o23_the_event_comes_at_once_when_the_restart_is_refused():
    story = crash_loop()
    uid = story.at(300).get("pods", "web")["metadata"]["uid"]
    event, *_ = story.events("web", "BackOff")
    assert (event.type, event.message) == ("Warning", f"Back-off restarting failed container c in pod web_default({uid})")
    second = story.times("StartContainer", pod="web")[1]
    assert second < event.at < second + 2


def test_o23_the_pod_stays_running_and_kubectl_tells_how_often_and_when():
    story = crash_loop()
    assert {state.object["status"]["phase"] for state in story.states("pods", "web") if 2 < state.at < 330} == {"Running"}
    assert row(story, GET)[1:4] == ["0/1", "Error", "3"]
    assert row(story, GET)[4].startswith("(")
    assert row(story, GET)[5] == "ago)"


def test_o23_in_long_waits_the_status_becomes_crashloopbackoff():
    assert row(crash_loop(), GET, 2)[1:4] == ["0/1", "CrashLoopBackOff", "5"]


def test_o23_a_new_pod_of_the_same_name_starts_afresh():
    story = crash_loop()
    first = [time for time in story.times("StartContainer", pod="web") if time > 340]
    assert len(first) == 3
    assert first[1] - first[0] < 1.5
    assert 10 <= first[2] - first[1] <= 10 + SYNC


FORGIVEN = ('image: "busybox:1.36", volumeMounts: [{name: s, mountPath: /s}], command: [sh, -c, '
            '"n=$(cat /s/n 2>/dev/null || echo 0); n=$((n+1)); echo $n > /s/n; [ $n = 4 ] && sleep 610; exit 1"]')


def test_o23_a_run_of_more_than_ten_minutes_is_forgiven():
    story = play("""
        @0s kubectl create -f web.yaml
        @730s end
    """, {"web.yaml": pod(FORGIVEN, volumes="[{name: s, emptyDir: {}}]")})
    ended = max(story.times("ProcessExited", pod="web")[:4])
    at_once, *others = [time for time in story.times("StartContainer", pod="web") if time > ended]
    assert at_once - ended < 1.5
    assert within_a_sync([later - before for before, later in zip([at_once, *others], others)], [10, 20])


# -- O24 --------------------------------------------------------------------------------------------------------------------
ERROR = ('rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/demo:missing": failed to resolve image: '
         "docker.io/library/demo:missing: not found")


@cache
def a_missing_image():
    return play("""
        @0s kubectl create -f web.yaml
        @100s kubectl set image pod/web c=demo:ok
        @110s kubectl get pod web
        @120s end
    """, {"web.yaml": pod('image: "demo:missing"')})


@cache
def a_long_missing_image():
    return play("""
        @0s kubectl create -f web.yaml
        @1010s end
    """, {"web.yaml": pod('image: "demo:missing"', restartPolicy="Never")})


def test_o24_pulls_come_later_and_later():
    assert within_a_sync(waits(a_long_missing_image(), "PullImage"), [10, 20, 40, 80, 160, 300, 300])


def test_o24_error_and_back_off_alternate():
    reasons = [one["state"]["waiting"]["reason"] for at, one in statuses(a_long_missing_image()) if at > 0.6]
    assert reasons[:6] == ["ErrImagePull", "ImagePullBackOff"] * 3


def test_o24_the_error_is_written_one_sync_after_a_later_pull():
    story = a_long_missing_image()
    second = story.times("PullImage", pod="web")[1]
    written = next(at for at, one in statuses(story) if at > second and one["state"]["waiting"]["reason"] == "ErrImagePull")
    assert 9 <= written - second <= SYNC


def test_o24_nothing_was_restarted_and_nothing_failed():
    last = a_long_missing_image().end().get("pods", "web")["status"]
    assert last["phase"] == "Pending"
    assert last["containerStatuses"][0]["restartCount"] == 0
    assert last["containerStatuses"][0]["lastState"] == {}


def test_o24_the_events_in_order():
    events = [(event.type, event.reason, event.message) for event in a_missing_image().events("web") if event.reason != "Scheduled"]
    assert events[:5] == [
        ("Normal", "Pulling", 'Pulling image "demo:missing"'),
        ("Warning", "Failed", f'Failed to pull image "demo:missing": {ERROR}'),
        ("Warning", "Failed", "Error: ErrImagePull"),
        ("Normal", "BackOff", 'Back-off pulling image "demo:missing"'),
        ("Warning", "Failed", "Error: ImagePullBackOff")]


def test_o24_the_waiting_message_repeats_the_pull_error():
    waiting = [one["state"]["waiting"] for _, one in statuses(a_long_missing_image())]
    assert {one["message"] for one in waiting if one["reason"] == "ErrImagePull"} == {ERROR}
    assert {one["message"] for one in waiting if one["reason"] == "ImagePullBackOff"} == {f'Back-off pulling image "demo:missing": ErrImagePull: {ERROR}'}


def test_o24_a_good_image_is_pulled_at_once():
    story = a_missing_image()
    running = next(at for at, one in statuses(story) if "running" in one["state"])
    assert running == pytest.approx(100.5, abs=0.5)
    assert row(story, "kubectl get pod web")[:4] == ["web", "1/1", "Running", "0"]


@pytest.mark.parametrize(("image", "policy"), [("nginx", "Always"), ("nginx:latest", "Always"), ("nginx:1.27", "IfNotPresent")])
def test_o24_the_pull_policy_depends_on_the_tag(image, policy):
    story = play("@0s kubectl create -f web.yaml\n@1s end", {"web.yaml": pod(f'image: "{image}"')})
    assert story.end().get("pods", "web")["spec"]["containers"][0]["imagePullPolicy"] == policy
