"""componentstatuses: never stored, asked of the components at the moment of the request (pkg/registry/core/componentstatus)."""
PARTS = {"etcd-0": "etcd", "controller-manager": "controller-manager", "scheduler": "scheduler"}


def component_statuses(cluster):
    """A ComponentStatus for each part of the control plane; a stopped one refuses the connection."""
    stopped = cluster.etcd.disk("stopped")
    return [_status(name, actor in stopped) for name, actor in PARTS.items()]


def _status(name, is_stopped):
    condition = {"type": "Healthy", "status": "False" if is_stopped else "True", "message": "connection refused" if is_stopped else "ok"}
    return {"kind": "ComponentStatus", "apiVersion": "v1", "metadata": {"name": name}, "conditions": [condition]}
