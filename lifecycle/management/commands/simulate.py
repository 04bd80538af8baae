"""`manage.py simulate`: runs manifests or a script on a fresh cluster and prints every message, without database or server."""
from argparse import RawDescriptionHelpFormatter
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from lifecycle import scripts
from lifecycle.explanations import LANGUAGES
from lifecycle.formats import FORMATS, Console
from lifecycle.memory import tune
from lifecycle.simulation.bootstrap import bootstrap
from lifecycle.simulation.cluster import Cluster
from lifecycle.simulation.faults import FAULTS

SETTLED = 10 * 60_000          # without an end, a run is over when nothing waits, or after so many virtual ms
LAST_ANSWER = 500              # what was typed just before the end still gets its answer, for so many virtual ms


class Command(BaseCommand):
    help = "Runs manifests, or a script of timed kubectl commands and faults, on a fresh simulated cluster and prints every message in order."
    requires_system_checks = ()

    def create_parser(self, *arguments, **options):
        """The faults are listed below the options, one a line."""
        lines = "\n".join(f"  {fault.words}" for fault in FAULTS)
        return super().create_parser(*arguments, epilog=f"faults of a script:\n{lines}", formatter_class=RawDescriptionHelpFormatter, **options)

    def add_arguments(self, parser):
        parser.add_argument("files", nargs="*", metavar="FILE", help="manifests to apply at the start")
        parser.add_argument("--script", metavar="FILE", help="timed commands, one a line: '@60s kubectl delete pod web', '@90s node n3 down', '@400s end'")
        parser.add_argument("--nodes", type=int, default=3, help="how many nodes, n1, n2, ... (3)")
        parser.add_argument("--cpu", default="2", help="CPU of each node (2)")
        parser.add_argument("--memory", default="4Gi", help="memory of each node (4Gi)")
        parser.add_argument("--seed", type=int, default=1, help="decides every random name and choice (1)")
        parser.add_argument("--language", choices=LANGUAGES, default="en")
        parser.add_argument("--format", choices=tuple(FORMATS), default="table")
        parser.add_argument("--objects", action="store_true", help="with jsonl: every revision of every object, as stored")

    def handle(self, *, files, script, nodes, cpu, memory, seed, language, format, objects, **options):
        if bool(files) == bool(script):
            raise CommandError("Give manifests to apply, or --script FILE.")
        if not 1 <= nodes <= 5000:
            raise CommandError("--nodes takes 1 to 5000.")
        acts, folder = script_acts(script) if script else manifest_acts(files)
        tune()
        cluster = Cluster(seed)
        bootstrap(cluster, nodes, cpu, memory)
        started = cluster.etcd.revision
        consoles = play(cluster, acts, folder)
        changes = cluster.etcd.since(started) if objects else ()
        write = self.stdout.write
        for line in FORMATS[format](cluster.log.steps, consoles, changes, language):
            write(line)


def script_acts(name):
    try:
        return scripts.parse(Path(name).read_text()), Path(name).parent
    except (OSError, UnicodeDecodeError, scripts.ScriptError) as error:
        raise CommandError(f"{name}: {error}") from None


def manifest_acts(files):
    missing = [name for name in files if not Path(name).exists()]
    if missing:
        raise CommandError(f"there is no file {missing[0]}")
    return [scripts.Act(0, f"kubectl apply -f {name}", 0) for name in files], Path()


def play(cluster, acts, folder):
    """Does each act at its time, then runs until `end`, or until the cluster has settled. Returns the Consoles."""
    commands = []
    for act in acts:
        cluster.run_until(act.at)
        if act.words == "end":
            wait_for_answers(cluster, commands)
            break
        try:
            if act.words.split()[0] == "kubectl":
                commands.append(cluster.kubectl(act.words, scripts.files_of(act.words, folder)))
            else:
                cluster.fault(act.words)
        except (ValueError, scripts.ScriptError) as error:
            raise CommandError(f"line {act.line}: {error}") from None
    else:
        cluster.run_until_settled(cluster.clock.now + SETTLED)
    return [console_of(cluster.console.command(command)) for command in commands]


def wait_for_answers(cluster, commands):
    """Go on while a command has neither printed anything nor ended."""
    limit = cluster.clock.now + LAST_ANSWER
    while any(not record["output"] and record["ended"] is None for record in map(cluster.console.command, commands)):
        due = cluster.queue.due()
        if due is None or due > limit:
            break
        cluster.step()


def console_of(record):
    return Console(record["started"], record["line"], record["output"], record["exit"], record["ended"])
