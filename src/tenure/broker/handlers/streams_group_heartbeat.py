"""StreamsGroupHeartbeat (API key 88, KIP-1071).

Changes: v1 acceptable recovery lag as int64, status MISSING_CLIENT_TAGS.

If the group's internal topics are missing, the broker creates them and then answers. The response still says that they
are missing; the response to the next heartbeat does not.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from tenure.broker.config.topic_settings import TOPIC_SCHEMA
from tenure.broker.requests.context import Context
from tenure.broker.requests.group_request import GroupRequest
from tenure.broker.requests.permissions import allowed_names, is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route, requiring
from tenure.broker.requests.topic_creation import TopicCreation
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import StreamsHeartbeatAnswered
from tenure.coordinator.groups.commands import StreamsHeartbeat
from tenure.coordinator.groups.streams.endpoints import EndpointPartitions
from tenure.coordinator.groups.streams.tasks import Task, by_subtopology
from tenure.coordinator.groups.streams.topic_plan import NAMED_MAX, InternalTopic, Status
from tenure.coordinator.groups.streams.validation import why_topics_refused
from tenure.coordinator.metadata.answers import TopicResult
from tenure.coordinator.metadata.commands import NewTopic
from tenure.coordinator.metadata.features import STREAMS_VERSION
from tenure.protocol.acls import CLUSTER_NAME, AclOperation, ResourceType
from tenure.protocol.coordinator_logs.consumer_offsets import (
    StreamsGroupTopologyValue,
    TopologyCopartitionGroup,
    TopologySubtopology,
    TopologyTopicConfig,
    TopologyTopicInfo,
)
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
    StreamsHeartbeatEndpoint,
    StreamsHeartbeatEndpointToPartitions,
    StreamsHeartbeatStatus,
    StreamsHeartbeatTaskIds,
    StreamsHeartbeatTaskOffset,
    StreamsHeartbeatTopicInfo,
    StreamsHeartbeatTopicPartition,
    StreamsHeartbeatTopology,
)
from tenure.protocol.types import PartitionId, TopicName

MISSING_TAGS_SINCE = 1
FINE = (ErrorCode.NONE, ErrorCode.TOPIC_ALREADY_EXISTS)


def handle(context: Context, request: Request, message: StreamsGroupHeartbeatRequest) -> None:
    refused = _why_refused(context, request, message)
    if refused is not None:
        request.answer(_refusal(refused))
        return
    then = request.callback(partial(_answered, context, request))
    context.groups.ask(message.group_id, command(message, request), then)


def _why_refused(context: Context, request: Request, message: StreamsGroupHeartbeatRequest) -> Refused | None:
    if not is_allowed(context, request, AclOperation.READ, ResourceType.GROUP, message.group_id):
        return Refused(ErrorCode.GROUP_AUTHORIZATION_FAILED)
    if message.topology is None:
        return None
    names = _topics(message.topology)
    if (refused := why_topics_refused(names)) is not None:
        return refused
    visible = allowed_names(context, request, AclOperation.DESCRIBE, ResourceType.TOPIC)
    if not all(name in visible for name in names):
        return Refused(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
    return None


def _topics(topology: StreamsHeartbeatTopology) -> list[TopicName]:
    """Return the names of all topics of a topology, each once."""
    found: dict[TopicName, None] = {}
    for each in topology.subtopologies:
        infos = [*each.repartition_source_topics, *each.state_changelog_topics]
        found |= dict.fromkeys([*each.source_topics, *each.repartition_sink_topics, *(info.name for info in infos)])
    return list(found)


def command(message: StreamsGroupHeartbeatRequest, request: GroupRequest) -> StreamsHeartbeat:
    endpoint, tags = message.user_endpoint, message.client_tags
    return StreamsHeartbeat(
        message.group_id,
        message.member_id,
        message.member_epoch,
        message.instance_id,
        message.rack_id,
        message.rebalance_timeout_ms,
        None if message.topology is None else _topology(message.topology),
        (_tasks(message.active_tasks), _tasks(message.standby_tasks), _tasks(message.warmup_tasks)),
        message.process_id,
        None if endpoint is None else (endpoint.host, endpoint.port),
        None if tags is None else {tag.key: tag.value for tag in tags},
        _offsets(message.task_offsets),
        _offsets(message.task_end_offsets),
        message.shutdown_application,
        message.endpoint_information_epoch,
        request.client_id or "",
        request.client_host,
        request.version >= MISSING_TAGS_SINCE,
    )


def _offsets(reported: Sequence[StreamsHeartbeatTaskOffset] | None) -> dict[Task, int] | None:
    return None if reported is None else {(each.subtopology_id, each.partition): each.offset for each in reported}


def _tasks(ids: Sequence[StreamsHeartbeatTaskIds] | None) -> list[tuple[str, list[PartitionId]]] | None:
    return None if ids is None else [(each.subtopology_id, each.partitions) for each in ids]


def _topology(topology: StreamsHeartbeatTopology) -> StreamsGroupTopologyValue:
    """Convert the topology of a request to the form of the group's record."""
    return StreamsGroupTopologyValue(
        topology.epoch,
        [
            TopologySubtopology(
                each.subtopology_id,
                each.source_topics,
                each.source_topic_regex,
                [_topic(topic) for topic in each.state_changelog_topics],
                each.repartition_sink_topics,
                [_topic(topic) for topic in each.repartition_source_topics],
                [
                    TopologyCopartitionGroup(
                        group.source_topics, group.source_topic_regex, group.repartition_source_topics
                    )
                    for group in each.copartition_groups
                ],
            )
            for each in topology.subtopologies
        ],
    )


