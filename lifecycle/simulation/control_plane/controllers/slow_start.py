"""Creating many things as Kubernetes' controllers do: in batches that double as long as nothing is refused (pkg/controller slowStartBatch).

What is left of it is kept in a controller's record of its sync: `create`: what is still to create; `together`: how many of them belong to the present batch
of `batch`; `refused`: something of this batch was.
"""
from ...timings import API_CALL

BETWEEN = 1                    # ms between two requests that are sent at the same time
ANSWER = API_CALL - BETWEEN    # ms until the last of them is answered: just before the watch tells of it


def first_batch(things):
    """The record of a sync that is to create these things."""
    return {"create": list(things), "together": 1, "batch": 1}


def created_one(sync, refused):
    """(the record after the first thing was sent, virtual ms until the next step). After a refusal the batch is ended and the rest given up."""
    refused = refused or sync.get("refused", False)
    rest, together = sync["create"][1:], sync["together"] - 1
    if together:
        return {**sync, "create": rest, "together": together, "refused": refused}, BETWEEN
    batch = 0 if refused else min(2 * sync["batch"], len(rest))
    return {**sync, "create": rest if batch else [], "batch": batch, "together": batch, "refused": refused}, API_CALL if batch else ANSWER
