"""OpenAPI v2 as far as kubectl needs it: a document without kinds, in protobuf.

kubectl asks for it about kinds that OpenAPI v3 does not have, and when it computes patches; it takes nothing else than this form
(client-go/discovery/discovery_client.go, OpenAPISchema). What such a document does not know, kubectl leaves to the server.
"""
from ..simulation.control_plane.apiserver.discovery import SHORT_VERSION

PATH = "/openapi/v2"
MEDIA = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"                   # as it is asked for,
CONTENT_TYPE = MEDIA.replace("@", ".")                                                # and as it is answered: Go's mime knows no "@"


def _field(number, value):
    """A field of length-delimited bytes, shorter than 128."""
    return bytes([number << 3 | 2, len(value)]) + value


_INFO = _field(1, b"Kubernetes") + _field(2, SHORT_VERSION.encode())
DOCUMENT = _field(1, b"2.0") + _field(2, _INFO)
