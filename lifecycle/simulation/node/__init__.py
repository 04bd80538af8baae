"""The nodes: kubelet, container runtime, network and volume plugins, kube-proxy."""
from .cri import Runtime
from .kube_proxy import KubeProxy
from .kubelet import Kubelet
from .kubelet.eviction import EvictionManager
from .kubelet.garbage import GarbageCollector
from .kubelet.node_status import NodeStatus
from .kubelet.pressure import NodePressure
from .kubelet.prober import Prober
from .kubelet.shutdown import NodeShutdown
from .streaming import Streaming

COMPONENTS = (Runtime, Streaming, Prober, GarbageCollector, EvictionManager, NodePressure, NodeShutdown, NodeStatus, Kubelet, KubeProxy)