def _topic(topic: StreamsHeartbeatTopicInfo) -> TopologyTopicInfo:
    configs = [TopologyTopicConfig(config.key, config.value) for config in topic.topic_configs]
    return TopologyTopicInfo(topic.name, topic.partitions, topic.replication_factor, configs)


def _answered(context: Context, request: Request, answer: Refused | StreamsHeartbeatAnswered) -> None:
    if isinstance(answer, Refused):
        request.answer(_refusal(answer))
    elif answer.missing_topics:
        _create(context, request, answer.missing_topics, partial(_answer_created, request, answer))
    else:
        request.answer(_response(answer))


def _answer_created(request: Request, answer: StreamsHeartbeatAnswered, why_not_created: str) -> None:
    request.answer(_response(answer, why_not_created))


def _create(context: Context, request: Request, missing: Sequence[InternalTopic], then: Callable[[str], None]) -> None:
    """Create internal topics. Then call `then("")`, or `then(reason)` if some topics could not be created."""
    names = [topic.name for topic in missing]
    authorization = context.authorization
    if authorization is not None and not authorization.would_allow(
        request, AclOperation.CREATE, ResourceType.CLUSTER, CLUSTER_NAME
    ):
        creatable = allowed_names(context, request, AclOperation.CREATE, ResourceType.TOPIC)
        forbidden = [name for name in names if name not in creatable]
        if forbidden:
            then(f"Unauthorized to CREATE on topics {','.join(forbidden)}.")
            return
    wanted = [
        NewTopic(
            topic.name,
            topic.partitions,
            topic.replication_factor,
            configs=topic.configs,
            config_error=TOPIC_SCHEMA.why_refused(topic.configs),
        )
        for topic in missing
    ]
    TopicCreation(context, request, wanted, partial(_report_created, then))


def _report_created(then: Callable[[str], None], results: Sequence[TopicResult]) -> None:
    failed = [each for each in results if each.error_code not in FINE]
    reasons = "; ".join([f"{each.name} ({(each.error_message or '').rstrip('.')})" for each in failed[:NAMED_MAX]])
    then(f"Creation failed: {reasons}." if failed else "")


def _refusal(refused: Refused) -> StreamsGroupHeartbeatResponse:
    return StreamsGroupHeartbeatResponse(error_code=refused.error_code, error_message=refused.message or None)


def _response(answer: StreamsHeartbeatAnswered, why_not_created: str = "") -> StreamsGroupHeartbeatResponse:
    assignment, endpoints = answer.assignment, answer.endpoints
    more = f"; {why_not_created}" if why_not_created else ""
    return StreamsGroupHeartbeatResponse(
        member_id=answer.member_id,
        member_epoch=answer.member_epoch,
        heartbeat_interval_ms=answer.heartbeat_interval_ms,
        task_offset_interval_ms=answer.task_offset_interval_ms,
        acceptable_recovery_lag=answer.acceptable_recovery_lag,
        status=[
            StreamsHeartbeatStatus(code, detail + more * (code == Status.MISSING_INTERNAL_TOPICS))
            for code, detail in answer.status
        ],
        active_tasks=None if assignment is None else _task_ids(assignment.active),
        standby_tasks=None if assignment is None else _task_ids(assignment.standby),
        warmup_tasks=None if assignment is None else _task_ids(assignment.warmup),
        endpoint_information_epoch=answer.endpoint_epoch,
        partitions_by_user_endpoint=None if endpoints is None else [_endpoint(each) for each in endpoints],
    )


def _task_ids(tasks: Iterable[Task]) -> list[StreamsHeartbeatTaskIds]:
    return [StreamsHeartbeatTaskIds(name, partitions) for name, partitions in by_subtopology(tasks).items()]


def _endpoint(each: EndpointPartitions) -> StreamsHeartbeatEndpointToPartitions:
    return StreamsHeartbeatEndpointToPartitions(
        StreamsHeartbeatEndpoint(each.endpoint.host, each.endpoint.port),
        [StreamsHeartbeatTopicPartition(topic, partitions) for topic, partitions in each.active],
        [StreamsHeartbeatTopicPartition(topic, partitions) for topic, partitions in each.copies],
    )


def _unsupported(_: StreamsGroupHeartbeatRequest) -> StreamsGroupHeartbeatResponse:
    return StreamsGroupHeartbeatResponse(error_code=ErrorCode.UNSUPPORTED_VERSION)


route = requiring(STREAMS_VERSION, Route(StreamsGroupHeartbeatRequest, handle), _unsupported)
