"""The lines of a lesson - kubectl commands, faults, and `wait SECONDS` - done on a simulation in virtual time."""
from ..scripts import milliseconds

COMMAND = 60_000               # virtual ms for which the end of a command is waited for
SETTLED = 600_000              # and for which a cluster may take to come to rest
WAIT = "wait "


def do(simulation, line, files, moved=lambda: None):
    """Do one line, and let it come to its end. Raises ValueError with a sentence for what is not known.

    `files` are {name: text} that commands may read; `moved()` is called after every work item. Returns the record of a kubectl command, else None.
    """
    if line.startswith(WAIT):
        pass_time(simulation, milliseconds(line.removeprefix(WAIT)), moved)
    elif line.startswith("kubectl "):
        id = simulation.kubectl(line, files_in(line, files))
        run_while(simulation, COMMAND, moved, lambda: simulation.console.command(id)["exit"] is None)
        return simulation.console.command(id)
    else:
        simulation.fault(line)
        moved()
    return None


def give(simulation, line, files):
    """Give a command or do a fault now, as a person would; what follows takes its time. Raises ValueError."""
    if line.startswith("kubectl "):
        simulation.kubectl(line, files_in(line, files))
    else:
        simulation.fault(line)


def files_in(line, files):
    """Those of some files {name: text} that a command names."""
    return {name: text for name, text in files.items() if name in line}


def begin(simulation, lines, files):
    """Do the lines with which a cluster begins, each until the cluster is at rest, without a word. Raises ValueError for one that fails."""
    for line in lines:
        command = do(simulation, line, files)
        if command and command["exit"] != 0:
            raise ValueError(f"start: {line}: {command['output'].strip() or 'it has not ended'}")
        simulation.run_until_settled(simulation.clock.now + SETTLED)
    simulation.log.forget_since(0)


def pass_time(simulation, ms, moved):
    """Let virtual time pass."""
    until = simulation.clock.now + ms
    run_while(simulation, ms, moved)
    simulation.run_until(until)
    moved()


def run_while(simulation, ms, moved, goes_on=lambda: True):
    """Do work for at most so many virtual ms, while `goes_on()`."""
    latest, queue = simulation.clock.now + ms, simulation.queue
    while goes_on() and (due := queue.due()) is not None and due <= latest:
        simulation.step()
        moved()
