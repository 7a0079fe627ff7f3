"""State of the metadata shard, with its settings."""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from tenure.config_keys import ConfigSchema
from tenure.coordinator.metadata.acls import Acls
from tenure.coordinator.metadata.commands import Entity, ScramCredential, ScramUser
from tenure.coordinator.metadata.configs import NOTHING, TOPIC_RESOURCE, Configs
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import LogRecord
from tenure.protocol.generated.cluster_metadata import PartitionRecord
from tenure.protocol.types import BrokerId, PartitionId, ProducerId, TopicId, TopicName


@dataclass(slots=True, frozen=True)
class MetadataSettings:
    """Settings for topics, with Kafka's defaults. Fields are named after Kafka's keys, with underscores for dots."""

    node_id: BrokerId
    """Id of the only broker, which has a replica of every partition."""
    num_partitions: int = 1
    default_replication_factor: int = 1


class Metadata:
    """State of the metadata shard. Rules read it; only `apply` writes to it."""

    __slots__ = (
        "acls",
        "configs",
        "features",
        "leader_epochs",
        "next_producer_id",
        "quotas",
        "random_bytes",
        "schemas",
        "scram_credentials",
        "settings",
        "topics",
    )

    def __init__(
        self, settings: MetadataSettings, random_bytes: Callable[[int], bytes], schemas: Mapping[int, ConfigSchema]
    ) -> None:
        self.settings = settings
        self.random_bytes = random_bytes
        self.schemas = schemas
        """Schema of each resource type whose configs can be altered."""
        self.topics = Topics()
        self.configs = Configs()
        self.features: dict[str, int] = {}
        """Finalized level of each feature. Level 0 disables a feature."""
        self.quotas: dict[Entity, Mapping[str, float]] = {}
        """Client quotas by entity. Invariant: no mapping in it is empty."""
        self.scram_credentials: dict[ScramUser, ScramCredential] = {}
        self.acls = Acls()
        self.leader_epochs: dict[tuple[TopicId, PartitionId], int] = {}
        """Leader epochs above 0, by topic id and partition."""
        self.next_producer_id = ProducerId(0)
        """First id of the next block. Invariant: never decreases."""

    def configs_of(self, resource_type: int, resource_name: str) -> Mapping[str, str]:
        if resource_type == TOPIC_RESOURCE:
            topic = self.topics.named(TopicName(resource_name))
            return NOTHING if topic is None else topic.configs
        return self.configs.of(resource_type, resource_name)

    def new_topic_id(self) -> TopicId:
        return TopicId(self.new_id())

    def new_id(self) -> bytes:
        """Return a random UUID. Its text does not begin with '-', because command lines would take it for an option."""
        while True:
            raw = bytearray(self.random_bytes(16))
            raw[6] = raw[6] & 0x0F | 0x40
            raw[8] = raw[8] & 0x3F | 0x80
            if not urlsafe_b64encode(raw).startswith(b"-"):
                return bytes(raw)

    def partition_records(self, topic_id: TopicId, partitions: Iterable[int]) -> Iterator[LogRecord]:
        """Yield the records of new partitions of a topic: this broker leads them, in their first epoch."""
        node_id = self.settings.node_id
        for partition in partitions:
            record = PartitionRecord(
                PartitionId(partition),
                topic_id,
                replicas=[node_id],
                isr=[node_id],
                leader=node_id,
                leader_epoch=0,
                partition_epoch=0,
                directories=[bytes(16)],
            )
            yield LogRecord(None, record)
