"""WriteTxnMarkers (API key 27). Changes: v1 flexible encoding, v2 transaction version (KIP-1228).

In Kafka, brokers send this request to each other. In Tenure, an administrator sends it to end a hanging transaction,
which is open in a partition but unknown to its coordinator (KIP-664).
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from tenure.broker.coordinators.markers import write_marker
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Gathering, Route
from tenure.protocol.acls import CLUSTER_NAME, AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    WritableTxnMarkerPartitionResult,
    WritableTxnMarkerResult,
    WritableTxnMarkerTopicResult,
    WriteTxnMarkersRequest,
    WriteTxnMarkersResponse,
)
from tenure.protocol.types import Marker, PartitionId, ProducerId, TopicName

if TYPE_CHECKING:
    from tenure.coordinator.transactions.transaction import TopicPartition

    RequestedMarker = tuple[Marker, TopicPartition]


def handle(context: Context, request: Request, message: WriteTxnMarkersRequest) -> Iterator[None]:
    requested = _requested(message)
    if not _is_allowed(context, request):
        error_codes = [ErrorCode.CLUSTER_AUTHORIZATION_FAILED] * len(requested)
        request.answer(WriteTxnMarkersResponse(markers=_results(requested, error_codes)))
        return iter(())

    def respond(answers: list[object]) -> None:
        request.answer(WriteTxnMarkersResponse(markers=_results(requested, cast("list[ErrorCode]", answers))))

    def ask(index: int, slot: Callable[[object], None]) -> None:
        write_marker(context, context.groups, *requested[index], request.callback(slot))

    return Gathering(len(requested), respond).ask_each(ask)


def _is_allowed(context: Context, request: Request) -> bool:
    """Return whether the client may ALTER the cluster (administrators) or has CLUSTER_ACTION (brokers)."""
    authorization = context.authorization
    return (
        authorization is None
        or authorization.would_allow(request, AclOperation.ALTER, ResourceType.CLUSTER, CLUSTER_NAME)
        or is_allowed_to_cluster(context, request, AclOperation.CLUSTER_ACTION)
    )


def _requested(message: WriteTxnMarkersRequest) -> "list[RequestedMarker]":
    return [
        (
            Marker(
                wanted.producer_id,
                wanted.producer_epoch,
                wanted.transaction_result,
                wanted.coordinator_epoch,
                wanted.transaction_version,
            ),
            (topic.name, partition),
        )
        for wanted in message.markers
        for topic in wanted.topics
        for partition in topic.partition_indexes
    ]


def _results(requested: "Sequence[RequestedMarker]", error_codes: Sequence[ErrorCode]) -> list[WritableTxnMarkerResult]:
    """Return one result per producer id, even if the request has several markers with this id, as in Kafka."""
    found: dict[ProducerId, dict[TopicName, dict[PartitionId, ErrorCode]]] = {}
    for (marker, (topic, partition)), error_code in zip(requested, error_codes, strict=True):
        found.setdefault(ProducerId(marker.producer_id), {}).setdefault(topic, {})[partition] = error_code
    return [
        WritableTxnMarkerResult(
            producer_id,
            [
                WritableTxnMarkerTopicResult(
                    topic, [WritableTxnMarkerPartitionResult(partition, code) for partition, code in codes.items()]
                )
                for topic, codes in topics.items()
            ],
        )
        for producer_id, topics in found.items()
    ]


route = Route(WriteTxnMarkersRequest, handle)
