"""Answers of the metadata shard, per topic and in the order of the command."""

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
    """Result for one topic: its state after the command, or with `validate_only` as it would be; None if refused.

    `error_message` says cause and remedy.
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
    """Answer to DeleteTopics. `topic` is the topic as it was: its files may be deleted now."""

    results: Sequence[TopicResult]


@value
class PartitionsCreated:
    """Answer to CreatePartitions: one result per requested topic."""

    results: Sequence[TopicResult]


@value
class FeaturesFinalized:
    """Every feature of the command has a level."""


@value
class LeaderEpochsRaised:
    """Every partition of the command has at least the epoch that it names."""


@value
class TopicsDescribed:
    """Answer to DescribeTopics. Unknown names have UNKNOWN_TOPIC_OR_PARTITION."""

    results: Sequence[TopicResult]


@value
class AlteredResource:
    """`configs` are all that the resource has set after the command, or would have; None when refused."""

    resource_type: int
    resource_name: str
    error_code: ErrorCode = ErrorCode.NONE
    error_message: str | None = None
    configs: Mapping[str, str] | None = None


@value
class ConfigsAltered:
    results: Sequence[AlteredResource]


Refusal: TypeAlias = tuple[ErrorCode, str]
"""Error code, and a message with cause and remedy."""


@value
class ClientQuotasAltered:
    """Errors by entity whose quotas were not changed; None if they were."""

    results: Mapping[Entity, Refusal | None]


@value
class ScramCredentialsAltered:
    """Errors by user whose credential was not changed; None if it was."""

    results: Mapping[str, Refusal | None]


@value
class AclsCreated:
    """Answer to CreateAcls: one entry per ACL of the command; None if it exists now."""

    refusals: Sequence[Refusal | None]


@value
class AclsDeleted:
    """Answer to DeleteAcls: one entry per filter, with the ACLs that it selected, or the error.

    An ACL that several filters select is in the entries of all of them.
    """

    results: Sequence[Sequence[Acl] | Refusal]


@value
class ProducerIdBlock:
    """Block of `count` producer ids from `first_producer_id` on, which are never handed out again."""

    first_producer_id: ProducerId
    count: int
