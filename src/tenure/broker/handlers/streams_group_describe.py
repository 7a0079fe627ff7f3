"""StreamsGroupDescribe (API key 89, KIP-1071).

Changes: v1 name of the assignor.

Topology descriptions are not stored (KIP-1331).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, cast

from tenure.broker.requests.authorized_operations import operations_if_asked_for
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed, visible_names
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Gathering, Route, requiring
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups import answers
from tenure.coordinator.groups.commands import DescribeStreamsGroup
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.coordinator.groups.streams.tasks import ReportedOffsets, Task, Tasks, by_subtopology
from tenure.coordinator.groups.streams.topic_plan import InternalTopic, PlannedSubtopology
from tenure.coordinator.metadata.features import STREAMS_VERSION
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.coordinator_logs.consumer_offsets import TopologySubtopology, TopologyTopicInfo
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DescribedStreamsAssignment,
    DescribedStreamsEndpoint,
    DescribedStreamsGroup,
    DescribedStreamsKeyValue,
    DescribedStreamsMember,
    DescribedStreamsSubtopology,
    DescribedStreamsTaskIds,
    DescribedStreamsTaskOffset,
    DescribedStreamsTopicInfo,
    DescribedStreamsTopology,
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
)
from tenure.protocol.types import GroupId

ASSIGNOR: Final = "sticky"
DESCRIPTION_NOT_STORED: Final = 1
"""Status of the topology description: no plugin stores descriptions."""
NOT_VISIBLE: Final = "The described group uses topics that the client is not authorized to describe."


def handle(context: Context, request: Request, message: StreamsGroupDescribeRequest) -> Iterator[None]:
    def respond(groups: list[object]) -> None:
        response = StreamsGroupDescribeResponse(groups=cast("list[DescribedStreamsGroup]", groups))
        request.go_on(request.answer_in_steps(response))

    def ask(index: int, slot: Callable[[object], None]) -> None:
        group_id = message.group_ids[index]
        if not is_allowed(context, request, AclOperation.DESCRIBE, ResourceType.GROUP, group_id):
            slot(DescribedStreamsGroup(ErrorCode.GROUP_AUTHORIZATION_FAILED, group_id=group_id))
            return
        then = partial(_translate, context, request, message, group_id, slot)
        context.groups.ask(group_id, DescribeStreamsGroup(group_id), request.callback(then))

    return Gathering(len(message.group_ids), respond).ask_each(ask)


def _translate(
    context: Context,
    request: Request,
    message: StreamsGroupDescribeRequest,
    group_id: GroupId,
    then: Callable[[object], None],
    answer: Refused | answers.DescribedStreamsGroup,
) -> None:
    """Convert the shard's answer to the description of a group, and pass it to `then`.

    If the client may not DESCRIBE all topics of the topology, the description has only an error, as in Kafka.
    """
    if isinstance(answer, Refused):
        then(DescribedStreamsGroup(answer.error_code, answer.message or None, group_id))
        return
    may_see = visible_names(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC)
    topics = () if answer.topology is None else answer.topology.required_topics
    if may_see is not None and not all(may_see(name) for name in topics):
        then(DescribedStreamsGroup(ErrorCode.TOPIC_AUTHORIZATION_FAILED, NOT_VISIBLE, group_id))
        return
    operations = operations_if_asked_for(
        context, request, ResourceType.GROUP, group_id, is_asked_for=message.include_authorized_operations
    )
    then(_described(answer, operations, DESCRIPTION_NOT_STORED if message.include_topology_description else 0))


def _described(
    group: answers.DescribedStreamsGroup, operations: int, topology_description_status: int
) -> DescribedStreamsGroup:
    return DescribedStreamsGroup(
        group_id=group.group_id,
        group_state=group.state,
        group_epoch=group.group_epoch,
        assignment_epoch=group.assignment_epoch,
        topology=_topology(group),
        members=[_member(*each) for each in group.members],
        authorized_operations=operations,
        topology_description_status=topology_description_status,
        assignor_name=ASSIGNOR,
    )


def _topology(group: answers.DescribedStreamsGroup) -> DescribedStreamsTopology | None:
    """Return the topology; None if the group has none.

    If some topics of the topology do not exist yet, the numbers of partitions are those that a member has sent.
    """
    topology, plan = group.topology, group.plan
    if topology is None:
        return None
    if plan is not None and plan.is_ready:
        return DescribedStreamsTopology(topology.epoch, [_planned(*each) for each in plan.subtopologies.items()])
    return DescribedStreamsTopology(
        topology.epoch, [_reported_subtopology(each) for each in topology.subtopologies.values()]
    )


def _planned(subtopology_id: str, each: PlannedSubtopology) -> DescribedStreamsSubtopology:
    return DescribedStreamsSubtopology(
        subtopology_id,
        sorted(each.source_topics),
        sorted(each.repartition_sink_topics),
        _sorted(_internal(topic) for topic in each.changelog_topics),
        _sorted(_internal(topic) for topic in each.repartition_source_topics),
    )


def _internal(topic: InternalTopic) -> DescribedStreamsTopicInfo:
    replication_factor = max(topic.replication_factor, 0)
    return DescribedStreamsTopicInfo(topic.name, topic.partitions, replication_factor, _key_values(topic.configs))


def _reported_subtopology(each: TopologySubtopology) -> DescribedStreamsSubtopology:
    return DescribedStreamsSubtopology(
        each.subtopology_id,
        sorted(each.source_topics),
        sorted(each.repartition_sink_topics),
        _sorted(_info(topic) for topic in each.state_changelog_topics),
        _sorted(_info(topic) for topic in each.repartition_source_topics),
    )


def _info(topic: TopologyTopicInfo) -> DescribedStreamsTopicInfo:
    configs = {config.key: config.value for config in topic.topic_configs}
    return DescribedStreamsTopicInfo(topic.name, topic.partitions, topic.replication_factor, _key_values(configs))


def _sorted(topics: Iterable[DescribedStreamsTopicInfo]) -> list[DescribedStreamsTopicInfo]:
    return sorted(topics, key=lambda topic: topic.name)


def _key_values(pairs: Mapping[str, str]) -> list[DescribedStreamsKeyValue]:
    return [DescribedStreamsKeyValue(key, pairs[key]) for key in sorted(pairs)]


def _member(member: StreamsMember, target: Tasks, offsets: ReportedOffsets) -> DescribedStreamsMember:
    endpoint = member.user_endpoint
    assigned = member.assigned
    return DescribedStreamsMember(
        member.member_id,
        member.member_epoch,
        member.instance_id,
        member.rack_id,
        member.client_id,
        member.client_host,
        member.topology_epoch,
        member.process_id,
        None if endpoint is None else DescribedStreamsEndpoint(endpoint.host, endpoint.port),
        _key_values(dict(member.client_tags)),
        _task_offsets(offsets.restored),
        _task_offsets(offsets.end),
        assignment=_assignment(assigned.active, assigned.standby, assigned.warmup),
        target_assignment=_assignment(*target),
    )


def _task_offsets(offsets: Mapping[Task, int]) -> list[DescribedStreamsTaskOffset]:
    return [DescribedStreamsTaskOffset(*task, offsets[task]) for task in sorted(offsets)]


def _assignment(*roles: Iterable[Task]) -> DescribedStreamsAssignment:
    return DescribedStreamsAssignment(*(_task_ids(tasks) for tasks in roles))


def _task_ids(tasks: Iterable[Task]) -> list[DescribedStreamsTaskIds]:
    return [DescribedStreamsTaskIds(name, partitions) for name, partitions in by_subtopology(tasks).items()]


def _unsupported(message: StreamsGroupDescribeRequest) -> StreamsGroupDescribeResponse:
    refused = [DescribedStreamsGroup(ErrorCode.UNSUPPORTED_VERSION, group_id=name) for name in message.group_ids]
    return StreamsGroupDescribeResponse(groups=refused)


route = requiring(STREAMS_VERSION, Route(StreamsGroupDescribeRequest, handle), _unsupported)
