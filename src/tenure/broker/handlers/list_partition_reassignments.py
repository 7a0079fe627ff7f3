"""ListPartitionReassignments (API key 46, KIP-455).

Always empty: this broker has the only replica of every partition.
"""

from collections.abc import Iterator

from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.acls import AclOperation
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsResponse,
    OngoingPartitionReassignment,
    OngoingTopicReassignment,
)


def handle(context: Context, request: Request, message: ListPartitionReassignmentsRequest) -> Iterator[None]:
    if is_allowed_to_cluster(context, request, AclOperation.DESCRIBE):
        response = ListPartitionReassignmentsResponse(error_message=None)
    else:  # as in Kafka, a refusal repeats what was requested
        refused = [
            OngoingTopicReassignment(
                topic.name, [OngoingPartitionReassignment(each) for each in topic.partition_indexes]
            )
            for topic in message.topics or ()
        ]
        error_code = ErrorCode.CLUSTER_AUTHORIZATION_FAILED
        response = ListPartitionReassignmentsResponse(0, error_code, None, refused)
    yield from request.answer_in_steps(response)


route = Route(ListPartitionReassignmentsRequest, handle)
