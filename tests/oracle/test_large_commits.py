"""Commits whose records do not fit into one batch are refused with the same errors, after the same checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from tenure.limits.coordinator import OFFSETS_PER_COMMIT_MAX
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AddOffsetsToTxnRequest,
    DescribeGroupsRequest,
    EndTxnRequest,
    InitProducerIdRequest,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
    OffsetFetchRequest,
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
    TxnOffsetCommitResponse,
)
from tenure.protocol.types import GroupId
from tests.oracle.classic_requests import TOPIC
from tests.oracle.side import Side
from tests.wire import Wire

pytestmark = pytest.mark.oracle

OFFSETS = range(2 * OFFSETS_PER_COMMIT_MAX)
"""More offsets than either broker writes at once. A record of a transaction is shorter, so Apache Kafka accepts more.
"""
GROUP = GroupId("too-large")


def codes(answer: OffsetCommitResponse | TxnOffsetCommitResponse) -> Counter[ErrorCode]:
    return Counter(ErrorCode(part.error_code) for topic in answer.topics for part in topic.partitions)


def plain(wire: Wire) -> Iterator[object]:
    parts = [OffsetCommitRequestPartition(0, offset) for offset in OFFSETS]
    topics = [OffsetCommitRequestTopic(TOPIC, partitions=parts)]
    for generation_id, version in ((-1, 9), (-1, 8), (3, 9), (3, 8)):
        yield codes(wire.ask(OffsetCommitRequest(GROUP, generation_id, topics=topics), version))


def in_transaction(wire: Wire) -> Iterator[object]:
    own = wire.ask(InitProducerIdRequest(GROUP, 60_000), 4)
    who = GROUP, own.producer_id, own.producer_epoch
    yield wire.ask(AddOffsetsToTxnRequest(*who, GROUP), 3).error_code
    topics = [
        TxnOffsetCommitRequestTopic(
            TOPIC, partitions=[TxnOffsetCommitRequestPartition(0, offset) for offset in OFFSETS]
        )
    ]
    for member_id, generation_id in (("", -1), ("nobody", 3)):
        commit = TxnOffsetCommitRequest(GROUP, *who, generation_id, member_id, None, topics)
        yield codes(wire.ask(commit, 4))
    yield wire.ask(EndTxnRequest(*who, True), 4).error_code


def all_answers(side: Side) -> list[object]:
    with Wire(side.host, side.port) as wire:
        found = [*plain(wire), *in_transaction(wire)]
        (group,) = wire.ask(DescribeGroupsRequest([GROUP]), 6).groups
        return [*found, group.error_code, wire.ask(OffsetFetchRequest(GROUP, None), 7).topics]


def test_commit__larger_than_one_batch__same_error_from_both_brokers_and_nothing_stored(
    kafka: Side, tenure: Side
) -> None:
    ours = all_answers(tenure)
    assert ours[0] == {ErrorCode.UNKNOWN_SERVER_ERROR: len(OFFSETS)}
    assert ours == all_answers(kafka)
