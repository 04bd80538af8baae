"""How far a rolling update may go above and below the wanted number (pkg/controller/deployment/util ResolveFenceposts)."""


def is_rolling(deployment):
    return deployment["spec"].get("strategy", {}).get("type", "RollingUpdate") == "RollingUpdate"


def resolve(value, whole, up):
    """A number or a percentage such as "25%" of `whole`, rounded up or down."""
    if isinstance(value, int):
        return value
    share = int(value.rstrip("%")) * whole
    return -(-share // 100) if up else share // 100


def _limits(deployment):
    replicas, rolling = deployment["spec"]["replicas"], deployment["spec"]["strategy"].get("rollingUpdate") or {}
    surge = resolve(rolling.get("maxSurge", "25%"), replicas, up=True)
    unavailable = resolve(rolling.get("maxUnavailable", "25%"), replicas, up=False)
    # With both at zero nothing could ever move.
    return surge, unavailable if surge or unavailable else 1


def max_surge(deployment):
    """Pods above the wanted number during a rolling update; 0 for other strategies."""
    return _limits(deployment)[0] if is_rolling(deployment) else 0


def max_unavailable(deployment):
    """Pods that may be missing during a rolling update, at most all."""
    replicas = deployment["spec"]["replicas"]
    return min(_limits(deployment)[1], replicas) if is_rolling(deployment) and replicas else 0
