"""What is particular to each kind when it is written: Kubernetes' registry strategies (pkg/registry/*/strategy.go), as data."""
from .strategy import Strategy, strategy_of

__all__ = ["Strategy", "strategy_of"]
