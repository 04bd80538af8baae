"""Connections that stay open, over websockets: exec, attach, logs and port-forward (apimachinery/pkg/util/remotecommand, streaming over websockets)."""
