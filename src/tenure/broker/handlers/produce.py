"""Produce (0). v3 transactional ids, v5 log start offset, v7 zstd, v8 record errors and messages, v9 flexible,
v10 current leader, v11 and v12 transactions, v13 topic ids instead of names. v0-2 are advertised, not spoken (1.4.8).

acks=1 is answered when the log has the batch, acks=all when the log holds it as safely as its durability promises,
acks=0 never.
"""

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from tenure.broker.request import RefusedByProtocol, Request
from tenure.broker.route import Gathering, Route
from tenure.broker.storage_codes import LOG_ERRORS, LogError, error_code_of
from tenure.broker.topic_names import INTERNAL_TOPICS
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    BatchIndexAndErrorMessage,
    PartitionProduceData,
    PartitionProduceResponse,
    ProduceRequest,
    ProduceResponse,
    TopicProduceData,
    TopicProduceResponse,
)
from tenure.storage.errors import DuplicateSequence, InvalidRecord
from tenure.storage.validation import only_batch

if TYPE_CHECKING:
    from tenure.broker.broker import Broker
    from tenure.broker.served_log import ServedLog
    from tenure.coordinator.metadata.topics import Topic

ATTRIBUTES_LOW_AT: Final = 22
TRANSACTIONAL_BIT: Final = 0x10

ALL: Final = -1
LEADER: Final = 1
NONE: Final = 0


def handle(broker: "Broker", request: Request, message: ProduceRequest) -> None:
    if message.transactional_id is None:
        _append_all(broker, request, message, _refusal(message))
        return
    from tenure.broker.verification import verify  # most producers have no transactions

    verify(broker, request, message, partial(_verified, broker, request, message))


def _verified(
    broker: "Broker", request: Request, message: ProduceRequest, refusal: tuple[ErrorCode, str] | None
) -> None:
    _append_all(broker, request, message, refusal or _refusal(message))


def _append_all(
    broker: "Broker", request: Request, message: ProduceRequest, refusal: tuple[ErrorCode, str] | None
) -> None:
    unsafe: list[_Unsafe] = []
    responses = []
    for topic in message.topic_data:
        partitions: list[PartitionProduceResponse] = []
        for part in topic.partition_data:
            if refusal:
                request.count_error(refusal[0])
                partitions.append(PartitionProduceResponse(part.index, refusal[0], -1, error_message=refusal[1]))
            else:
                partitions.append(_append(broker, request, topic, part, partitions, unsafe))
        responses.append(TopicProduceResponse(topic.name, topic.topic_id, partitions))
    response = ProduceResponse(responses=responses)
    if message.acks == NONE:
        _answer_nothing(request, response)
    elif message.acks == LEADER or not unsafe:
        request.answer(response)
    else:
        _answer_when_safe(request, response, unsafe)


class _Unsafe(NamedTuple):
    """A batch that is in its log, but not yet as safe as the log promises."""

    log: "ServedLog"
    end_offset: int
    partitions: list[PartitionProduceResponse]
    position: int
    """Its place in `partitions`, a part of the response."""


def _refusal(message: ProduceRequest) -> tuple[ErrorCode, str] | None:
    """What is wrong with the request as a whole."""
    if message.transactional_id is None and _is_transactional(message):
        why = "it holds records of a transaction, and names no transactional id"
        return ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, why
    if message.acks not in (ALL, LEADER, NONE):
        return ErrorCode.INVALID_REQUIRED_ACKS, f"acks={message.acks} is none of 0, 1 and all"
    return None


def _is_transactional(message: ProduceRequest) -> bool:
    return any(
        len(records) > ATTRIBUTES_LOW_AT and records[ATTRIBUTES_LOW_AT] & TRANSACTIONAL_BIT
        for topic in message.topic_data
        for part in topic.partition_data
        if (records := part.records)
    )


def _append(
    broker: "Broker",
    request: Request,
    asked: TopicProduceData,
    part: PartitionProduceData,
    partitions: list[PartitionProduceResponse],
    unsafe: list[_Unsafe],
) -> PartitionProduceResponse:
    topic = broker.topics.with_id(asked.topic_id) if request.version >= 13 else broker.topics.named(asked.name)
    refused = _refused_partition(topic, part, by_id=request.version >= 13)
    if refused:
        request.count_error(refused)
        return PartitionProduceResponse(part.index, refused, -1)
    assert topic is not None
    try:
        batch = only_batch(part.records or b"")
        log = broker.logs.of(topic, part.index)
        base_offset, last_offset, log_append_time_ms = log.append(batch, broker.wall_ms())
    except DuplicateSequence as duplicate:
        base_offset, last_offset, log_append_time_ms = duplicate.base_offset, duplicate.last_offset, None
    except LOG_ERRORS as error:
        request.count_error(error_code_of(error))
        return PartitionProduceResponse(
            part.index, error_code_of(error), -1, record_errors=_record_errors(error), error_message=str(error)
        )
    if last_offset >= log.high_watermark:
        unsafe.append(_Unsafe(log, last_offset + 1, partitions, len(partitions)))
    return PartitionProduceResponse(
        part.index,
        ErrorCode.NONE,
        base_offset,
        -1 if log_append_time_ms is None else log_append_time_ms,
        log.log_start_offset,
    )


def _refused_partition(topic: "Topic | None", part: PartitionProduceData, *, by_id: bool) -> ErrorCode:
    if topic is None:
        return ErrorCode.UNKNOWN_TOPIC_ID if by_id else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if not 0 <= part.index < topic.partitions:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if topic.name in INTERNAL_TOPICS:
        return ErrorCode.INVALID_TOPIC_EXCEPTION
    return ErrorCode.NONE


def _record_errors(error: LogError) -> list[BatchIndexAndErrorMessage]:
    told = error.record_errors if isinstance(error, InvalidRecord) else ()
    return [BatchIndexAndErrorMessage(*record) for record in told]


def _answer_when_safe(request: Request, response: ProduceResponse, unsafe: list[_Unsafe]) -> None:
    gathering = Gathering(len(unsafe), partial(_safe, request, response, unsafe))
    for index, written in enumerate(unsafe):
        written.log.when_safe(written.end_offset, gathering.slot(index))


def _safe(request: Request, response: ProduceResponse, unsafe: list[_Unsafe], outcomes: list[object]) -> None:
    for written, error_code in zip(unsafe, outcomes, strict=True):
        if error_code is not ErrorCode.NONE:
            index = written.partitions[written.position].index
            written.partitions[written.position] = PartitionProduceResponse(index, cast("ErrorCode", error_code), -1)
    request.answer(response)


def _answer_nothing(request: Request, response: ProduceResponse) -> None:
    """Without a response, a closed connection is the only way to say that something went wrong, as in Kafka."""
    failed = [part for topic in response.responses for part in topic.partition_responses if part.error_code]
    if failed:
        raise RefusedByProtocol(
            f"a Produce with acks=0 failed: {failed[0].error_message or ErrorCode(failed[0].error_code).name}"
        )
    request.answer_nothing()


route = Route(ProduceRequest, handle)
