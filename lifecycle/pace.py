"""How virtual time follows the wall: pure rules over a cluster's row and simulation.

    paused, step   nothing moves by itself
    story          a work item that says something every `speed` seconds; idle gaps of virtual time are crossed at once
    real           virtual time is `speed` times as fast as the wall; everything due is done

A row with `stops` pauses after the first message that is one of them. Times of the wall are seconds since 1970. A cluster that nobody watches does not move.
"""
from time import monotonic

BUDGET = 0.05                  # seconds of work in one transaction: others wait for the lock meanwhile
WATCHED = 30                   # seconds for which a look keeps a cluster moving
MOST_SILENT = 1000             # work items in a row that say nothing
PACES = ("paused", "step", "story", "real")
SPEEDS = {"story": (0.05, 60), "real": (0.01, 1000)}          # least and most
USUAL = {"story": 0.8, "real": 1}


def is_watched(row, now):
    return row.watched_until > now


def due_at(row, now):
    """When the cluster is to be moved next, or None."""
    if not is_watched(row, now) or row.next_virtual is None:
        return None
    if row.pace == "story":
        return row.told + row.speed
    if row.pace == "real":
        return row.anchor_wall + (row.next_virtual - row.anchor_virtual) / 1000 / row.speed
    return None


def check(kind, speed):
    """Raises ValueError for a pace that there is not, or a speed that it cannot have."""
    if kind not in PACES:
        raise ValueError(f'there is no pace "{kind}"')
    least, most = SPEEDS.get(kind, (0, 0))
    if speed is not None and kind in SPEEDS and not least <= speed <= most:
        raise ValueError(f"{kind}: a speed from {least} to {most}")


def speed_of(row, kind, speed):
    """The speed that a row is to have with a pace."""
    if kind not in SPEEDS or (speed is None and kind == row.pace):
        return row.speed
    return USUAL[kind] if speed is None else speed


def anchor(row, now):
    """Let real time begin here: what passed before does not count."""
    row.anchor_wall, row.anchor_virtual = now, row.now


def virtual_now(row, now):
    """The virtual time that a real-time cluster should have reached."""
    return row.anchor_virtual + int((now - row.anchor_wall) * 1000 * row.speed)


def advance(row, simulation, now):
    """Do what is due, within the budget; what is left is due at once."""
    is_stop = Stop(row, simulation)
    if row.pace == "story":
        if tell(simulation):
            row.told = now
        is_stop()
    else:
        catch_up(simulation, virtual_now(row, now), is_stop)


class Stop:
    """Called between work items: whether a message has been said since the last call at which the row is to pause. Then it pauses, and the stop is used up."""

    def __init__(self, row, simulation):
        self.row, self.steps = row, simulation.log.steps
        self.told = len(self.steps)

    def __call__(self):
        if not self.row.stops:
            return False
        new, self.told = self.steps[self.told:], len(self.steps)
        reached = [[reason, facts] for reason, facts in self.row.stops if any(step.reason == reason and facts.items() <= step.facts.items() for step in new)]
        if reached:
            self.row.stops = [stop for stop in self.row.stops if stop not in reached]
            self.row.pace = "paused"
        return bool(reached)


def tell(simulation, most=MOST_SILENT):
    """Do work items until something is said. Returns whether something was."""
    said = simulation.log.seq
    for _ in range(most):
        if not simulation.step() or simulation.log.seq != said:
            break
    return simulation.log.seq != said


def catch_up(simulation, at, is_stop=lambda: False):
    """Do all work that is due until a virtual time, until the budget is spent, or until `is_stop()` says so."""
    end, queue = monotonic() + BUDGET, simulation.queue
    while (due := queue.due()) is not None and due <= at:
        simulation.step()
        if is_stop() or monotonic() > end:
            return
    simulation.clock.now = max(simulation.clock.now, at)
