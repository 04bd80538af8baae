"""How long the parts of a node take, in virtual milliseconds; measured with kubelet v1.36.2, containerd 2.3 and runc 1.5."""
MOUNTING = 170                 # from the Pod's first status until its token is asked for: the volume manager's loops
VOLUME_POLL = 300              # the kubelet asks so often whether the volumes are mounted (volumemanager podAttachAndMountRetryInterval)
SANDBOX = 110                  # RunPodSandbox, network included
CREATE = 17                    # CreateContainer
START = 67                     # StartContainer
RELIST = 8                     # the runtime is listed on demand after something was started
PLEG_PERIOD = 1000             # and every so often anyhow (pleg genericPlegRelistPeriod)
STOPPED = 34                   # from a process's end until StopContainer returns
STOP_SANDBOX = 85              # StopPodSandbox, network included
EXEC = 30                      # to start a command in a running container
RESYNC = 60_000                # a Pod that was synced without error (kubelet syncFrequency); up to half as much longer
RETRY = 10_000                 # a Pod whose sync failed (backOffPeriod); up to half as much longer
NODE_REPORT = 10_000           # a report of the Node's status that failed is tried again (nodeStatusUpdateFrequency)
GC_PERIOD = 60_000             # dead sandboxes are removed (ContainerGCPeriod)
