"""The nodes: kubelet, container runtime, network and volume plugins, kube-proxy."""
from .cri import Runtime
from .kubelet import Kubelet

COMPONENTS = (Runtime, Kubelet)
