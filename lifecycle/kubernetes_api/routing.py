"""What real clients ask for: paths below a cluster's secret address."""

http_urlpatterns = []
websocket_urlpatterns = []
