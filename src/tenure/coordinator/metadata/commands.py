"""Commands of the metadata shard, one per request. `answers.py` has the answers."""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from tenure.coordinator.values import value
from tenure.protocol.acls import Acl, AclFilter
from tenure.protocol.types import BrokerId, PartitionId, TopicId, TopicName

NONE: Final[Mapping[Any, Any]] = MappingProxyType({})


@value
class NewTopic:
    """Topic to create. If the number of partitions or replicas is -1, the broker's default applies.

    With `assignments`, both numbers must be -1.
    """

    name: TopicName
    partitions: int = -1
    replication_factor: int = -1
    assignments: Mapping[PartitionId, Sequence[BrokerId]] = NONE
    configs: Mapping[str, str | None] = NONE
    config_error: str | None = None
    """Error that the caller has found in the configs. Errors of the name are reported first."""


@value
class CreateTopics:
    """Creation of topics. Answered with `TopicsCreated`."""

    topics: Sequence[NewTopic]
    validate_only: bool = False
    partitions_before: int = 0
    """Partitions created by earlier commands of the same request; the limit applies to the whole request."""


@value
class TopicToDelete:
    """Topic to delete, by name or, if `name` is None, by id."""

    name: TopicName | None
    topic_id: TopicId


@value
class DeleteTopics:
    """Deletion of topics. Answered with `TopicsRemoved`; the broker then deletes their committed offsets and files."""

    topics: Sequence[TopicToDelete]


@value
class MorePartitions:
    """Topic that gets more partitions: `count` in total.

    `assignments` has the replicas of each new partition, in order.
    """

    name: TopicName
    count: int
    assignments: Sequence[Sequence[BrokerId]] | None = None


@value
class CreatePartitions:
    """Creation of partitions. Answered with `PartitionsCreated`."""

    topics: Sequence[MorePartitions]
    validate_only: bool = False


class Operation(IntEnum):
    """Operations on configs, with Kafka's numbers (KIP-339). The last two are for lists."""

    SET = 0
    DELETE = 1
    APPEND = 2
    SUBTRACT = 3


@value
class ConfigChange:
    """Change of one config. `operation` may be an unknown number; `value` may be None only for DELETE."""

    name: str
    operation: int
    value: str | None


@value
class ResourceChanges:
    """Changes of the configs of one resource.

    With `remove_others`, all other configs of the resource are removed (AlterConfigs, KIP-133).
    """

    resource_type: int
    resource_name: str
    changes: Sequence[ConfigChange]
    remove_others: bool = False


@value
class AlterConfigs:
    """Change of configs. Answered with `ConfigsAltered`; the broker then sends them to logs and groups shards."""

    resources: Sequence[ResourceChanges]
    validate_only: bool = False


Entity: TypeAlias = tuple[tuple[str, str | None], ...]
"""Entity of a quota: (type, name) pairs in order. The name None stands for the default of the type."""


@value
class QuotaChange:
    """Change of one quota. The value None removes it."""

    key: str
    value: float | None


@value
class QuotaChanges:
    entity: Entity
    changes: Sequence[QuotaChange]


@value
class AlterClientQuotas:
    """Change of quotas. Answered with `ClientQuotasAltered`."""

    entries: Sequence[QuotaChanges]
    validate_only: bool = False


ScramUser: TypeAlias = tuple[str, int]
"""(user name, Kafka's number of the mechanism)"""


@value
class ScramCredential:
    """Keys that verify a user's password (RFC 5802). The password cannot be computed from them."""

    salt: bytes
    stored_key: bytes
    server_key: bytes
    iterations: int

    def __repr__(self) -> str:
        return "ScramCredential([hidden])"


@value
class AlterScramCredentials:
    """Change of credentials. Answered with `ScramCredentialsAltered`."""

    deletions: Sequence[ScramUser]
    upsertions: Sequence[tuple[ScramUser, ScramCredential]]


@value
class CreateAcls:
    """Creation of ACLs. Answered with `AclsCreated`."""

    acls: Sequence[Acl]


@value
class DeleteAcls:
    """Deletion of ACLs by filters. Answered with `AclsDeleted`."""

    filters: Sequence[AclFilter]


@value
class FinalizeFeatures:
    """Levels for features that have none yet; other features keep theirs. Answered with `FeaturesFinalized`."""

    levels: Mapping[str, int]


@value
class FeatureUpdate:
    """New level of a feature (KIP-584); level 0 disables it.

    `upgrade_type` is 1 for an upgrade, 2 for a safe and 3 for an unsafe downgrade.
    """

    name: str
    level: int
    upgrade_type: int


@value
class UpdateFeatures:
    """Change of feature levels; with `validate_only`, only a check (KIP-778). Answered with `FeaturesUpdated`."""

    changes: Sequence[FeatureUpdate]
    validate_only: bool = False


@value
class RaiseLeaderEpochs:
    """Increase of leader epochs. An epoch below the present one is ignored. Answered with `LeaderEpochsRaised`."""

    epochs: Mapping[tuple[TopicId, PartitionId], int]


@value
class DescribeTopics:
    """Request for the state of topics. Answered with `TopicsDescribed` when this state is durable."""

    names: Sequence[TopicName] | None = None
    """Names of the topics; None for all topics."""


@value
class AllocateProducerIds:
    """Allocation of producer ids. Answered with `ProducerIdBlock`."""
