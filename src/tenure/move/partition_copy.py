"""State of one partition while it is copied: its position, the sequence numbers of sent batches, and its failures."""

import time
from typing import Final

from tenure.client.errors import ClientError
from tenure.client.values import TopicPartition
from tenure.limits.move import MOVE_PATIENCE_MS, PRODUCER_KNOWN_S
from tenure.move.batch_copy import ANY_SIZE, BatchCopy, adjacent
from tenure.move.errors import MoveStopped
from tenure.move.log_reader import SEQUENCES
from tenure.move.progress import PartitionProgress
from tenure.protocol.batches import encode_packed
from tenure.protocol.errors import ErrorCode

TOO_LARGE: Final = frozenset({ErrorCode.MESSAGE_TOO_LARGE, ErrorCode.RECORD_LIST_TOO_LARGE})
NOT_FATAL: Final = frozenset(
    {
        ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
        ErrorCode.DUPLICATE_SEQUENCE_NUMBER,
        ErrorCode.UNKNOWN_PRODUCER_ID,
        ErrorCode.UNKNOWN_SERVER_ERROR,
        ErrorCode.NONE,
    }
)
"""Errors after which the copy continues, besides retriable ones. The position is searched in the target's log first.

NONE is in this set because a response without an error may lack the offset of the batch.
"""

REMEDIES: Final = {
    ErrorCode.UNSUPPORTED_COMPRESSION_TYPE: "The target does not support the codec of the source's batches. Use a "
    "newer broker there",
    ErrorCode.INVALID_TIMESTAMP: "Raise 'message.timestamp.before.max.ms' and 'message.timestamp.after.max.ms' of the "
    "topic at the target",
    ErrorCode.TOPIC_AUTHORIZATION_FAILED: "Grant WRITE on the topic at the target",
    ErrorCode.CLUSTER_AUTHORIZATION_FAILED: "Grant IDEMPOTENT_WRITE on the cluster at the target",
    ErrorCode.INVALID_RECORD: "A compacted topic accepts no records without key",
}


class PartitionCopy:
    """One partition while it is copied."""

    def __init__(self, partition: TopicPartition, progress: PartitionProgress) -> None:
        self.partition: Final = partition
        self.progress: Final = progress
        self.max_batch_bytes = ANY_SIZE
        """Largest size of a batch; reduced when the target refuses a batch as too large."""
        self.failure: ClientError | None = None
        """Error of the first failed write since the position was last known for certain; None if all have succeeded."""
        self.is_dirty = False
        """True if the progress has changed since it was last committed."""
        self.written_bytes = 0
        self.written_records = 0
        self.skipped_offsets = 0
        """Number of offsets that the source deleted before they were copied."""
        self._sent_sequence = progress.sequence
        self._unanswered = 0
        self._known_at_s: float | None = None
        """Time at which the target last accepted a batch of this run; None if it has accepted none."""
        self._failing_since_s: float | None = None

    @property
    def is_unanswered(self) -> bool:
        """True if a batch was sent and its response has not come yet."""
        return self._unanswered > 0

    @property
    def may_send(self) -> bool:
        """True if the next batch may be sent now.

        A broker accepts any sequence number from a producer that it does not know yet. If several first batches were in
        flight and the first one failed, the broker would accept the second one, and records would be lost. So the first
        batch is sent alone.
        """
        is_known = self._known_at_s is not None and time.monotonic() - self._known_at_s < PRODUCER_KNOWN_S
        return is_known or not self.is_unanswered

    def encode_next(self, copy: BatchCopy) -> bytes:
        """Encode the next batch to send.

        The sequence number of the batch lets the target refuse a duplicate, even one from an earlier run (KIP-98).
        """
        producer_id, epoch = self.progress.producer
        encoded = encode_packed(
            copy.records, producer_id=producer_id, producer_epoch=epoch, base_sequence=self._sent_sequence
        )
        self._sent_sequence = (self._sent_sequence + copy.records.record_count) % SEQUENCES
        self._unanswered += 1
        return encoded

    def handle_response(self, copy: BatchCopy, error_code: ErrorCode, base_offset: int, message: str | None) -> None:
        """Handle the response to a batch.

        After a failure, responses are ignored: the position will be searched again.
        """
        self._unanswered -= 1
        if self.failure is not None:
            return
        if error_code is ErrorCode.NONE and base_offset >= 0:
            self._record_write(copy, base_offset)
        elif error_code in TOO_LARGE and copy.records.record_count > 1:
            self.max_batch_bytes = copy.size_bytes // 2
            batch = f"Batch of {copy.size_bytes} bytes for {self.partition}"
            self.fail(ClientError(f"{batch} is too large for the target: it is sent again in smaller batches."))
        else:
            self.fail(self._response_error(copy, error_code, message))

    def _record_write(self, copy: BatchCopy, base_offset: int) -> None:
        progress, count = self.progress, copy.records.record_count
        for first, end in adjacent(copy.offsets):
            progress.runs.add(copy.offsets[first], base_offset + first, end - first)
        progress.sequence = (progress.sequence + count) % SEQUENCES
        self.written_bytes += copy.size_bytes
        self.written_records += count
        self.move_to(copy.offsets[-1] + 1)
        self._failing_since_s, self._known_at_s = None, time.monotonic()

    def _response_error(self, copy: BatchCopy, error_code: ErrorCode, message: str | None) -> ClientError:
        why = f"{(message or error_code.message).rstrip('.')} ({error_code.name})"
        position = f"{self.partition} at offset {copy.offsets[0]} of the source"
        if error_code in TOO_LARGE:
            return MoveStopped(
                f"Record of {position} has {copy.size_bytes} bytes, and the target refuses it: {why}. Raise "
                "'max.message.bytes' of the topic there, and run the same command again."
            )
        if error_code.retriable or error_code in NOT_FATAL:
            return ClientError(f"Copy of {position} failed: {why}.")
        remedy = REMEDIES.get(error_code)
        return MoveStopped(f"Copy of {position} was refused: {why}.{f' {remedy}.' if remedy else ''}")

    def fail(self, error: ClientError) -> None:
        """Set the failure, unless there is one already."""
        self.failure = self.failure or error

    def check_failure(self) -> None:
        """Raise the failure if it is permanent, or if writes have failed for too long."""
        now_s = time.monotonic()
        self._failing_since_s = now_s if self._failing_since_s is None else self._failing_since_s
        if isinstance(self.failure, MoveStopped):
            raise self.failure
        if self.failure is not None and now_s - self._failing_since_s > MOVE_PATIENCE_MS / 1000:
            raise self.failure

    def clear_failure(self) -> None:
        """Clear the failure. The caller has set `progress` to the last record at the target.

        The next batch continues after this record.
        """
        self.failure, self._sent_sequence = None, self.progress.sequence
        self._unanswered, self._known_at_s = 0, None
        self.is_dirty = True

    def move_to(self, source_offset: int) -> None:
        """Set the source offset below which all committed records are copied; ignore a lower offset than before."""
        if source_offset > self.progress.source_next:
            self.progress.source_next = source_offset
            self.is_dirty = True
