"""The kubeconfig with which kubectl and client libraries find a cluster."""
import base64
from pathlib import Path

import yaml
from django.conf import settings

from .caller import ADMIN


def address(cluster, base):
    """The address of a cluster's API below `base` ("http://HOST"), or "" if it has none."""
    return f"{base.rstrip('/')}/clusters/{cluster.pk}/t/{cluster.api_secret}" if cluster.api_secret else ""


def kubeconfig(cluster, server):
    """The text of a kubeconfig for an address. The token is only a name: programs ask for some credential, and the address is the one that counts."""
    name = name_of(cluster)
    return yaml.safe_dump({
        "apiVersion": "v1", "kind": "Config", "current-context": name,
        "clusters": [{"name": name, "cluster": {"server": server, **_authority(server)}}],
        "users": [{"name": ADMIN, "user": {"token": ADMIN}}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": ADMIN, "namespace": "default"}}]}, sort_keys=False)


def name_of(cluster):
    """What the cluster is called in a kubeconfig."""
    return f"lifecycle-{cluster.pk}"


def _authority(server):
    """Whom to trust over https, if that has to be said."""
    if not settings.LIFECYCLE_TLS_AUTHORITY or not server.startswith("https:"):
        return {}
    return {"certificate-authority-data": base64.b64encode(Path(settings.LIFECYCLE_TLS_AUTHORITY).read_bytes()).decode()}
