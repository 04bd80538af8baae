"""The secret part of a cluster's address is the credential: whoever knows it is the cluster's administrator, or whom he says he is."""
from django.utils.crypto import constant_time_compare

from ..models import Cluster
from ..simulation.control_plane.apiserver.errors import unauthorized


def cluster_of(pk, secret):
    """The Cluster (its row as it is now) with this secret address. Raises Refused (401), whether the cluster, the address or the secret is not there."""
    try:
        row = Cluster.objects.row(pk)
    except Cluster.DoesNotExist:
        raise unauthorized() from None
    if not row.api_secret or not constant_time_compare(row.api_secret, secret):
        raise unauthorized()
    return row
