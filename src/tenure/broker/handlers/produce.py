"""Produce (API key 0).

Changes: v3 transactional ids, v5 log start offset, v7 zstd, v8 record errors and messages, v9 flexible encoding, v10
current leader, v11 TRANSACTION_ABORTABLE, v12 transactions of version 2 (KIP-890), v13 topic ids instead of names. v0
to v2 are advertised but refused (rule 1.4.8).

With acks=1, the request is answered when the batch is in the log; with acks=all, when the batch is durable; with
acks=0, never.
"""

from collections.abc import Generator
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tenure.broker.logs.storage_codes import LOG_ERRORS, LogError, error_code_of
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.steps import Steps
from tenure.coordinator.metadata.topic_names import INTERNAL_TOPICS
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.batches import ATTRIBUTES_LOW_AT, TRANSACTIONAL_BIT, Batch
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
from tenure.storage.log.validation import is_large, only_batch

if TYPE_CHECKING:
    from asyncio import Future

    from tenure.coordinator.metadata.topics import Topic

ALL: Final = -1
LEADER: Final = 1
NONE: Final = 0

Checked: TypeAlias = "tuple[bytes, list[Batch]] | LogError | None"
"""Result of the check of a large batch: (bytes to store, the batches parsed from these bytes), or an error.

None if the partition is refused for another reason, so that the batch is not checked.
"""


Refusal: TypeAlias = tuple[ErrorCode, str]
"""Error that applies to all partitions of a request, and its message."""


def handle(context: Context, request: Request, message: ProduceRequest) -> Steps:
    appends = _Appends(context, request, message)
    if context.authorization is not None and (refusal := _unauthorized_transaction(context, request, message)):
        return appends.append_all(refusal)
    if message.transactional_id is None:
        return appends.append_all(_without_transactional_id(message))
    return appends.append_in_transaction()


class _Appends:
    """Appends of the batches of one request, and the response to it.

    With acks=all, the request is answered when all its batches are durable.
    """

    __slots__ = ("_checked", "_context", "_entries", "_message", "_request", "_response", "_unsynced")

    def __init__(self, context: Context, request: Request, message: ProduceRequest) -> None:
        self._context = context
        self._request = request
        self._message = message
        self._response = ProduceResponse(responses=[])
        self._checked: dict[int, Checked] = {}
        """Results for large batches, by the Python `id()` of their `PartitionProduceData`."""
        self._unsynced = 0
        """Number of batches that are appended, but not durable yet; 0 if the response does not wait for them."""
        self._entries = 0
        """Number of topics and partitions of the response; 0 while further batches may be appended."""

    def append_in_transaction(self) -> Steps:
        from tenure.broker.requests.verification import verify  # most producers have no transactions

        for topic in self._message.topic_data:
            for part in topic.partition_data:
                if part.records is not None and is_large(part.records):
                    self._checked[id(part)] = yield from self._check(topic, part)
        yield from verify(self._context, self._request, self._message, self._append_verified)

    def _append_verified(self, refusal: Refusal | None) -> None:
        """Append all batches of the request at once, without serving other requests in between.

        Otherwise, another request might end the transaction, and the next batch would begin a new one.

        `refusal` is the error that the check of the transaction has found; None without an error.
        """
        for _ in self.append_all(refusal):
            pass

    def append_all(self, refusal: Refusal | None) -> Steps:
        """Append all batches of the request, and answer it. With a `refusal`, append none."""
        entries, is_first = len(self._message.topic_data), True
        for topic in self._message.topic_data:
            partitions: list[PartitionProduceResponse] = []
            self._response.responses.append(TopicProduceResponse(topic.name, topic.topic_id, partitions))
            for part in topic.partition_data:
                if not is_first:
                    yield None
                entries, is_first = entries + 1, False
                if refusal:
                    self._request.count_error(refusal[0])
                    partitions.append(PartitionProduceResponse(part.index, refusal[0], -1, error_message=refusal[1]))
                else:
                    checked: Checked = None
                    if part.records is not None and is_large(part.records):
                        if id(part) in self._checked:
                            checked = self._checked[id(part)]
                        else:
                            checked = yield from self._check(topic, part)
                    partitions.append(self._append(topic, part, checked, partitions))
        if self._message.acks == NONE:
            _answer_nothing(self._request, self._response)
        elif self._unsynced:
            self._entries = entries
        else:
            yield from self._request.answer_in_steps(self._response, entries)

    def _append(
        self,
        requested: TopicProduceData,
        part: PartitionProduceData,
        checked: Checked,
        partitions: list[PartitionProduceResponse],
    ) -> PartitionProduceResponse:
        """Append a batch and return its result, which the caller must append to `partitions` right after this call.

        If the batch does not become durable, an error replaces the result in `partitions`.
        """
        context, request, message = self._context, self._request, self._message
        topic = _topic(context, request, requested)
        if refused := self._missing_or_forbidden(topic, requested, part):
            return _refused(request, part, refused)
        assert topic is not None
        try:
            batches: list[Batch] | None = None
            if checked is None:
                batch = only_batch(bytes(part.records or b""))
            elif isinstance(checked, LOG_ERRORS):
                raise checked
            else:
                batch, batches = checked
            if refused := _unwritable(message, topic):
                return _refused(request, part, refused)
            log = context.logs.of(topic, part.index)
            base_offset, last_offset, log_append_time_ms = log.append(batch, context.wall_ms(), checked=batches)
        except DuplicateSequence as duplicate:
            base_offset, last_offset, log_append_time_ms = duplicate.base_offset, duplicate.last_offset, None
        except LOG_ERRORS as error:
            request.count_error(error_code_of(error))
            return PartitionProduceResponse(
                part.index, error_code_of(error), -1, record_errors=_record_errors(error), error_message=str(error)
            )
        if message.acks == ALL and last_offset >= log.high_watermark:
            self._unsynced += 1
            log.when_durable(last_offset + 1, partial(self._became_durable, partitions, len(partitions)))
        return PartitionProduceResponse(
            part.index,
            ErrorCode.NONE,
            base_offset,
            -1 if log_append_time_ms is None else log_append_time_ms,
            log.log_start_offset,
        )

    def _missing_or_forbidden(
        self, topic: "Topic | None", requested: TopicProduceData, part: PartitionProduceData
    ) -> ErrorCode:
        error_code = _missing(self._request, topic, part)
        context = self._context
        if context.authorization is not None and error_code is not ErrorCode.UNKNOWN_TOPIC_ID:
            name = requested.name if topic is None else topic.name
            if not is_allowed(context, self._request, AclOperation.WRITE, ResourceType.TOPIC, name):
                return ErrorCode.TOPIC_AUTHORIZATION_FAILED
        return error_code

    def _became_durable(self, partitions: list[PartitionProduceResponse], position: int, error_code: ErrorCode) -> None:
        if error_code is not ErrorCode.NONE:
            partitions[position] = PartitionProduceResponse(partitions[position].index, error_code, -1)
        self._unsynced -= 1
        if self._entries and not self._unsynced:
            self._request.go_on(self._request.answer_in_steps(self._response, self._entries), self._entries)

    def _check(
        self, requested: TopicProduceData, part: PartitionProduceData
    ) -> "Generator[Future[Any] | None, None, Checked]":
        """Check a large batch before it is appended, in steps or on a thread."""
        context = self._context
        topic = _topic(context, self._request, requested)
        if topic is None or _missing(self._request, topic, part) or _unwritable(self._message, topic):
            return None
        try:
            batch = only_batch(bytes(part.records or b""))
            settings = context.logs.of(topic, part.index).partition.settings
            return (yield from context.batch_checks.check(batch, settings, context.wall_ms()))
        except LOG_ERRORS as error:
            return error


