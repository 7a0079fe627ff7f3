"""Operations on topics: create, delete, add partitions, describe."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tenure.client.errors import RequestRefused, UnknownTopic
from tenure.client.net.cluster import Cluster, RetriableError
from tenure.client.values import TopicDescription
from tenure.plural import format_count
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    CreatableTopic,
    CreatableTopicConfig,
    CreatePartitionsRequest,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
    CreateTopicsRequest,
    CreateTopicsResponse,
    DeleteTopicsRequest,
    DeleteTopicsResponse,
    DeleteTopicState,
)
from tenure.protocol.types import TopicName

BROKER_DEFAULT: Final = -1
"""Value that makes the broker use its own `num.partitions` or `default.replication.factor`."""

CLEARER_MESSAGES: Final = {
    ErrorCode.TOPIC_ALREADY_EXISTS: "it already exists",
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: "it does not exist; see `tenure topics list`",
    ErrorCode.TOPIC_DELETION_DISABLED: "the broker does not permit it; set delete.topic.enable=true there",
}
"""Messages by error code, shown instead of the broker's because they are clearer."""


class CreatedTopic(NamedTuple):
    """Name, number of partitions and replication factor of a new topic."""

    topic: str
    topic_id: bytes
    partitions: int
    replication_factor: int


async def create_topics(
    cluster: Cluster,
    names: Sequence[str],
    *,
    partitions: int = BROKER_DEFAULT,
    replication_factor: int = BROKER_DEFAULT,
    configs: Mapping[str, str] | None = None,
) -> list[CreatedTopic]:
    """Create topics, and wait until a broker lists them.

    Raises:
        RequestRefused: Some topics were not created; the message names them. The others are created.
    """
    settings = [CreatableTopicConfig(name=name, value=value) for name, value in (configs or {}).items()]
    wanted = [
        CreatableTopic(
            name=TopicName(name), num_partitions=partitions, replication_factor=replication_factor, configs=settings
        )
        for name in names
    ]
    request = CreateTopicsRequest(topics=wanted, timeout_ms=cluster.request_timeout_ms)
    answer = await cluster.retry(lambda: cluster.request_any(request, CreateTopicsResponse, min_version=5))
    _raise_first([(found.name, found.error_code, found.error_message) for found in answer.topics], "was not created")
    await wait_until_known(cluster, names)
    return [
        CreatedTopic(found.name, found.topic_id, found.num_partitions, found.replication_factor)
        for found in answer.topics
    ]


async def wait_until_known(cluster: Cluster, topics: Sequence[str]) -> None:
    """Wait until a broker lists new topics: Apache Kafka's controller answers before its brokers have new metadata."""

    async def attempt() -> None:
        for topic in (await cluster.metadata(topics)).topics:
            if topic.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
                raise RetriableError(
                    f"Topic '{topic.name}' was created, but the brokers do not list it yet.",
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                )

    await cluster.retry(attempt)


async def delete_topics(cluster: Cluster, names: Sequence[str]) -> None:
    """Delete topics. Raises `RequestRefused` with the topics that were not deleted; the others are deleted."""
    request = DeleteTopicsRequest(
        topics=[DeleteTopicState(name=TopicName(name)) for name in names], timeout_ms=cluster.request_timeout_ms
    )
    answer = await cluster.retry(lambda: cluster.request_any(request, DeleteTopicsResponse, min_version=6))
    _raise_first(
        [(found.name or "", found.error_code, found.error_message) for found in answer.responses], "was not deleted"
    )


async def create_partitions(cluster: Cluster, name: str, count: int) -> None:
    """Increase the number of partitions of a topic to `count`."""
    topic = CreatePartitionsTopic(name=TopicName(name), count=count, assignments=None)
    request = CreatePartitionsRequest(topics=[topic], timeout_ms=cluster.request_timeout_ms)
    answer = await cluster.retry(lambda: cluster.request_any(request, CreatePartitionsResponse))
    _raise_first(
        [(found.name, found.error_code, found.error_message) for found in answer.results],
        f"did not get {format_count(count, 'partition')}",
    )


async def describe_topics(cluster: Cluster, names: Sequence[str] | None) -> list[TopicDescription]:
    """Describe the given topics, or all topics for None. Raises `UnknownTopic` if one does not exist."""
    return await cluster.describe_topics(names)


def _raise_first(outcomes: list[tuple[str, int, str | None]], problem: str) -> None:
    sentences: list[str] = []
    first: ErrorCode | None = None
    for name, error_code, message in outcomes:
        if error_code == ErrorCode.NONE:
            continue
        code = ErrorCode(error_code)
        first = first or code
        reason = CLEARER_MESSAGES.get(code) or (message or code.message).rstrip(".")
        sentences.append(f"Topic '{name}' {problem}: {reason} ({code.name}).")
    if first is not None:
        unknown = first is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        raise (UnknownTopic if unknown else RequestRefused)(" ".join(sentences), first)
