"""The controllers of the controller manager. A new one is its file and a line here."""

from . import volumes
from .namespace import Namespace
from .service_account import RootCertificates, ServiceAccounts

COMPONENTS = (
    Namespace,
    ServiceAccounts,
    RootCertificates,
    *volumes.COMPONENTS,
)
