"""When a controller tries again what was refused."""

FIRST, LONGEST = 5, 1_000_000          # ms


def retry_after(failures):
    """Virtual ms after so many failures in a row: 5, 10, 20, ... up to 1,000 seconds (client-go util/workqueue, exponential failure rate limiter)."""
    return min(FIRST << min(failures - 1, 30), LONGEST)


def is_hopeless(response):
    """Whether something was refused because its namespace is going away: nobody tries that again."""
    return any(cause.get("reason") == "NamespaceTerminating" for cause in (response.body.get("details") or {}).get("causes") or ())
