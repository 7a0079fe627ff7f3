"""Clusters that a process keeps for as long as it lives, so that short tasks pay for no connection.

A forked child starts without any: it must not read from its parent's sockets.
"""

import os
from collections.abc import Sequence

from tenure.client.addresses import Address, parse_bootstrap_servers
from tenure.client.cluster import Cluster
from tenure.limits import PATIENCE_MS, REQUEST_TIMEOUT_MS

_clusters: dict[tuple[tuple[Address, ...], str], Cluster] = {}


def shared_cluster(bootstrap_servers: str | Sequence[str], client_id: str) -> Cluster:
    """Never closed. Raises ValueError for an address that cannot be read."""
    key = parse_bootstrap_servers(bootstrap_servers), client_id
    if key not in _clusters:
        cluster = Cluster(key[0], client_id=client_id, request_timeout_ms=REQUEST_TIMEOUT_MS, patience_ms=PATIENCE_MS)
        _clusters.setdefault(key, cluster)
    return _clusters[key]


os.register_at_fork(after_in_child=_clusters.clear)
