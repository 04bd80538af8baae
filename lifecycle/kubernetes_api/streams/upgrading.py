"""Clients that ask for a connection in another way than by websocket: kubectl before v1.31, or one that was told so."""
from ...simulation.control_plane.apiserver.errors import bad_request
from ..answers import refusal

REFUSED = b"Upgrade request required"
WEBSOCKETS = ("this server speaks websockets, not SPDY: use kubectl v1.31 or later, and leave KUBECTL_REMOTE_COMMAND_WEBSOCKETS and "
              "KUBECTL_PORT_FORWARD_WEBSOCKETS as they are")


def explained(answer, headers):
    """The answer to a request with these headers {lower-case name: value}; whoever asks to upgrade to SPDY is told what is spoken here."""
    if headers.get(b"upgrade", b"").lower().startswith(b"spdy") and isinstance(answer.body, bytes) and REFUSED in answer.body:
        return refusal(bad_request(WEBSOCKETS))
    return answer
