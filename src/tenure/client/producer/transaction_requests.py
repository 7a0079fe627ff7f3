"""Requests of a transactional producer to coordinators, and the error codes in their responses."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from tenure.client.values import GroupMetadata, OffsetAndMetadata, OpenTransaction, TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AddOffsetsToTxnRequest,
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnTopic,
    EndTxnRequest,
    InitProducerIdRequest,
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
    TxnOffsetCommitResponse,
)
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId, PartitionId, ProducerId, TopicName

NO_PRODUCER: Final = OpenTransaction("", -1, -1, 0)


def init_producer_id(
    transactional_id: str, transaction_timeout_ms: int, writer: OpenTransaction | None
) -> InitProducerIdRequest:
    """Build a request for a producer id (InitProducerId); with `writer`, for the next epoch of its producer id."""
    living = writer or NO_PRODUCER
    return InitProducerIdRequest(
        transactional_id=transactional_id,
        transaction_timeout_ms=transaction_timeout_ms,
        producer_id=ProducerId(living.producer_id),
        producer_epoch=living.producer_epoch,
    )


def add_partitions(writer: OpenTransaction, partitions: Iterable[TopicPartition]) -> AddPartitionsToTxnRequest:
    """Build a request that adds partitions to the open transaction (AddPartitionsToTxn)."""
    by_topic: dict[str, list[PartitionId]] = {}
    for topic, partition in sorted(partitions):
        by_topic.setdefault(topic, []).append(PartitionId(partition))
    return AddPartitionsToTxnRequest(
        v3_and_below_transactional_id=writer.transactional_id,
        v3_and_below_producer_id=ProducerId(writer.producer_id),
        v3_and_below_producer_epoch=writer.producer_epoch,
        v3_and_below_topics=[AddPartitionsToTxnTopic(TopicName(topic), numbers) for topic, numbers in by_topic.items()],
    )


def refusal_to_add(answer: AddPartitionsToTxnResponse) -> ErrorCode:
    """Return the worst error code in an AddPartitionsToTxn response."""
    codes = [
        ErrorCode(result.partition_error_code)
        for topic in answer.results_by_topic_v3_and_below
        for result in topic.results_by_partition
    ]
    return _worst(code for code in codes if code is not ErrorCode.OPERATION_NOT_ATTEMPTED)


def add_offsets(writer: OpenTransaction, group_id: str) -> AddOffsetsToTxnRequest:
    """Build a request that adds the offsets of a group to the open transaction (AddOffsetsToTxn)."""
    return AddOffsetsToTxnRequest(
        transactional_id=writer.transactional_id,
        producer_id=ProducerId(writer.producer_id),
        producer_epoch=writer.producer_epoch,
        group_id=GroupId(group_id),
    )


def txn_offset_commit(
    writer: OpenTransaction, offsets: Mapping[TopicPartition, OffsetAndMetadata], group: GroupMetadata
) -> TxnOffsetCommitRequest:
    """Build a request that commits offsets of a group as part of the open transaction (TxnOffsetCommit)."""
    by_topic: dict[str, list[TxnOffsetCommitRequestPartition]] = {}
    for (topic, partition), position in sorted(offsets.items()):
        by_topic.setdefault(topic, []).append(
            TxnOffsetCommitRequestPartition(
                partition_index=PartitionId(partition),
                committed_offset=position.offset,
                committed_leader_epoch=position.leader_epoch,
                committed_metadata=position.metadata,
            )
        )
    member_id, instance_id, generation_id = group.identity
    return TxnOffsetCommitRequest(
        transactional_id=writer.transactional_id,
        group_id=GroupId(group.group_id),
        producer_id=ProducerId(writer.producer_id),
        producer_epoch=writer.producer_epoch,
        generation_id_or_member_epoch=GenerationId(generation_id),
        member_id=MemberId(member_id),
        group_instance_id=None if instance_id is None else InstanceId(instance_id),
        topics=[TxnOffsetCommitRequestTopic(TopicName(topic), partitions=places) for topic, places in by_topic.items()],
    )


def refusal_of_offsets(answer: TxnOffsetCommitResponse) -> ErrorCode:
    """Return the worst error code in a TxnOffsetCommit response."""
    return _worst(ErrorCode(found.error_code) for topic in answer.topics for found in topic.partitions)


def end_txn(writer: OpenTransaction, commits: bool) -> EndTxnRequest:
    """Build a request that commits or aborts the open transaction (EndTxn)."""
    return EndTxnRequest(
        transactional_id=writer.transactional_id,
        producer_id=ProducerId(writer.producer_id),
        producer_epoch=writer.producer_epoch,
        committed=commits,
    )


def _worst(codes: Iterable[ErrorCode]) -> ErrorCode:
    """Return a code that is not retriable if there is one, else another error, else NONE."""
    refusals: Collection[ErrorCode] = [code for code in codes if code is not ErrorCode.NONE]
    return min(refusals, key=lambda code: code.retriable, default=ErrorCode.NONE)
