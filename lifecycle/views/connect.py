"""Connect: the address by which kubectl and other programs use a cluster; made, shown and taken back by who may change the cluster."""
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from .. import clusters
from ..kubernetes_api.kubeconfig import address, kubeconfig, name_of
from ..permissions import cluster_for


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def connect(request, pk):
    """What to do to use the cluster with kubectl; POST makes an address, or with `revoke` takes it back."""
    cluster = cluster_for(request, pk, write=True)
    if request.method == "POST":
        cluster = clusters.revoke_address(pk) if "revoke" in request.POST else clusters.make_address(pk)
    server = address(cluster, request.build_absolute_uri("/"))
    return render(request, "cluster/_connect.html", {"cluster": cluster, "address": server, "file": f"{name_of(cluster)}.yaml",
                                                     "revoked": "revoke" in request.POST})


@never_cache
@require_safe
def download(request, pk):
    """The kubeconfig as a file."""
    cluster = cluster_for(request, pk, write=True)
    server = address(cluster, request.build_absolute_uri("/"))
    if not server:
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="{name_of(cluster)}.yaml"'}
    return HttpResponse(kubeconfig(cluster, server), content_type="application/yaml", headers=headers)
