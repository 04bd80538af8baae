"""The rules that hold in every run, whatever anybody does: the invariants of a Kubernetes cluster, as functions of what was recorded."""
from . import endings, messages, objects, pods, sets, workloads
from .run import RULES, Command, Run, rule

__all__ = ["RULES", "Command", "Run", "broken", "endings", "messages", "objects", "pods", "rule", "sets", "workloads"]


def broken(run):
    """A sentence for everything in a run that breaks a rule."""
    return [f"{function.__name__} ({function.__doc__}) {sentence}" for function in RULES for sentence in function(run)]
