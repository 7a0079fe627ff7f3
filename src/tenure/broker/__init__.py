"""The broker: sockets, time, and the shards and logs that serve requests. `serve` runs it."""

from tenure.broker.line_formatter import printable
from tenure.broker.process import serve
from tenure.broker.start_error import StartError

__all__ = ["StartError", "printable", "serve"]
