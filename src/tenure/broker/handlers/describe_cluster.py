"""DescribeCluster (API key 60). Changes: v1 endpoint type (brokers or controllers), v2 fenced brokers.

Controllers cannot be described, because clients cannot reach the broker's own controller.
"""

from typing import Final

from tenure.broker.requests.authorized_operations import cluster_operations_if_asked_for
from tenure.broker.requests.context import Context
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import DescribeClusterBroker, DescribeClusterRequest, DescribeClusterResponse

BROKERS: Final = 1
CONTROLLERS: Final = 2


def handle(context: Context, request: Request, message: DescribeClusterRequest) -> None:
    if message.endpoint_type != BROKERS:
        mismatch = message.endpoint_type == CONTROLLERS
        request.answer(
            DescribeClusterResponse(
                error_code=ErrorCode.MISMATCHED_ENDPOINT_TYPE if mismatch else ErrorCode.UNSUPPORTED_ENDPOINT_TYPE,
                error_message="this is the address of a broker: request endpoint type 1 (brokers)",
            )
        )
        return
    request.answer(
        DescribeClusterResponse(
            endpoint_type=BROKERS,
            cluster_id=context.cluster_id,
            controller_id=context.node_id,
            brokers=[DescribeClusterBroker(context.node_id, *request.broker_address)],
            cluster_authorized_operations=cluster_operations_if_asked_for(
                context, request, is_asked_for=message.include_cluster_authorized_operations
            ),
        )
    )


route = Route(DescribeClusterRequest, handle)
