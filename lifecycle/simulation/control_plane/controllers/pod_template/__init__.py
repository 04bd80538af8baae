"""What a controller hashes when it names a Pod template."""
from .hash import LABEL, pod_template_hash

__all__ = ["LABEL", "pod_template_hash"]
