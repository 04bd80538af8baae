"""What the run answers to a prediction."""
from ..simulation.cel import CelError, compiled
from .checks import fits_object, fits_step
from .questions import text

NODES = "@nodes"


def answer_of(prediction, step=None, key=None, thing=None):
    """The id of the option that a message, or a change of a stored object, shows to be right; None if it shows nothing."""
    if prediction.kind == "race":
        return next((option.id for option in prediction.options if fits(option, step, key, thing)), None)
    if not fits(prediction.about, step, key, thing):
        return None
    try:
        return text(compiled(prediction.value)({"step": step._asdict()} if step else {"object": thing}))
    except CelError:
        return None


def fits(condition, step, key, thing):
    return fits_step(condition, step) if step else bool(condition.objects) and fits_object(condition, key, thing)


def options_of(prediction, nodes):
    """The ids that can be chosen; `nodes` are the names of the cluster's nodes."""
    if prediction.kind == "race":
        return [option.id for option in prediction.options]
    return list(nodes) if prediction.options == (NODES,) else list(prediction.options)


def answered(state, prediction, answer):
    """The state after a learner has answered, or with None has skipped; the same state if the run has answered before."""
    known = state["predictions"].get(prediction.id, {})
    if known.get("outcome") is not None or answer == known.get("answer", ""):
        return state
    changed = {**known, "answer": answer}
    if answer is not None:
        changed.setdefault("first", answer)
    return {**state, "predictions": {**state["predictions"], prediction.id: changed}}
