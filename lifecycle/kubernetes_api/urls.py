"""Pages of a cluster about its API: how to connect."""
from django.urls import path

from ..views import connect

urlpatterns = [
    path("connect/", connect.connect, name="connect"),
    path("connect/kubeconfig/", connect.download, name="kubeconfig"),
]
