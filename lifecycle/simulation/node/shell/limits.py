"""What programs in containers cannot exceed, so that no script can stop the simulation. A real container has such limits as well, only larger ones."""

TEXT = 65_536                      # characters of a variable, of a file that is kept, of what a command gives back
FILE = 1 << 20                     # characters of a file that is unpacked or copied as a whole
INPUT = 1 << 19                    # characters that somebody outside may send into a container through one connection
LINE = 16_384                      # characters of a line in a container's log
PROCESSES = 100                    # that run in a container at a time
DEPTH = 40                         # functions, evals and substitutions inside each other
COUNT = 10_000                     # lines of seq
BUSY = 5                           # ms: a round of a loop that takes no longer has not waited for anything
SLOWER = ((500, 1), (1_500, 20), (float("inf"), 1_000))             # (busy rounds in a row, ms that the next takes at least): who spins is slowed down


def round_time(rounds):
    """ms that a round of a loop takes at least, after so many busy ones."""
    return next(ms for most, ms in SLOWER if rounds < most)
