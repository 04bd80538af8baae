"""When an Indexed Job has succeeded before all of its indexes have (pkg/controller/job/success_policy.go)."""
from .indexes import parsed


def met(job, succeeded):
    """The message of the first rule that the succeeded indexes satisfy, or None."""
    for number, rule in enumerate((job["spec"].get("successPolicy") or {}).get("rules") or () if succeeded else ()):
        count, wanted = rule.get("succeededCount"), rule.get("succeededIndexes")
        among = succeeded if wanted is None else succeeded & parsed(wanted, job["spec"]["completions"])
        everything = wanted is not None and among and among == parsed(wanted, job["spec"]["completions"])
        if everything or count is not None and len(among) >= count:
            return f"Matched rules at index {number}"
    return None
