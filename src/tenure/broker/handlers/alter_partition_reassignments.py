"""AlterPartitionReassignments (API key 45, KIP-455).

Changes: v1 optionally forbids a change of the replication factor (KIP-860).

This broker has the only replica of every partition. A request that assigns a partition to this broker alone is
accepted. Any other assignment is refused.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.steps import in_steps
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
    ReassignablePartition,
    ReassignablePartitionResponse,
    ReassignableTopicResponse,
)

if TYPE_CHECKING:
    from tenure.coordinator.metadata.topics import Topic


def handle(context: Context, request: Request, message: AlterPartitionReassignmentsRequest) -> Iterator[None]:
    allows_change = message.allow_replication_factor_change
    if not is_allowed_to_cluster(context, request, AclOperation.ALTER):
        error_code = ErrorCode.CLUSTER_AUTHORIZATION_FAILED
        refused = [
            ReassignableTopicResponse(
                requested.name,
                [
                    ReassignablePartitionResponse(each.partition_index, error_code, None)
                    for each in requested.partitions
                ],
            )
            for requested in message.topics
        ]
        yield from request.answer_in_steps(
            AlterPartitionReassignmentsResponse(0, allows_change, error_code, None, refused)
        )
        return
    responses = []
    for requested in message.topics:
        topic = context.topics.named(requested.name)
        results = yield from in_steps(_result(context, topic, partition) for partition in requested.partitions)
        responses.append(ReassignableTopicResponse(requested.name, results))
        yield
    text = None if responses else ""  # as Apache Kafka answers a request without partitions
    yield from request.answer_in_steps(
        AlterPartitionReassignmentsResponse(0, allows_change, ErrorCode.NONE, text, responses)
    )


def _result(context: Context, topic: "Topic | None", requested: ReassignablePartition) -> ReassignablePartitionResponse:
    error_code, text = _error(context.node_id, topic, requested)
    return ReassignablePartitionResponse(requested.partition_index, error_code, text)


def _error(node_id: int, topic: "Topic | None", requested: ReassignablePartition) -> tuple[ErrorCode, str | None]:
    if topic is None:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "unknown topic"
    if not 0 <= requested.partition_index < topic.partitions:
        return (
            ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            f"topic {topic.name} has only the partitions 0 to {topic.partitions - 1}",
        )
    if requested.replicas is None:
        return ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, None
    if why := _why_impossible(node_id, requested.replicas):
        return ErrorCode.INVALID_REPLICA_ASSIGNMENT, why
    return ErrorCode.NONE, None


def _why_impossible(node_id: int, replicas: Sequence[int]) -> str | None:
    if not replicas:
        return "the list of replicas is empty: a partition needs a replica"
    if len(set(replicas)) < len(replicas):
        return "the list of replicas names a broker twice: name it once"
    if others := [replica for replica in replicas if replica != node_id]:
        return f"unknown broker {others[0]}: broker {node_id} is the only one"
    return None


route = Route(AlterPartitionReassignmentsRequest, handle)
