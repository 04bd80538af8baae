"""How long things take when nothing says otherwise, in virtual milliseconds.

Measured on a real v1.36.2 cluster (control plane on one loaded machine); what a manifest, an image or a flag decides is not here.
"""
API_CALL = 4               # a client's round trip to the API server, storage included
WATCH_DELIVERY = 4         # from the commit until a watcher's work queue hands the key out
EVENT_DELAY = 6            # client-go's event broadcaster is asynchronous
KUBECTL_START = 70         # reading configuration and the discovery cache, before kubectl's own first request: 721 recorded `kubectl get` took 79 at the median
SCHEDULE_POD = 1           # one scheduling cycle
SECOND = 1000
MINUTE = 60_000
HOUR = 3_600_000
