"""Whether a container that ended is to be started again (pkg/kubelet/container/helpers.go ShouldContainerBeRestarted)."""
from .phase import is_sidecar


def restart_policy(spec, container):
    """The policy that holds for a container: its own, else the Pod's."""
    return container.get("restartPolicy") or spec.get("restartPolicy", "Always")


def will_restart(spec, container, newest, field="containers"):
    """`newest` is the runtime's latest instance, or None if there is none yet. A running container needs no start."""
    if newest is None or newest["state"] == "created":
        return True
    if newest["state"] == "running" or field == "ephemeralContainers":
        return False
    if field == "initContainers" and not is_sidecar(container) and newest["code"] == 0:
        return False
    for rule in container.get("restartPolicyRules", ()):
        codes = rule.get("exitCodes", {})
        if (newest["code"] in codes.get("values", ())) == (codes.get("operator") == "In"):
            return rule["action"] == "Restart"
    policy = restart_policy(spec, container)
    return policy == "Always" or policy == "OnFailure" and newest["code"] != 0
