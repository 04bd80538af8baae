"""What kubectl says without, or before, doing anything: golden data are what the real kubectl 1.36.4 printed."""
import json
import re
from pathlib import Path

import pytest

from .builders import a_cluster, kubectl

GOLDEN = Path(__file__).parent / "golden"
DEPLOYMENT = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"


def _cases(name):
    return [pytest.param(case, id=case["command"]) for case in json.loads((GOLDEN / name).read_text())]


@pytest.fixture(scope="module")
def idle():
    return a_cluster()


@pytest.mark.parametrize("case", _cases("kubectl_words.json"))
def test_a_command_that_makes_no_sense_is_refused_in_the_words_of_kubectl(idle, case):
    told = kubectl(idle, case["command"], {"d.yaml": DEPLOYMENT})
    assert (told["stdout"], told["stderr"], told["exit"]) == (case["stdout"], case["stderr"], case["exit"])


@pytest.mark.parametrize("case", _cases("kubectl_made.json"))
def test_what_a_command_would_create_is_written_as_kubectl_writes_it(idle, case):
    told = kubectl(idle, case["command"])
    assert (told["stdout"], told["stderr"], told["exit"]) == (case["stdout"], case["stderr"], case["exit"])


def test_a_container_is_named_after_its_image_with_a_random_end_if_that_is_no_name(idle):
    made = kubectl(idle, "kubectl create deployment web --image=registry.example.com/shop/web_app:1.2 --dry-run=client -o yaml")
    assert re.search(r"name: web-app-[a-z0-9]{5}\n", made["stdout"])


def test_a_mistyped_command_is_answered_with_what_was_perhaps_meant(idle):
    told = kubectl(idle, "kubectl creat -f web.yaml")
    assert told["stderr"] == 'error: unknown command "creat" for "kubectl"\n\nDid you mean this?\n\tcreate\n'
    assert told["exit"] == 1


def test_flags_may_stand_before_the_command(idle):
    assert kubectl(idle, "kubectl -n kube-system get sa -o name")["stdout"] == kubectl(idle, "kubectl get sa --namespace kube-system -o name")["stdout"]


def test_a_command_that_the_console_does_not_have_says_why_whatever_its_flags(idle):
    told = kubectl(idle, "kubectl port-forward svc/web 8080:80 --address=0.0.0.0")
    assert (told["exit"], told["stdout"]) == (1, "")
    assert told["stderr"].startswith('error: this console has no "kubectl port-forward"')


def test_a_shell_operator_is_not_taken_for_an_argument(idle):
    assert "knows no shell" in kubectl(idle, "kubectl get pods | grep web")["stderr"]


def test_every_command_explains_itself(idle):
    assert "--replicas=0" in kubectl(idle, "kubectl scale --help")["stdout"]
    assert "  rollout" in kubectl(idle, "kubectl")["stdout"]
    assert "  undo" in kubectl(idle, "kubectl rollout")["stderr"]
