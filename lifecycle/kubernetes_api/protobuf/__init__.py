"""Request bodies in `application/vnd.kubernetes.protobuf`, as kubectl's typed clients send them (apimachinery/pkg/runtime/serializer/protobuf)."""
from .decoding import decode

__all__ = ["decode"]
