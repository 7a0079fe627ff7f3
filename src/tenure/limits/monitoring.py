"""Bounds of `tenure.monitoring`."""

from typing import Final

MONITORING_CONNECTIONS_MAX: Final = 32
"""Connections of collectors and probes at once: a handful is usual."""

MONITORING_HEAD_S: Final = 2.0
"""Time for the head of a request to arrive: collectors and probes send it at once."""

MONITORING_CONNECTION_S: Final = 10.0
"""Time for an answer, and as long again for the client to read it: Kubernetes and Prometheus give up by then."""

MONITORING_HEAD_BYTES_MAX: Final = 8_192
"""Largest head of a request: the default of most web servers."""

MONITORING_DISCARDED_BYTES_MAX: Final = 1_048_576
"""Bytes after the head that are read and ignored: a body, or further requests, of a client that does not wait."""
