"""What servers and workers run: HTTP, sockets, and the worker's channel."""
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lifecycle.settings")

from django.core.asgi import get_asgi_application  # noqa: E402

http = get_asgi_application()                      # before anything that needs models

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ChannelNameRouter, ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from django.urls import path, re_path  # noqa: E402

from .announcing import ENGINE  # noqa: E402
from .consumers import ClusterConsumer  # noqa: E402
from .kubernetes_api import routing  # noqa: E402
from .worker import EngineConsumer  # noqa: E402

pages = AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter([path("ws/clusters/<int:pk>/", ClusterConsumer.as_asgi())])))
application = ProtocolTypeRouter({
    "http": URLRouter([*routing.http_urlpatterns, re_path("", http)]),
    "websocket": URLRouter([*routing.websocket_urlpatterns, re_path("", pages)]),
    "channel": ChannelNameRouter({ENGINE: EngineConsumer.as_asgi()}),
})
