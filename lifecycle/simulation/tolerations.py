"""Which tolerations cover which taints (component-helpers/scheduling/corev1, api/core/v1 ToleratesTaint)."""


def covers(toleration, taint):
    """Whether a toleration is about a taint: an empty effect stands for every effect, an empty key with Exists for every key."""
    if toleration.get("effect") and toleration["effect"] != taint["effect"]:
        return False
    if toleration.get("key") and toleration["key"] != taint["key"]:
        return False
    if toleration.get("operator") == "Exists":
        return True
    return bool(toleration.get("key")) and (toleration.get("value") or "") == (taint.get("value") or "")


def covering(tolerations, taint):
    """The first toleration that covers a taint, or None."""
    return next((one for one in tolerations if covers(one, taint)), None)


def untolerated(tolerations, taints, effects=("NoSchedule", "NoExecute")):
    """The first taint with one of the effects that no toleration covers, or None."""
    return next((taint for taint in taints if taint["effect"] in effects and covering(tolerations, taint) is None), None)
