"""OffsetCommit (API key 8).

Changes: v2-4 retention time, v3 throttle time, v6 leader epoch, v7 group.instance.id, v8 flexible encoding, v9
GROUP_ID_NOT_FOUND and the errors of KIP-848, v10 topic ids instead of names.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final, cast

from tenure.broker.requests.group_request import GroupContext, GroupRequest
from tenure.broker.requests.partition_results import PartitionsToCommit, Result, answer_by_topic
from tenure.broker.requests.permissions import AllowedNames
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.steps import ITEMS_AT_ONCE
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import ALL_COMMITTED, Committed
from tenure.coordinator.groups.commands import CommitOffsets
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    OffsetCommitRequest,
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)
from tenure.protocol.types import GenerationId, TopicId

READ: Final = AclOperation.READ
GROUP: Final = ResourceType.GROUP
TOPIC: Final = ResourceType.TOPIC
TOPIC_IDS_SINCE = 10
MEMBER_EPOCHS_SINCE = 9


def handle(context: GroupContext, request: GroupRequest, message: OffsetCommitRequest) -> Iterator[None]:
    by_id = request.version >= TOPIC_IDS_SINCE
    commit = PartitionsToCommit(by_id=by_id)
    authorization = context.authorization
    if authorization is not None and not authorization.allows(cast("Request", request), READ, GROUP, message.group_id):
        _refuse_group(request, message)
        return
    allowed = None if authorization is None else AllowedNames(authorization, cast("Request", request), READ, TOPIC)
    topics, added = context.topics, 0
    for wanted in message.topics:
        named = wanted.topic_id if by_id else wanted.name
        topic = topics.with_id(wanted.topic_id) if by_id else topics.named(wanted.name)
        name = wanted.name if topic is None else topic.name
        is_refused = allowed is not None and (topic is not None or not by_id) and name not in allowed
        for requested in wanted.partitions:
            if is_refused:
                commit.refuse(named, requested.partition_index, ErrorCode.TOPIC_AUTHORIZATION_FAILED)
            else:
                commit.add(named, topic, requested)
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
    context.groups.ask(message.group_id, command, request.callback(respond))


def _refuse_group(request: GroupRequest, message: OffsetCommitRequest) -> None:
    by_id = request.version >= TOPIC_IDS_SINCE
    error_code = ErrorCode.GROUP_AUTHORIZATION_FAILED
    request.count_error(error_code)
    results: list[Result] = [
        (topic.topic_id if by_id else topic.name, partition.partition_index, error_code)
        for topic in message.topics
        for partition in topic.partitions
    ]
    new_topic = _topic_with_id if by_id else OffsetCommitResponseTopic
    answer_by_topic(request, results, new_topic, OffsetCommitResponsePartition, OffsetCommitResponse)


def _respond(request: GroupRequest, commit: PartitionsToCommit, answer: Committed | Refused) -> None:
    if isinstance(answer, Refused):
        request.count_error(answer.error_code)
    new_topic = _topic_with_id if request.version >= TOPIC_IDS_SINCE else OffsetCommitResponseTopic
    results = commit.results(answer)
    answer_by_topic(request, results, new_topic, OffsetCommitResponsePartition, OffsetCommitResponse)


def _topic_with_id(topic_id: TopicId) -> OffsetCommitResponseTopic:
    return OffsetCommitResponseTopic(topic_id=topic_id)


route = Route(OffsetCommitRequest, handle)
