"""Cluster objects that live as long as the process, so that short tasks reuse connections.

A forked child starts without clusters, because it must not read from the sockets of its parent.
"""

import os

from tenure.client.net.bootstrap import Bootstrap, ClusterConfig, bootstrap
from tenure.client.net.cluster import Cluster
from tenure.limits.client import PATIENCE_MS, REQUEST_TIMEOUT_MS

_clusters: dict[tuple[Bootstrap, str], Cluster] = {}


def shared_cluster(config: ClusterConfig, client_id: str) -> Cluster:
    """Return the cluster object that all callers with this configuration share. Do not close it.

    Raises:
        ConfigurationError: A setting is invalid.
        ValueError: An address is invalid.
    """
    address = bootstrap(config)
    key = address, client_id
    if key not in _clusters:
        cluster = Cluster(
            address.servers,
            client_id=client_id,
            request_timeout_ms=REQUEST_TIMEOUT_MS,
            patience_ms=PATIENCE_MS,
            security=address.security,
        )
        _clusters.setdefault(key, cluster)
    return _clusters[key]


os.register_at_fork(after_in_child=_clusters.clear)
