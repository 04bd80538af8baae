"""EndpointSlice controller: writes down behind which addresses a Service is found (pkg/controller/endpointslice, staging/src/k8s.io/endpointslice)."""
from .controller import EndpointSlices

__all__ = ["EndpointSlices"]
