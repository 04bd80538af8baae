"""The controllers of storage: binding claims to volumes, protecting both while they are used, attaching volumes to nodes."""
from .attach_detach import AttachDetach
from .binder import Binder
from .protection import ClaimProtection, VolumeProtection

COMPONENTS = (Binder, ClaimProtection, VolumeProtection, AttachDetach)
