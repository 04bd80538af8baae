"""The Kubernetes API over HTTP, for real kubectl and client libraries."""
