"""Many thousand random commands and faults: on one cluster that lives for days, and on many that live for minutes.

    python -m tests.long_runs --commands 10000 --seed 1

Half of the commands go to the long-lived cluster. It is looked at whenever it has come to rest: as broken as it is, and again when everything was mended.
What breaks a rule is printed as a script, made as short as it gets; the exit code is 1 then. The same seed plays the same.
"""
import argparse
import sys
import traceback
from itertools import chain, count
from random import Random
from resource import RUSAGE_SELF, getrusage
from time import process_time

from hypothesis import HealthCheck, Phase, given, seed, settings

from lifecycle.simulation import broken as faulty
from lifecycle.simulation.node.registration import register
from lifecycle.simulation.resources import resource

from .invariants import broken
from .machinery import flaws
from .random_runs import SECOND, Player, play
from .random_scripts import Script, scripts

NODES, DAY = 3, 86_400 * SECOND
MOST = 25                  # acts of one short life at most
LAP = 80                   # acts between two rests of the long life at least
AT_ONCE = 40               # scripts that are drawn with one seed
REST = 400 * SECOND        # a lost node is found after 50 s, its Pods are told to go 300 s later
RECOVERY = 1100 * SECOND   # after everything was mended: the longest pause between two tries of a controller is 1,000 s
MENDS = ("node {} up", "node {} heal", "node {} memory-pressure off", "node {} disk-pressure off", "node {} pid-pressure off", "node {} cni mend",
         "node {} clock mend")
WAYS = {"image": "image {} mend", "registry": "registry {} mend", "slow": "component {} mend", "attach": "csi attach mend", "mount": "csi mount mend"}
CLEANING = ("kubectl delete cronjobs,jobs --all --wait=false", "kubectl delete pods -A --field-selector=status.phase=Failed --wait=false")
KUBECTL_MENDS = ("kubectl uncordon {}", "kubectl taint nodes {} kind-", "kubectl taint nodes {} node.kubernetes.io/out-of-service-")


def drawn(number, commands):
    """Scripts with so many acts in all, always the same for the same number."""
    for part in count():
        for script in _some(number * 1000 + part):
            if commands <= 0:
                return
            commands -= len(script.acts)
            yield script


def _some(number):
    """As many scripts as hypothesis draws with a seed, the small ones not first."""
    found = []

    @seed(number)
    @settings(max_examples=AT_ONCE, phases=[Phase.generate], database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(scripts(MOST))
    def collect(script):
        found.append(script)

    collect()
    Random(number).shuffle(found)
    return found


def joined(some):
    """The same acts in fewer scripts, of at least LAP acts."""
    acts = []
    for script in some:
        acts += script.acts
        if len(acts) >= LAP:
            yield script._replace(acts=acts)
            acts = []
    if acts:
        yield script._replace(acts=acts)


def wrong(player):
    """Everything that is wrong with what a player has done so far."""
    return [*broken(player.run()), *flaws(player)]


# -- many short lives ----------------------------------------------------------------------------------------------------------
def played_out(script):
    """(what is wrong, what was played) of one script on a cluster of its own; a crash is wrong too."""
    try:
        player = play(script)
        return wrong(player), player.played
    except Exception:
        return [traceback.format_exc()], list(map(str, script.acts))


def shortest(script):
    """The script without the acts that it can go wrong without."""
    place = 0
    while place < len(script.acts):
        shorter = script._replace(acts=script.acts[:place] + script.acts[place + 1:])
        if played_out(shorter)[0]:
            script = shorter
        else:
            place += 1
    return script


def short_lives(number, commands):
    """(script, what is wrong, what was played) of many clusters."""
    for script in drawn(number, commands):
        problems, played = played_out(script)
        yield script, *(played_out(shortest(script)) if problems else (problems, played))


# -- one long life -------------------------------------------------------------------------------------------------------------
class LongLife(Player):
    """A cluster to which one script after the other happens. What was checked is forgotten, so that it stays small."""

    def __init__(self, number):
        super().__init__(Script(number, NODES, []))

    def live(self, script):
        """Play a script, stop what still waits for something, rest, look; mend everything, rest, look. Returns what is wrong."""
        for act in script.acts:
            self.act(act)
        for id in list(self.cluster.console.running()):
            self.cluster.console.interrupt(id)
        self.cluster.fault("etcd mend")
        self.run_until(self.cluster.clock.now + REST)
        found = wrong(self)
        self.forget()
        self.mend()
        self.run_until(self.cluster.clock.now + RECOVERY)
        found += wrong(self)
        self.forget()
        return found

    def mend(self):
        """Take every fault back; throw away what has failed, and Jobs, of which there would be more every minute."""
        cluster = self.cluster
        for number in range(1, NODES + 1):
            if cluster.etcd.get(resource("nodes").key("", f"n{number}")) is None:
                cluster.components["kubelet"].rejoin(f"n{number}")
                register(cluster, f"n{number}", number)
            for words in MENDS:
                cluster.fault(words.format(f"n{number}"))
            self.commands += [cluster.kubectl(words.format(f"n{number}")) for words in KUBECTL_MENDS]
        for what in list(cluster.etcd.disk(faulty.FAULTS)):
            kind, _, name = what.partition(" ")
            if kind in WAYS:
                cluster.fault(WAYS[kind].format(name))
        for name in list(cluster.etcd.disk(faulty.STOPPED)):
            cluster.fault(f"component {name} start")
        self.commands += [cluster.kubectl(words) for words in CLEANING]
        self.played.append(f"@{cluster.clock.now / SECOND:g}s everything is mended")


def long_life(number, commands):
    """(script, what is wrong, what was played) of one cluster; after a crash another one goes on."""
    player = LongLife(number)
    for script in joined(drawn(number, commands)):
        mark, day = len(player.played), player.cluster.clock.now / DAY
        try:
            problems = player.live(script)
        except Exception:
            problems = [traceback.format_exc()]
        yield script, problems, [f"On day {day:.1f} of seed {number}:", *player.played[mark:]]
        if problems and problems[0].startswith("Traceback"):
            player = LongLife(number)


# -- as a program --------------------------------------------------------------------------------------------------------------
def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--commands", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    half, acts, wrong_ones = asked.commands // 2, 0, 0
    for script, problems, played in chain(long_life(asked.seed, half), short_lives(asked.seed + 1, asked.commands - half)):
        acts, wrong_ones = acts + len(script.acts), wrong_ones + bool(problems)
        if problems:
            print("\n".join([*played, "  is wrong:", *dict.fromkeys(problems), ""]), flush=True)
        print(f"{acts} commands and faults, {wrong_ones} stories went wrong, {process_time():.0f} s of processor time, "
              f"{getrusage(RUSAGE_SELF).ru_maxrss >> 10} MiB at most", file=sys.stderr)
    sys.exit(bool(wrong_ones))


if __name__ == "__main__":
    main()
