"""The HorizontalPodAutoscaler controller (pkg/controller/podautoscaler)."""
from .controller import HorizontalPodAutoscaler

__all__ = ["HorizontalPodAutoscaler"]
