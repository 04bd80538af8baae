"""Pages of a cluster about its API: how to connect."""
urlpatterns = []
