"""ConsumerGroupDescribe (API key 69). Changes: v1 protocol of each member."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, cast

from tenure.broker.requests.authorized_operations import operations_if_asked_for
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed, visible_names
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Gathering, Route, requiring
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups import answers
from tenure.coordinator.groups.answers import DescribedConsumerMember
from tenure.coordinator.groups.commands import DescribeConsumerGroup
from tenure.coordinator.metadata.features import GROUP_VERSION
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    DescribedAssignment,
    DescribedConsumerGroup,
    DescribedConsumerGroupMember,
    DescribedTopicPartitions,
)
from tenure.protocol.types import GroupId, PartitionId, TopicId

if TYPE_CHECKING:
    from tenure.coordinator.metadata.topics import Topics

CLASSIC_MEMBER: Final = 0
CONSUMER_MEMBER: Final = 1


def handle(context: Context, request: Request, message: ConsumerGroupDescribeRequest) -> Iterator[None]:
    def respond(groups: list[object]) -> None:
        response = ConsumerGroupDescribeResponse(groups=cast("list[DescribedConsumerGroup]", groups))
        request.go_on(request.answer_in_steps(response))

    def ask(index: int, slot: Callable[[object], None]) -> None:
        group_id = message.group_ids[index]
        if not is_allowed(context, request, AclOperation.DESCRIBE, ResourceType.GROUP, group_id):
            slot(DescribedConsumerGroup(ErrorCode.GROUP_AUTHORIZATION_FAILED, group_id=group_id))
            return
        operations = operations_if_asked_for(
            context, request, ResourceType.GROUP, group_id, is_asked_for=message.include_authorized_operations
        )
        then = _translated(group_id, context.topics, operations, _authorizing_topics(context, request, slot))
        context.groups.ask(group_id, DescribeConsumerGroup(group_id), request.callback(then))

    return Gathering(len(message.group_ids), respond).ask_each(ask)


def _translated(
    group_id: GroupId, topics: "Topics", operations: int, then: Callable[[object], None]
) -> Callable[[object], None]:
    def translate(answer: object) -> None:
        if isinstance(answer, Refused):
            then(DescribedConsumerGroup(answer.error_code, answer.message or None, group_id))
        elif isinstance(answer, answers.DescribedConsumerGroup):
            then(_described(answer, topics, operations))

    return translate


def _authorizing_topics(context: Context, request: Request, then: Callable[[object], None]) -> Callable[[object], None]:
    """Return a callback that passes the description of a group on to `then`.

    If the client may not DESCRIBE all topics of the group's members, an error is passed on instead, as in Kafka.
    """
    may_see = visible_names(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC)
    if may_see is None:
        return then

    def check(group: object) -> None:
        assert isinstance(group, DescribedConsumerGroup)
        assignments = [each for member in group.members for each in (member.assignment, member.target_assignment)]
        names = {topic.topic_name for assignment in assignments for topic in assignment.topic_partitions}
        if not all(may_see(name) for name in names):
            error_code, why = ErrorCode.TOPIC_AUTHORIZATION_FAILED, "the client may not DESCRIBE a topic of the group"
            group = DescribedConsumerGroup(error_code, why, group.group_id)
        then(group)

    return check


def _described(group: answers.DescribedConsumerGroup, topics: "Topics", operations: int) -> DescribedConsumerGroup:
    return DescribedConsumerGroup(
        group_id=group.group_id,
        group_state=group.state,
        group_epoch=group.group_epoch,
        assignment_epoch=group.assignment_epoch,
        assignor_name=group.assignor,
        members=[_member(member, topics) for member in group.members],
        authorized_operations=operations,
    )


def _member(member: DescribedConsumerMember, topics: "Topics") -> DescribedConsumerGroupMember:
    return DescribedConsumerGroupMember(
        member.member_id,
        member.instance_id,
        member.rack_id,
        member.member_epoch,
        member.client_id,
        member.client_host,
        list(member.subscribed_topic_names),
        member.subscribed_topic_regex,
        _assignment(member.assigned, topics),
        _assignment(member.target, topics),
        CLASSIC_MEMBER if member.is_classic else CONSUMER_MEMBER,
    )


def _assignment(
    partitions_by_topic: Sequence[tuple[TopicId, Sequence[PartitionId]]], topics: "Topics"
) -> DescribedAssignment:
    """Return the assignment without deleted topics, whose names are unknown."""
    named = [(topics.with_id(topic_id), partitions) for topic_id, partitions in partitions_by_topic]
    return DescribedAssignment(
        [
            DescribedTopicPartitions(topic.topic_id, topic.name, list(partitions))
            for topic, partitions in named
            if topic is not None
        ]
    )


def _unsupported(message: ConsumerGroupDescribeRequest) -> ConsumerGroupDescribeResponse:
    refused = [DescribedConsumerGroup(ErrorCode.UNSUPPORTED_VERSION, group_id=name) for name in message.group_ids]
    return ConsumerGroupDescribeResponse(groups=refused)


route = requiring(GROUP_VERSION, Route(ConsumerGroupDescribeRequest, handle), _unsupported)
