"""Answers of the metadata shard, with one result per topic or resource, in the order of the command."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tenure.coordinator.metadata.commands import Entity
from tenure.coordinator.metadata.topics import Topic
from tenure.coordinator.values import value
from tenure.protocol.acls import Acl
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import ProducerId, TopicId, TopicName


@value
class TopicResult:
    """Result for one topic.

    `topic` is the state of the topic after the command; None if the command was refused for this topic. With
    `validate_only`, it is the state that the topic would have. `error_message` says the cause and what to do.
    """

    name: TopicName | None
    topic_id: TopicId
    error_code: ErrorCode = ErrorCode.NONE
    error_message: str | None = None
    topic: Topic | None = None


@value
class TopicsCreated:
    """Answer to CreateTopics: one result per requested topic."""

    results: Sequence[TopicResult]


@value
class TopicsRemoved:
    """Answer to DeleteTopics. `topic` is the topic before its deletion; its files may be deleted now."""

    results: Sequence[TopicResult]


@value
class PartitionsCreated:
    """Answer to CreatePartitions: one result per requested topic."""

    results: Sequence[TopicResult]


@value
class FeaturesFinalized:
    """Answer to FinalizeFeatures: all features of the command have a level now."""


@value
class FeaturesUpdated:
    """Answer to UpdateFeatures. With `validate_only`, nothing has changed.

    `before` has the levels before the command, by feature, of those whose level the command changes.
    """

    before: Mapping[str, int]


@value
class LeaderEpochsRaised:
    """Answer to RaiseLeaderEpochs: each partition of the command has at least the given epoch now."""


@value
class TopicsDescribed:
    """Answer to DescribeTopics. Unknown topics have UNKNOWN_TOPIC_OR_PARTITION."""

    results: Sequence[TopicResult]


@value
class AlteredResource:
    """Result for one resource.

    `configs` are all its configs after the command; None if the command was refused for this resource. With
    `validate_only`, they are the configs that the resource would have.
    """

    resource_type: int
    resource_name: str
    error_code: ErrorCode = ErrorCode.NONE
    error_message: str | None = None
    configs: Mapping[str, str] | None = None


@value
class ConfigsAltered:
    results: Sequence[AlteredResource]


Refusal: TypeAlias = tuple[ErrorCode, str]
"""(error code, message with the cause and what to do)"""


@value
class ClientQuotasAltered:
    """Answer to AlterClientQuotas: error by entity; None if the entity's quotas were changed."""

    results: Mapping[Entity, Refusal | None]


@value
class ScramCredentialsAltered:
    """Answer to AlterScramCredentials: error by user; None if the user's credential was changed."""

    results: Mapping[str, Refusal | None]


@value
class AclsCreated:
    """Answer to CreateAcls: one entry per ACL: an error, or None if the ACL exists now."""

    refusals: Sequence[Refusal | None]


@value
class AclsDeleted:
    """Answer to DeleteAcls: one entry per filter: the deleted ACLs, or an error.

    An ACL that matches several filters is in all of their entries.
    """

    results: Sequence[Sequence[Acl] | Refusal]


@value
class ProducerIdBlock:
    """Block of `count` producer ids from `first_producer_id` on. They are not allocated again."""

    first_producer_id: ProducerId
    count: int
