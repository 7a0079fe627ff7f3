"""Settings of topics, with Kafka's keys and defaults."""

from dataclasses import dataclass

from tenure.protocol.types import BrokerId


@dataclass(slots=True, frozen=True)
class MetadataSettings:
    """Each field is Kafka's key with underscores for dots. `node_id` holds every replica: there is one broker."""

    node_id: BrokerId
    num_partitions: int = 1
    default_replication_factor: int = 1
