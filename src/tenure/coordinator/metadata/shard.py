"""Metadata shard: topics, partitions, configs, quotas, credentials, ACLs and producer ids, with KRaft's records."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from tenure.config_keys import ConfigSchema
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.acls import Acls
from tenure.coordinator.metadata.alter import alter_configs
from tenure.coordinator.metadata.alter_acls import acl_created, acl_removed, create_acls, delete_acls
from tenure.coordinator.metadata.answers import ProducerIdBlock, TopicResult, TopicsDescribed
from tenure.coordinator.metadata.commands import (
    AllocateProducerIds,
    AlterClientQuotas,
    AlterConfigs,
    AlterScramCredentials,
    CreateAcls,
    CreatePartitions,
    CreateTopics,
    DeleteAcls,
    DeleteTopics,
    DescribeTopics,
    Entity,
    FinalizeFeatures,
    RaiseLeaderEpochs,
    ScramCredential,
    ScramUser,
    UpdateFeatures,
)
from tenure.coordinator.metadata.configs import TOPIC_RESOURCE, Configs
from tenure.coordinator.metadata.create import create_topics
from tenure.coordinator.metadata.delete import delete_topics
from tenure.coordinator.metadata.features import feature_finalized, finalize_features, update_features
from tenure.coordinator.metadata.leader_epochs import partition_changed, raise_leader_epochs
from tenure.coordinator.metadata.partitions import create_partitions
from tenure.coordinator.metadata.quotas import alter_client_quotas, quota_set
from tenure.coordinator.metadata.scram import alter_scram_credentials, credential_removed, credential_set
from tenure.coordinator.metadata.state import Metadata, MetadataSettings
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.coordinator.metadata.transaction import MetadataTransaction
from tenure.coordinator.shard import AskId, CoordinatorResult, InvariantError, LogRecord, Now
from tenure.limits.coordinator import PRODUCER_ID_BLOCK
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.cluster_metadata import (
    AccessControlEntryRecord,
    ClientQuotaRecord,
    ConfigRecord,
    FeatureLevelRecord,
    PartitionChangeRecord,
    PartitionRecord,
    ProducerIdsRecord,
    RemoveAccessControlEntryRecord,
    RemoveTopicRecord,
    RemoveUserScramCredentialRecord,
    TopicRecord,
    UserScramCredentialRecord,
)
from tenure.protocol.types import ZERO_TOPIC_ID, PartitionId, ProducerId, TopicId, TopicName


def allocate_producer_ids(metadata: Metadata, ask: AskId, _: AllocateProducerIds) -> CoordinatorResult:
    first = metadata.next_producer_id
    record = ProducerIdsRecord(metadata.settings.node_id, -1, ProducerId(first + PRODUCER_ID_BLOCK))
    return CoordinatorResult([LogRecord(None, record)], [(ask, ProducerIdBlock(first, PRODUCER_ID_BLOCK))])


def describe_topics(metadata: Metadata, ask: AskId, describe: DescribeTopics) -> CoordinatorResult:
    topics = metadata.topics
    if describe.names is None:
        results = [TopicResult(topic.name, topic.topic_id, topic=topic) for topic in topics]
    else:
        results = []
        for name in describe.names:
            topic = topics.named(name)
            if topic is None:
                results.append(TopicResult(name, ZERO_TOPIC_ID, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
            else:
                results.append(TopicResult(name, topic.topic_id, topic=topic))
    return CoordinatorResult((), [(ask, TopicsDescribed(results))])


def topic_created(metadata: Metadata, record: TopicRecord) -> None:
    metadata.topics.put(Topic(record.name, record.topic_id, 0))


def partition_created(metadata: Metadata, record: PartitionRecord) -> None:
    topic = metadata.topics.with_id(record.topic_id)
    if topic is None:
        raise InvariantError(f"partition {record.partition_id} belongs to no topic")
    metadata.topics.put(replace(topic, partitions=max(topic.partitions, record.partition_id + 1)))
    if record.leader_epoch > 0:
        metadata.leader_epochs[record.topic_id, record.partition_id] = record.leader_epoch


def topic_removed(metadata: Metadata, record: RemoveTopicRecord) -> None:
    topic = metadata.topics.with_id(record.topic_id)
    for partition in range(topic.partitions if topic is not None else 0):
        metadata.leader_epochs.pop((record.topic_id, PartitionId(partition)), None)
    metadata.topics.remove(record.topic_id)


def config_set(metadata: Metadata, record: ConfigRecord) -> None:
    """Set a config; the value None removes it."""
    if record.resource_type != TOPIC_RESOURCE:
        metadata.configs.put(record.resource_type, record.resource_name, record.name, record.value)
        return
    topic = metadata.topics.named(TopicName(record.resource_name))
    if topic is None:
        return
    configs = {key: value for key, value in topic.configs.items() if key != record.name}
    if record.value is not None:
        configs[record.name] = record.value
    metadata.topics.put(replace(topic, configs=configs))


def producer_ids_allocated(metadata: Metadata, record: ProducerIdsRecord) -> None:
    metadata.next_producer_id = record.next_producer_id


RULES: Final[dict[type, Callable[[Metadata, AskId, Any], CoordinatorResult]]] = {
    CreateTopics: create_topics,
    DeleteTopics: delete_topics,
    CreatePartitions: create_partitions,
    AlterConfigs: alter_configs,
    AlterClientQuotas: alter_client_quotas,
    CreateAcls: create_acls,
    DeleteAcls: delete_acls,
    DescribeTopics: describe_topics,
    AlterScramCredentials: alter_scram_credentials,
    AllocateProducerIds: allocate_producer_ids,
    FinalizeFeatures: finalize_features,
    UpdateFeatures: update_features,
    RaiseLeaderEpochs: raise_leader_epochs,
}

CHANGES: Final[dict[type, Callable[[Metadata, Any], None]]] = {
    TopicRecord: topic_created,
    PartitionRecord: partition_created,
    PartitionChangeRecord: partition_changed,
    RemoveTopicRecord: topic_removed,
    ConfigRecord: config_set,
    ClientQuotaRecord: quota_set,
    UserScramCredentialRecord: credential_set,
    RemoveUserScramCredentialRecord: credential_removed,
    AccessControlEntryRecord: acl_created,
    RemoveAccessControlEntryRecord: acl_removed,
    ProducerIdsRecord: producer_ids_allocated,
    FeatureLevelRecord: feature_finalized,
}


class MetadataShard:
    """Metadata shard. Handlers may read its properties at any time.

    The shard has no deadlines. `scope` returns None for every command. Therefore each reply waits until all earlier
    records of the shard are durable.
    """

    __slots__ = ("_metadata", "_transaction")

    def __init__(
        self,
        settings: MetadataSettings,
        random_bytes: Callable[[int], bytes],
        schemas: Mapping[int, ConfigSchema] = MappingProxyType({}),
    ) -> None:
        self._metadata = Metadata(settings, random_bytes, schemas)
        self._transaction = MetadataTransaction(self._change)

    @property
    def topics(self) -> Topics:
        return self._metadata.topics

    @property
    def configs(self) -> Configs:
        return self._metadata.configs

    @property
    def features(self) -> Mapping[str, int]:
        """Finalized level of each feature, 0 if it was disabled."""
        return self._metadata.features

    @property
    def leader_epochs(self) -> Mapping[tuple[TopicId, PartitionId], int]:
        """Leader epochs above 0, by partition."""
        return self._metadata.leader_epochs

    @property
    def quotas(self) -> Mapping[Entity, Mapping[str, float]]:
        return self._metadata.quotas

    @property
    def scram_credentials(self) -> Mapping[ScramUser, ScramCredential]:
        return self._metadata.scram_credentials

    @property
    def acls(self) -> Acls:
        return self._metadata.acls

    def handle(self, ask: AskId, command: object, now: Now) -> CoordinatorResult:  # noqa: ARG002
        return RULES[type(command)](self._metadata, ask, command)

    def apply(self, record: object) -> None:
        """Apply a record. Records of KRaft that Tenure does not use are ignored."""
        if not isinstance(record, LogRecord):
            raise InvariantError(f"the metadata shard has no ephemeral records: {record!r}")
        self._transaction.apply(record.value)

    def _change(self, record: object) -> None:
        change = CHANGES.get(type(record))
        if change is not None:
            change(self._metadata, record)

    def loaded(self, now: Now) -> CoordinatorResult:  # noqa: ARG002
        return CoordinatorResult()

    def due(self, now: Now) -> Sequence[object]:  # noqa: ARG002
        return ()

    def next_deadline_ms(self) -> int | None:
        return None

    def scope(self, command: object) -> str | None:  # noqa: ARG002
        return None

    def unavailable(self, command: object, error_code: ErrorCode) -> object:  # noqa: ARG002
        return Refused(error_code)

    def not_logged(self, answer: object, storage_error: ErrorCode) -> object:  # noqa: ARG002
        return Refused(storage_error)

    def parked(self) -> Sequence[AskId]:
        return ()

    def digest(self) -> object:
        metadata = self._metadata
        return (
            list(metadata.topics),
            metadata.configs.digest(),
            dict(metadata.features),
            dict(metadata.leader_epochs),
            dict(metadata.quotas),
            dict(metadata.scram_credentials),
            metadata.acls.digest(),
            metadata.next_producer_id,
        )
