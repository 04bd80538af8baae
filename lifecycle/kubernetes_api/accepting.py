"""What a client wants back, from its Accept header (apiserver/pkg/endpoints/handlers/negotiation)."""
from typing import NamedTuple

from ..simulation.control_plane.apiserver.errors import Refused
from ..simulation.control_plane.apiserver.shapes import METADATA, TABLE, WHOLE
from . import open_api_v2

JSON = "application/json"
ANY = (JSON, "application/*", "*/*")
META, DISCOVERY = "meta.k8s.io", "apidiscovery.k8s.io"
AGGREGATED = f"{JSON};g={DISCOVERY};v=v2;as=APIGroupDiscoveryList"


class Accepted(NamedTuple):
    """`shape` is a kind of shapes.Shape, or the media type of what comes in no shape; `aggregated` says that discovery may come in one document."""

    shape: str = WHOLE
    aggregated: bool = False


KINDS = {("Table", META): Accepted(TABLE), ("PartialObjectMetadata", META): Accepted(METADATA), ("PartialObjectMetadataList", META): Accepted(METADATA),
         ("APIGroupDiscoveryList", DISCOVERY): Accepted(aggregated=True), ("", ""): Accepted()}


def accepted(header, path=""):
    """The first thing in the header that we can give at a path; None if there is nothing. No header accepts anything."""
    for clause in header.split(",") if header else (JSON,):
        media, *parameters = (part.strip() for part in clause.split(";"))
        said = dict(parameter.split("=", 1) for parameter in parameters if "=" in parameter)
        found = KINDS.get((said.get("as", ""), said.get("g", "")))
        if (media, path) == (open_api_v2.MEDIA, open_api_v2.PATH):
            return Accepted(open_api_v2.MEDIA)
        if media in ANY and found and not (found.aggregated and said.get("v") != "v2"):
            return found
    return None


def not_acceptable():
    return Refused(406, f"only the following media types are accepted: {JSON}", "NotAcceptable", {})
