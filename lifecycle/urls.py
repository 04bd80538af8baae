"""Which view answers which path."""
from django.contrib import admin
from django.urls import include, path

from .views import accounts, actions, home, lessons, live, panels, reference

urlpatterns = [
    path("", home.home, name="home"),
    path("clusters/<int:pk>/", live.live, name="cluster"),
    path("clusters/<int:pk>/messages/", live.messages, name="messages"),
    path("clusters/<int:pk>/messages/<int:seq>/", live.message, name="message"),
    path("clusters/<int:pk>/newest/<slug:reason>/", live.newest, name="newest"),
    path("clusters/<int:pk>/at/<int:seq>/", live.at, name="at"),
    path("clusters/<int:pk>/tab/<slug:name>/", panels.tab, name="tab"),
    path("clusters/<int:pk>/command/", actions.command, name="command"),
    path("clusters/<int:pk>/create/", actions.create, name="create"),
    path("clusters/<int:pk>/delete/", actions.delete, name="delete"),
    path("clusters/<int:pk>/fault/", actions.fault, name="fault"),
    path("clusters/<int:pk>/pace/", actions.pace, name="pace"),
    path("clusters/<int:pk>/next/", actions.next_message, name="next"),
    path("clusters/<int:pk>/link/", live.make_link, name="make_link"),
    path("clusters/<int:pk>/remove/", home.delete_cluster, name="delete_cluster"),
    path("examples/<slug:name>/", live.example, name="example"),
    path("share/<str:secret>/", live.share, name="share"),
    path("lessons/", include(lessons)),
    path("", include(reference)),
    path("clusters/<int:pk>/", include("lifecycle.kubernetes_api.urls")),
    path("accounts/", include(accounts)),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
]
