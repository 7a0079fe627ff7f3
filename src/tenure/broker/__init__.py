"""Sockets and time: the only room where shards, storage and clients meet. `serve` is the one way in."""

from tenure.broker.process import serve
from tenure.broker.start_error import StartError

__all__ = ["StartError", "serve"]
