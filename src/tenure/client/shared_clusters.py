"""Clusters that a process keeps for as long as it lives, so that short tasks pay for no connection.

A forked child starts without any: it must not read from its parent's sockets.
"""

import os

from tenure.client.bootstrap import Bootstrap, ClusterConfig, bootstrap
from tenure.client.cluster import Cluster
from tenure.limits import PATIENCE_MS, REQUEST_TIMEOUT_MS

_clusters: dict[tuple[Bootstrap, str], Cluster] = {}


def shared_cluster(config: ClusterConfig, client_id: str) -> Cluster:
    """Never closed. Raises `ConfigurationError`, and ValueError for an address that cannot be read."""
    at = bootstrap(config)
    key = at, client_id
    if key not in _clusters:
        cluster = Cluster(
            at.servers,
            client_id=client_id,
            request_timeout_ms=REQUEST_TIMEOUT_MS,
            patience_ms=PATIENCE_MS,
            security=at.security,
        )
        _clusters.setdefault(key, cluster)
    return _clusters[key]


os.register_at_fork(after_in_child=_clusters.clear)
