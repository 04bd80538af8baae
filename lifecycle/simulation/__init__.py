"""A whole Kubernetes cluster in plain Python: no Django, no I/O, no wall clock, no global randomness."""
