"""ElectLeaders (API key 43). Changes: v1 types of elections (KIP-460), v2 flexible encoding.

This broker leads every partition, so no election is ever needed.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.steps import in_steps
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ElectLeadersRequest,
    ElectLeadersResponse,
    PartitionResult,
    ReplicaElectionResult,
)
from tenure.protocol.types import PartitionId

if TYPE_CHECKING:
    from tenure.coordinator.metadata.topics import Topic

PREFERRED: Final = 0
UNCLEAN: Final = 1
WHOLE_ERROR_SINCE: Final = 1


def handle(context: Context, request: Request, message: ElectLeadersRequest) -> Iterator[None]:
    """Answer that no election is needed, for each requested partition.

    If the request is for all partitions (null), the response lists all topics without partitions, as in Kafka.
    """
    if not is_allowed_to_cluster(context, request, AclOperation.ALTER):
        error_code = ErrorCode.CLUSTER_AUTHORIZATION_FAILED
        refused = [
            ReplicaElectionResult(
                requested.topic, [PartitionResult(each, error_code, None) for each in requested.partitions]
            )
            for requested in message.topic_partitions or ()
        ]
        response = ElectLeadersResponse(
            error_code=error_code if request.version >= WHOLE_ERROR_SINCE else 0, replica_election_results=refused
        )
        yield from request.answer_in_steps(response)
        return
    known = message.election_type in (PREFERRED, UNCLEAN)
    if message.topic_partitions is None:
        results = [ReplicaElectionResult(topic.name) for topic in context.topics]
    else:
        results = []
        for requested in message.topic_partitions:
            partitions = yield from in_steps(
                _result(context.topics.named(requested.topic), partition, known) for partition in requested.partitions
            )
            results.append(ReplicaElectionResult(requested.topic, partitions))
            yield
    error_code = ErrorCode.NONE if known else ErrorCode.INVALID_REQUEST
    yield from request.answer_in_steps(ElectLeadersResponse(error_code=error_code, replica_election_results=results))


def _result(topic: "Topic | None", partition: PartitionId, known: bool) -> PartitionResult:
    if not known:
        return PartitionResult(
            partition, ErrorCode.INVALID_REQUEST, "unknown election type: use 0 (preferred) or 1 (unclean)"
        )
    if topic is None:
        return PartitionResult(partition, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "unknown topic")
    if not 0 <= partition < topic.partitions:
        reason = f"topic {topic.name} has only the partitions 0 to {topic.partitions - 1}"
        return PartitionResult(partition, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, reason)
    return PartitionResult(partition, ErrorCode.ELECTION_NOT_NEEDED, "the only broker leads this partition already")


route = Route(ElectLeadersRequest, handle)
