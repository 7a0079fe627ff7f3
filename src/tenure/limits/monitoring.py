"""Bounds of `tenure.monitoring`."""

from typing import Final

MONITORING_CONNECTIONS_MAX: Final = 32
"""Maximum number of open connections of collectors and probes; usually there are a few."""

MONITORING_HEAD_S: Final = 2.0
"""Time in which the head of a request must arrive. Collectors and probes send it at once."""

MONITORING_CONNECTION_S: Final = 10.0
"""Time in which a response must be ready, and time in which the client must then read it. Kubernetes and Prometheus
wait no longer."""

MONITORING_HEAD_BYTES_MAX: Final = 8_192
"""Maximum size of the head of a request, as in most web servers."""

MONITORING_DISCARDED_BYTES_MAX: Final = 1_048_576
"""Maximum number of bytes after the head that are read and ignored: a body, or further requests."""
