"""Which Pods would have to go so that a more important one fits (pkg/scheduler/framework/preemption, plugins/defaultpreemption)."""
from typing import NamedTuple

from lifecycle.simulation.selectors import matches

from .diagnosis import sentence
from .filtering import tried
from .rejection import Rejection

NEVER = "not eligible due to preemptionPolicy=Never."
UNDER_WAY = "not eligible due to a terminating pod on the nominated node."
NO_USE = Rejection("DefaultPreemption", ("Preemption is not helpful for scheduling",))
NO_VICTIMS = Rejection("DefaultPreemption", ("No preemption victims found for incoming pod",))
LEAST_CANDIDATES, CANDIDATES_SHARE = 100, 10       # so many candidates, or that percentage of the nodes, are enough to choose from


class Candidate(NamedTuple):
    """`victims` are PodInfos, the most important first; `violations` how many of them a PodDisruptionBudget protects."""

    node: str
    victims: list
    violations: int


class Attempt(NamedTuple):
    """What came of trying to preempt: a `candidate`, or the `message` why there is none. `clear`: an earlier nomination is no longer of use."""

    candidate: Candidate | None
    message: str = ""
    clear: bool = False


def attempt(info, diagnosis, view, random):
    """Look for a node where less important Pods can make room."""
    message = ineligible(info, view)
    if message:
        return Attempt(None, message)
    useful = [node for node in view.nodes if node.name in diagnosis.nodes and diagnosis.nodes[node.name].resolvable]
    reasons = {name: NO_USE for name, rejection in diagnosis.nodes.items() if not rejection.resolvable}
    budgets = [(budget, budget["status"].get("disruptionsAllowed", 0)) for budget in view.api.list("poddisruptionbudgets.policy") if "status" in budget]
    candidates = _candidates(info, useful, view, budgets, reasons, random)
    if candidates:
        return Attempt(best(candidates))
    return Attempt(None, sentence(len(view.nodes), diagnosis._replace(whole=None, nodes=reasons)), True)


def ineligible(info, view):
    """Why this Pod may not preempt now, or ""."""
    if info.pod["spec"].get("preemptionPolicy") == "Never":
        return NEVER
    node = view.node((info.pod.get("status") or {}).get("nominatedNodeName") or "")
    if node and any(other.terminating and other.priority < info.priority and is_victim(other.pod) for other in node.pods.values()):
        return UNDER_WAY
    return ""


def is_victim(pod):
    """Whether a terminating Pod is a victim of preemption, and not of someone else."""
    conditions = (pod.get("status") or {}).get("conditions") or ()
    return any(one["type"] == "DisruptionTarget" and one["status"] == "True" and one.get("reason") == "PreemptionByScheduler" for one in conditions)


def _candidates(info, useful, view, budgets, reasons, random):
    enough = max(LEAST_CANDIDATES, len(useful) * CANDIDATES_SHARE // 100)
    offset = random.below(len(useful)) if len(useful) > enough else 0
    found = []
    for node in useful[offset:] + useful[:offset]:
        candidate = victims_on(info, node, view, budgets)
        if isinstance(candidate, Rejection):
            reasons[node.name] = candidate
        else:
            found.append(candidate)
            if len(found) == enough:
                break
    return found


def importance(info):
    """Sorts the most important Pods first: by priority, then those that have run longest."""
    return -info.priority, _started(info), info.key


def victims_on(info, node, view, budgets):
    """The Candidate of a node with as few victims as will do, or the Rejection why there is none."""
    potential = sorted((other for other in node.pods.values() if other.priority < info.priority), key=importance)
    if not potential:
        return NO_VICTIMS
    trial = node.copy()
    for other in potential:
        trial.remove(other.key)
    rejection = _still_rejected(info, trial, view)
    if rejection is not None:
        return rejection
    protected, free = split_by_budgets(potential, budgets)
    victims = [other for other in protected if not _reprieved(info, other, trial, view)]
    violations = len(victims)
    victims += [other for other in free if not _reprieved(info, other, trial, view)]
    return Candidate(node.name, sorted(victims, key=importance), violations)


def _still_rejected(info, trial, view):
    rivals = [other for other in (view.cache.nominated.get(trial.name) or {}).values() if other.key != info.key and other.priority >= info.priority]
    if rivals:
        crowded = trial.copy()
        for other in rivals:
            crowded.add(other)
        rejection = tried(info, crowded, view)
        if rejection is not None:
            return rejection
    return tried(info, trial, view)


def _reprieved(info, other, trial, view):
    """Put a victim back; whether the Pod fits beside it. If it does not, the victim is off the node again."""
    trial.add(other)
    if _still_rejected(info, trial, view) is None:
        return True
    trial.remove(other.key)
    return False


def split_by_budgets(pods, budgets):
    """(those whose eviction a PodDisruptionBudget does not allow any more, the others)."""
    left = {id(budget): allowed for budget, allowed in budgets}
    protected, free = [], []
    for info in pods:
        mine = [budget for budget, _ in budgets if _protects(budget, info)]
        for budget in mine:
            left[id(budget)] -= 1
        (protected if any(left[id(budget)] < 0 for budget in mine) else free).append(info)
    return protected, free


def _protects(budget, info):
    selector = budget["spec"].get("selector")
    return (bool(info.labels) and budget["metadata"]["namespace"] == info.namespace and selector is not None and matches(selector, info.labels)
            and info.pod["metadata"]["name"] not in (budget["status"].get("disruptedPods") or {}))


def best(candidates):
    """The candidate that does the least harm, by the first of Kubernetes' measures in which one is alone at the top."""
    for measure in (_violations, _highest, _sum, _number, _start):
        least = min(map(measure, candidates))
        candidates = [one for one in candidates if measure(one) == least]
        if len(candidates) == 1:
            break
    return candidates[0]


def _violations(candidate):
    return candidate.violations


def _highest(candidate):
    return candidate.victims[0].priority if candidate.victims else -2**31


def _sum(candidate):
    return sum(victim.priority + 2**31 for victim in candidate.victims)


def _number(candidate):
    return len(candidate.victims)


def _start(candidate):
    """The earliest start of the most important victims: the later, the better, so the text is turned around."""
    starts = [_started(victim) for victim in candidate.victims if victim.priority == candidate.victims[0].priority]
    return [-ord(letter) for letter in min(starts, default="")]


def _started(info):
    return (info.pod.get("status") or {}).get("startTime") or "~"

