"""Commands of the metadata shard. Each request is one command; answers are in `answers.py`."""

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
    """Topic to create; -1 for partitions or replicas is the broker's default. `assignments` excludes both."""

    name: TopicName
    partitions: int = -1
    replication_factor: int = -1
    assignments: Mapping[PartitionId, Sequence[BrokerId]] = NONE
    configs: Mapping[str, str | None] = NONE
    """Configs, checked by the caller, who knows the topic settings."""


@value
class CreateTopics:
    """Command answered with `TopicsCreated`."""

    topics: Sequence[NewTopic]
    validate_only: bool = False
    partitions_before: int = 0
    """Partitions that earlier commands of the same request have created: a bound applies to the whole request."""


@value
class TopicToDelete:
    """Topic to delete by name, or by id with `name` None."""

    name: TopicName | None
    topic_id: TopicId


@value
class DeleteTopics:
    """Command answered with `TopicsRemoved`. The broker then informs groups shards and removes the files."""

    topics: Sequence[TopicToDelete]


@value
class MorePartitions:
    """`count` is the new total. `assignments`, if given, names the replicas of each new partition in order."""

    name: TopicName
    count: int
    assignments: Sequence[Sequence[BrokerId]] | None = None


@value
class CreatePartitions:
    """Command answered with `PartitionsCreated`."""

    topics: Sequence[MorePartitions]
    validate_only: bool = False


class Operation(IntEnum):
    """Operations with Kafka's numbers (KIP-339). The last two are for lists."""

    SET = 0
    DELETE = 1
    APPEND = 2
    SUBTRACT = 3


@value
class ConfigChange:
    """Change of one config. `operation` is an `Operation`, unless it is unknown; `value` is None only to delete."""

    name: str
    operation: int
    value: str | None


@value
class ResourceChanges:
    """Changes of one resource. `forget_rest`: configs that are not named are removed (AlterConfigs, KIP-133)."""

    resource_type: int
    resource_name: str
    changes: Sequence[ConfigChange]
    forget_rest: bool = False


@value
class AlterConfigs:
    """Command answered with `ConfigsAltered`. The broker then tells logs and groups shards."""

    resources: Sequence[ResourceChanges]
    validate_only: bool = False


Entity: TypeAlias = tuple[tuple[str, str | None], ...]
"""Entity of a quota: (type, name) pairs in order; a name None is the default of the type."""


@value
class QuotaChange:
    """Change of one quota; `value` None removes it."""

    key: str
    value: float | None


@value
class QuotaChanges:
    entity: Entity
    changes: Sequence[QuotaChange]


@value
class AlterClientQuotas:
    """Command answered with `ClientQuotasAltered`."""

    entries: Sequence[QuotaChanges]
    validate_only: bool = False


ScramUser: TypeAlias = tuple[str, int]
"""User name, and Kafka's number of the mechanism."""


@value
class ScramCredential:
    """Keys that verify a password (RFC 5802), and do not reveal it."""

    salt: bytes
    stored_key: bytes
    server_key: bytes
    iterations: int

    def __repr__(self) -> str:
        return "ScramCredential([hidden])"


@value
class AlterScramCredentials:
    """Command answered with `ScramCredentialsAltered`."""

    deletions: Sequence[ScramUser]
    upsertions: Sequence[tuple[ScramUser, ScramCredential]]


@value
class CreateAcls:
    """Command answered with `AclsCreated`."""

    acls: Sequence[Acl]


@value
class DeleteAcls:
    """Command answered with `AclsDeleted`."""

    filters: Sequence[AclFilter]


@value
class FinalizeFeatures:
    """Finalize the levels of features; those that have a level keep it. Answered with `FeaturesFinalized`."""

    levels: Mapping[str, int]


@value
class RaiseLeaderEpochs:
    """Raise leader epochs; lower ones change nothing. Answered with `LeaderEpochsRaised`."""

    epochs: Mapping[tuple[TopicId, PartitionId], int]


@value
class DescribeTopics:
    """Command answered with `TopicsDescribed`, when the described state is durable. `names` None: all."""

    names: Sequence[TopicName] | None = None


@value
class AllocateProducerIds:
    """Command answered with `ProducerIdBlock`."""
