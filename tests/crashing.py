"""`python -m tests.crashing SEED LIFE`: a worker that is killed with kill -9 again and again, at any moment, until standard input ends.

LIFE is how many seconds a worker lives at most. For each kill a line goes to standard output. The workers are forks of this process, so that the next one
works at once.
"""
import asyncio
import os
import random
import select
import signal
import sys

import django


def main(seed, life):
    django.setup()
    from lifecycle import worker
    from lifecycle.management.commands.work import work

    worker.SWEEP = 0.01
    chance, kills = random.Random(seed), 0
    while True:
        child = os.fork()
        if not child:
            asyncio.run(work())
        ended, _, _ = select.select([sys.stdin], [], [], chance.uniform(0, life))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        if ended:
            return
        kills += 1
        print(kills, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
