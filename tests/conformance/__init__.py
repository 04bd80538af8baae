"""The requirements of Kubernetes' conformance tests that need no real containers, as tests of ours; docs/conformance.md says which is which."""
