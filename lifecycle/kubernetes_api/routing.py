"""What real clients ask for: paths below a cluster's secret address."""
from django.urls import re_path

from .application import kubernetes_api, outside
from .streams.consumer import StreamConsumer
from .streams.forwarding import PortForwardConsumer

ADDRESS = r"^clusters/(?P<pk>\d{1,18})/t/(?P<secret>[^/]+)/?(?P<rest>(?s:.*))$"
http_urlpatterns = [re_path(ADDRESS, kubernetes_api), re_path(r"^clusters/\d+/(?:t|api|apis|openapi|version|healthz|livez|readyz)(?:/(?s:.*))?$", outside)]
FORWARDED = ADDRESS.replace("(?s:.*)", "(?s:.*)/portforward")
websocket_urlpatterns = [re_path(FORWARDED, PortForwardConsumer.as_asgi()), re_path(ADDRESS, StreamConsumer.as_asgi())]
