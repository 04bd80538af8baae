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

# what is measured: (title, job, Pods, nodes, the figure that counts)
ROWS = (
    ("Deployment of 1,000 Pods on 20 nodes until Ready", "create", 1000, 20, "seconds"),
    ("Deployment of 10,000 Pods on 200 nodes until Ready", "create", 10000, 200, "milliseconds a Pod"),
    ("delete 1,000 Pods with 30 s of grace", "delete", 1000, 20, "seconds"),
    ("scheduling at 5,000 nodes", "schedule", 2000, 5000, "Pods a second"),
)


def measure(job, pods, nodes, runs):
    """{figure: [value of each run]}"""
    found = {}
    for _ in range(runs):
        done = subprocess.run([sys.executable, "-m", "benchmarks.jobs", job, str(pods), str(nodes)], capture_output=True, text=True, check=True)
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
    for title, job, pods, nodes, counts in ROWS:
        if options.quick and pods > 5000:
            continue
        found = measure(job, pods, nodes, options.runs)
        print(f"\n{title}")
        for what, values in found.items():
            print(f"  {'*' if what == counts else ' '} {what:20} {spread(values)}")
        if options.reference and (job, pods) == ("create", 1000):
            other = [cpu_seconds(options.reference) for _ in range(options.runs)]
            print(f"    the reference        {spread(other)} s, {statistics.median(other) / statistics.median(found['seconds']):.1f} times ours")


if __name__ == "__main__":
    main()
