"""How long client-go's work queue waits before it hands out a key again that failed (util/workqueue, exponential failure rate limiter)."""

FIRST, LONGEST = 5, 1_000_000          # ms


def retry_after(failures):
    """Virtual ms after so many failures in a row: 5, 10, 20, ... up to 1,000 seconds."""
    return min(FIRST << min(failures - 1, 30), LONGEST)
