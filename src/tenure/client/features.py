"""What a cluster can do, asked before anything is decided by it."""

from tenure.client.bootstrap import ClusterConfig
from tenure.client.cluster import Cluster
from tenure.client.errors import UnsupportedByBroker
from tenure.client.event_loop import run
from tenure.client.shared_clusters import shared_cluster
from tenure.protocol.apis import ApiKey

GROUP_VERSION = "group.version"
"""The feature that says whether the consumer protocol (KIP-848) is switched on."""

HEARTBEAT_MIN_VERSION = 1
"""Of ConsumerGroupHeartbeat: member ids of our own."""


def has_consumer_protocol(config: ClusterConfig, *, client_id: str = "tenure", patience_ms: int | None = None) -> bool:
    """Whether groups of the consumer protocol can be joined. Raises `BrokerUnreachable`."""
    return run(_has_consumer_protocol(shared_cluster(config, client_id), patience_ms))


async def _has_consumer_protocol(cluster: Cluster, patience_ms: int | None) -> bool:
    connection = await cluster.persist(cluster.any_connection, patience_ms)
    try:
        connection.usable_version(ApiKey.CONSUMER_GROUP_HEARTBEAT, HEARTBEAT_MIN_VERSION)
    except UnsupportedByBroker:
        return False
    return connection.features.get(GROUP_VERSION, 0) >= 1
