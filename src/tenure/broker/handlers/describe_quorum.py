"""DescribeQuorum (API key 55, KIP-595).

Changes: v1 times of the replicas (KIP-836), v2 directories and listeners (KIP-853).

The broker is the only voter of its metadata log. As in Kafka, a request must name the only partition of this log, and
nothing else; otherwise all requested partitions are unknown. The response has no listener for controllers.
"""

from collections.abc import Iterator
from typing import Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.steps import in_steps
from tenure.coordinator.metadata.topic_names import CLUSTER_METADATA
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DescribedQuorumPartition,
    DescribedQuorumTopic,
    DescribeQuorumRequest,
    DescribeQuorumResponse,
    DescribeQuorumTopic,
    QuorumNode,
    QuorumReplica,
)
from tenure.protocol.types import PartitionId

ONLY_PARTITION: Final = PartitionId(0)
NODES_SINCE: Final = 2
UNKNOWN_DIRECTORY: Final = bytes(16)


def handle(context: Context, request: Request, message: DescribeQuorumRequest) -> Iterator[None]:
    if not is_allowed_to_cluster(context, request, AclOperation.DESCRIBE):
        request.answer(DescribeQuorumResponse(error_code=ErrorCode.CLUSTER_AUTHORIZATION_FAILED))
        return
    named = [(topic.topic_name, each.partition_index) for topic in message.topics for each in topic.partitions]
    if named == [(CLUSTER_METADATA, ONLY_PARTITION)]:
        topic = DescribedQuorumTopic(CLUSTER_METADATA, [_quorum(context)])
        nodes = [QuorumNode(context.node_id)] if request.version >= NODES_SINCE else []
        request.answer(DescribeQuorumResponse(error_message="", topics=[topic], nodes=nodes))
        return
    topics = yield from in_steps(map(_unknown, message.topics))
    yield from request.answer_in_steps(DescribeQuorumResponse(error_message="", topics=topics))


def _quorum(context: Context) -> DescribedQuorumPartition:
    log, now_ms = context.metadata.log, context.wall_ms()
    voter = QuorumReplica(context.node_id, UNKNOWN_DIRECTORY, log.partition.log_end_offset, now_ms, now_ms)
    return DescribedQuorumPartition(
        ONLY_PARTITION, ErrorCode.NONE, "", context.node_id, log.partition.leader_epoch, log.high_watermark, [voter]
    )


def _unknown(requested: DescribeQuorumTopic) -> DescribedQuorumTopic:
    text = f"only partition 0 of {CLUSTER_METADATA} has a quorum: request this partition alone"
    return DescribedQuorumTopic(
        requested.topic_name,
        [
            DescribedQuorumPartition(each.partition_index, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, text)
            for each in requested.partitions
        ],
    )


route = Route(DescribeQuorumRequest, handle)
