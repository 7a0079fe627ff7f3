"""OffsetCommit (8).

v2-4 retention time, v3 throttle time, v6 leader epoch, v7 group.instance.id, v8 flexible, v9 GROUP_ID_NOT_FOUND and the
errors of KIP-848, v10 topic ids instead of names.
"""

from collections.abc import Iterator
from functools import partial

from tenure.broker.requests.context import Context
from tenure.broker.requests.partition_results import PartitionsToCommit, answer_by_topic
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import ITEMS_AT_ONCE, Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import ALL_COMMITTED, Committed
from tenure.coordinator.groups.commands import CommitOffsets
from tenure.protocol.messages import (
    OffsetCommitRequest,
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)
from tenure.protocol.types import GenerationId, TopicId

TOPIC_IDS_SINCE = 10
MEMBER_EPOCHS_SINCE = 9


def handle(context: Context, request: Request, message: OffsetCommitRequest) -> Iterator[None]:
    by_id = request.version >= TOPIC_IDS_SINCE
    commit = PartitionsToCommit(by_id=by_id)
    topics, added = context.topics, 0
    for wanted in message.topics:
        named = wanted.topic_id if by_id else wanted.name
        topic = topics.with_id(wanted.topic_id) if by_id else topics.named(wanted.name)
        for asked in wanted.partitions:
            commit.add(named, topic, asked)
            added += 1
            if not added % ITEMS_AT_ONCE:
                yield
    respond = partial(_respond, request, commit)
    if not commit.offsets:
        respond(ALL_COMMITTED)
        return
    command = CommitOffsets(
        message.group_id,
        message.member_id,
        message.group_instance_id,
        GenerationId(message.generation_id_or_member_epoch),
        commit.offsets,
        message.retention_time_ms,
        request.version >= MEMBER_EPOCHS_SINCE,
    )
    context.groups.ask(message.group_id, command, respond)


def _respond(request: Request, commit: PartitionsToCommit, answer: Committed | Refused) -> None:
    if isinstance(answer, Refused):
        request.count_error(answer.error_code)
    new_topic = _topic_with_id if request.version >= TOPIC_IDS_SINCE else OffsetCommitResponseTopic
    results = commit.results(answer)
    answer_by_topic(request, results, new_topic, OffsetCommitResponsePartition, OffsetCommitResponse)


def _topic_with_id(topic_id: TopicId) -> OffsetCommitResponseTopic:
    return OffsetCommitResponseTopic(topic_id=topic_id)


route = Route(OffsetCommitRequest, handle)
