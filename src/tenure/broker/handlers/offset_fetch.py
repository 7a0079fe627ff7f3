"""OffsetFetch (9). v2 all topics and a top-level error, v3 throttle time, v5 leader epoch, v6 flexible,
v7 require stable, v8 several groups, v9 member id and epoch (for KIP-848), v10 topic ids instead of names.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from tenure.broker.request import RefusedByProtocol, Request
from tenure.broker.route import Gathering, Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Fetched, FetchedOffset, FetchedTopic
from tenure.coordinator.groups.commands import FetchOffsets, OffsetsWanted
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartition,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
)
from tenure.protocol.types import ZERO_TOPIC_ID, TopicName

if TYPE_CHECKING:
    from tenure.broker.broker import Broker
    from tenure.coordinator.metadata.topics import Topics


def handle(broker: "Broker", request: Request, message: OffsetFetchRequest) -> None:
    if request.version < 8:
        _handle_one(broker, request, message)
        return

    def respond(answers: list[object]) -> None:
        request.answer(OffsetFetchResponse(groups=cast("list[OffsetFetchResponseGroup]", answers)))

    whole = [group.group_id for group in message.groups if group.topics is None]
    if len(set(whole)) < len(whole):  # a few bytes would fetch gigabytes
        raise RefusedByProtocol("it asked for all offsets of a group more than once in one request")
    gathering = Gathering(len(message.groups), respond)
    gathering.ask_each(broker.loop, lambda index, slot: _ask(broker, request, message, message.groups[index], slot))


# --- one group, before version 8 --------------------------------------------------------------------------------------


def _handle_one(broker: "Broker", request: Request, message: OffsetFetchRequest) -> None:
    topics = message.topics
    wanted = (
        None
        if topics is None
        else [OffsetsWanted(topic.name, ZERO_TOPIC_ID, topic.partition_indexes) for topic in topics]
    )

    def respond(answer: object) -> None:
        if isinstance(answer, Fetched):
            request.answer(OffsetFetchResponse(topics=[_topic(topic) for topic in answer.topics]))
        elif isinstance(answer, Refused):
            request.answer(_refused_one(message, answer.error_code, request.version))

    broker.groups.ask(message.group_id, FetchOffsets(message.group_id, wanted, message.require_stable), respond)


def _topic(topic: FetchedTopic) -> OffsetFetchResponseTopic:
    return OffsetFetchResponseTopic(
        topic.topic,
        [
            OffsetFetchResponsePartition(p.partition, p.offset, p.leader_epoch, p.metadata, p.error_code)
            for p in topic.partitions
        ],
    )


def _refused_one(message: OffsetFetchRequest, error_code: ErrorCode, version: int) -> OffsetFetchResponse:
    """Version 1 has no place for an error but the partitions."""
    if version >= 2:
        return OffsetFetchResponse(error_code=error_code)
    refused = [
        FetchedTopic(
            topic.name, ZERO_TOPIC_ID, [FetchedOffset(p, error_code=error_code) for p in topic.partition_indexes]
        )
        for topic in message.topics or ()
    ]
    return OffsetFetchResponse(topics=[_topic(topic) for topic in refused])


# --- several groups ---------------------------------------------------------------------------------------------------


def _ask(
    broker: "Broker",
    request: Request,
    message: OffsetFetchRequest,
    group: OffsetFetchRequestGroup,
    then: Callable[[object], None],
) -> None:
    """Topic ids that nobody knows are answered here, after what the group answers."""
    wanted: list[OffsetsWanted] | None = None
    unknown: list[OffsetFetchResponseTopics] = []
    if group.topics is not None:
        wanted = []
        for topic in group.topics:
            if request.version < 10:
                wanted.append(OffsetsWanted(topic.name, ZERO_TOPIC_ID, topic.partition_indexes))
            elif (known := broker.topics.with_id(topic.topic_id)) is not None:
                wanted.append(OffsetsWanted(known.name, topic.topic_id, topic.partition_indexes))
            else:
                none = [FetchedOffset(p, error_code=ErrorCode.UNKNOWN_TOPIC_ID) for p in topic.partition_indexes]
                unknown.append(_topics(FetchedTopic(TopicName(""), topic.topic_id, none)))

    def respond(answer: object) -> None:
        if isinstance(answer, Refused):
            then(OffsetFetchResponseGroup(group.group_id, [], answer.error_code))
        elif isinstance(answer, Fetched):
            found = answer.topics
            if request.version >= 10 and wanted is None:
                found = _with_ids(found, broker.topics)
            then(OffsetFetchResponseGroup(group.group_id, [_topics(topic) for topic in found] + unknown))

    fetch = FetchOffsets(group.group_id, wanted, message.require_stable, group.member_id, group.member_epoch)
    broker.groups.ask(group.group_id, fetch, respond)


def _topics(topic: FetchedTopic) -> OffsetFetchResponseTopics:
    return OffsetFetchResponseTopics(
        topic.topic,
        topic.topic_id,
        [
            OffsetFetchResponsePartitions(p.partition, p.offset, p.leader_epoch, p.metadata, p.error_code)
            for p in topic.partitions
        ],
    )


def _with_ids(found: Sequence[FetchedTopic], topics: "Topics") -> list[FetchedTopic]:
    """Offsets committed without a topic id get the id of today's topic; a topic that is gone cannot be named."""
    named: list[FetchedTopic] = []
    for topic in found:
        known = topics.named(topic.topic)
        topic_id = topic.topic_id if topic.topic_id != ZERO_TOPIC_ID else known.topic_id if known else ZERO_TOPIC_ID
        if topic_id != ZERO_TOPIC_ID:
            named.append(FetchedTopic(topic.topic, topic_id, topic.partitions))
    return named


route = Route(OffsetFetchRequest, handle)
