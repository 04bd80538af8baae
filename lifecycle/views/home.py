"""The visitor's clusters: the list, a new one, one less."""
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from .. import clusters
from ..forms import NewClusterForm
from ..lessons.syllabus import suggestion
from ..permissions import cluster_for, learner, own_clusters, owner_of_new
from ..picture.actors import language


@require_http_methods(["GET", "HEAD", "POST"])
def home(request):
    """The lesson to go on with, and the list of clusters beside the form for a new one; POST makes it and goes there."""
    form = NewClusterForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(clusters.create(form.cleaned_data["name"], form.cleaned_data["nodes"], **owner_of_new(request)))
        except clusters.LimitReached as limit:
            form.add_error(None, str(limit))
    context = {"nav": "clusters", "clusters": own_clusters(request).filter(lesson=""), "form": form, "suggested": suggestion(*learner(request), language())}
    return render(request, "home/index.html", context, status=422 if form.errors else 200)


@require_POST
def delete_cluster(request, pk):
    clusters.delete(cluster_for(request, pk, write=True).pk)
    return redirect("home")
