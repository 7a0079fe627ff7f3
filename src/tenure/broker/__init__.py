"""Broker: sockets, timers, and the logs and coordinators that serve requests. `process.serve` runs it."""

from tenure.broker.config.start_error import StartError
from tenure.broker.process.line_formatter import printable
from tenure.broker.process.process import serve

__all__ = ["StartError", "printable", "serve"]
