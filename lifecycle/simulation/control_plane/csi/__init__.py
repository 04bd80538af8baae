"""The control-plane half of the simulated CSI driver: the sidecars that turn API objects into calls to the driver."""
from .attacher import Attacher
from .provisioner import Provisioner

COMPONENTS = (Provisioner, Attacher)
