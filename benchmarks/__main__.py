"""`make bench`: prints the figures of the budget, and the ratios to a reference run on the same machine.

    python -m benchmarks [--runs 3] [--quick] [--reference 'COMMAND']

COMMAND is anything that does the first job (a Deployment of 1,000 Pods on 20 nodes until all are Ready); it is run in turn with ours and its
user and system seconds are compared with ours.
"""
import argparse
import os
import resource
import shlex
import statistics
import subprocess
import sys

# what is measured: (title, module of the job, job, how many Pods, clusters or viewers, nodes, the figure that counts)
ROWS = (
    ("Deployment of 1,000 Pods on 20 nodes until Ready", "jobs", "create", 1000, 20, "seconds"),
    ("Deployment of 10,000 Pods on 200 nodes until Ready", "jobs", "create", 10000, 200, "milliseconds a Pod"),
    ("delete 1,000 Pods with 30 s of grace", "jobs", "delete", 1000, 20, "seconds"),
    ("scheduling at 5,000 nodes", "jobs", "schedule", 2000, 5000, "Pods a second"),
    ("the first one through worker and SQLite, and its deletion", "rows", "commit", 1000, 20, "seconds"),
    ("Pods that come and go one message at a time: room", "rows", "story", 20, 3, "KB a Pod's life"),
    ("an idle learner", "rows", "idle", 50, 3, "KB of rows"),
    ("a start of the server on a prepared machine", "serving", "start", 1, 3, "seconds until a page answers"),
    ("200 clusters that say something every second", "serving", "moving", 200, 3, "p99 ms"),
    ("1,000 viewers of one cluster at five messages a second", "serving", "viewers", 1000, 3, "p99 ms"),
    ("200 watches and 50 requests a second over one cluster's Kubernetes API", "clients", "requests", 200, 3, "p99 ms"),
)


def measure(module, job, count, nodes, runs):
    """{figure: [value of each run]}"""
    found = {}
    for _ in range(runs):
        done = subprocess.run([sys.executable, "-m", f"benchmarks.{module}", job, str(count), str(nodes)], stdout=subprocess.PIPE, text=True, check=True)
        for line in done.stdout.splitlines():
            what, value = line.split("\t")
            found.setdefault(what, []).append(float(value))
    return found


def spread(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def cpu_seconds(command):
    """User and system seconds of a command with all its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(shlex.split(command), check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="leave out the job of 10,000 Pods")
    parser.add_argument("--reference", metavar="COMMAND")
    options = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} processors, {options.runs} runs each: median (least to most); seconds are CPU seconds")
    for title, module, job, count, nodes, counts in ROWS:
        if options.quick and count > 5000:
            continue
        found = measure(module, job, count, nodes, options.runs)
        print(f"\n{title}")
        for what, values in found.items():
            print(f"  {'*' if what == counts else ' '} {what:30} {spread(values)}")
        if options.reference and (job, count) == ("create", 1000):
            other = [cpu_seconds(options.reference) for _ in range(options.runs)]
            print(f"    {'the reference':30} {spread(other)} s, {statistics.median(other) / statistics.median(found['seconds']):.1f} times ours")


if __name__ == "__main__":
    main()