def _without_transactional_id(message: ProduceRequest) -> Refusal | None:
    """Return the error of a request that has transactional records, but no transactional id; None for others."""
    if _is_transactional(message):
        why = "the request has transactional records, but no transactional id"
        return ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, why
    return None


def _unauthorized_transaction(context: Context, request: Request, message: ProduceRequest) -> Refusal | None:
    transactional_id = message.transactional_id
    if transactional_id is None or not _is_transactional(message):
        return None
    if is_allowed(context, request, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, transactional_id):
        return None
    return ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, "the client may not WRITE to this transactional id"


def _is_transactional(message: ProduceRequest) -> bool:
    for topic in message.topic_data:
        for part in topic.partition_data:
            records = part.records
            if records and len(records) > ATTRIBUTES_LOW_AT and records[ATTRIBUTES_LOW_AT] & TRANSACTIONAL_BIT:
                return True
    return False


def _topic(context: Context, request: Request, requested: TopicProduceData) -> "Topic | None":
    return context.topics.with_id(requested.topic_id) if request.version >= 13 else context.topics.named(requested.name)


def _missing(request: Request, topic: "Topic | None", part: PartitionProduceData) -> ErrorCode:
    if topic is None:
        return ErrorCode.UNKNOWN_TOPIC_ID if request.version >= 13 else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if not 0 <= part.index < topic.partitions:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return ErrorCode.NONE


def _unwritable(message: ProduceRequest, topic: "Topic") -> ErrorCode:
    """Return an error if the request's acks are invalid or the topic is internal, else NONE.

    As in Kafka, these checks come after those that the partition exists and has exactly one batch (rule 1.3.4).
    """
    if message.acks not in (ALL, LEADER, NONE):
        return ErrorCode.INVALID_REQUIRED_ACKS
    if topic.name in INTERNAL_TOPICS:
        return ErrorCode.INVALID_TOPIC_EXCEPTION
    return ErrorCode.NONE


def _refused(request: Request, part: PartitionProduceData, error_code: ErrorCode) -> PartitionProduceResponse:
    request.count_error(error_code)
    return PartitionProduceResponse(part.index, error_code, -1)


def _record_errors(error: LogError) -> list[BatchIndexAndErrorMessage]:
    record_errors = error.record_errors if isinstance(error, InvalidRecord) else ()
    return [BatchIndexAndErrorMessage(*record) for record in record_errors]


def _answer_nothing(request: Request, response: ProduceResponse) -> None:
    """End a request with acks=0, which has no response. After an error, close the connection, as in Kafka."""
    failed = [part for topic in response.responses for part in topic.partition_responses if part.error_code]
    if failed:
        why = failed[0].error_message or ErrorCode(failed[0].error_code).name
        request.refuse(f"a Produce with acks=0 failed: {why}")
    else:
        request.answer_nothing()


route = Route(ProduceRequest, handle)
