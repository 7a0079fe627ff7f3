"""Records of consumer groups that no request of the tested versions leads to.

Older and newer brokers and compaction leave such records in a log (rules 3.6, 4.6, 6.4.2; scenarios 130, 133, 142).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    ConsumerGroupTargetAssignmentMemberKey,
    ConsumerGroupTargetAssignmentMemberValue,
    ConsumerGroupTargetAssignmentMetadataKey,
    ConsumerGroupTargetAssignmentMetadataValue,
    CurrentTopicPartitions,
    Key,
    TargetTopicPartitions,
    Value,
    encode_key,
    encode_value,
)
from tenure.protocol.records import Record
from tests.oracle.classic_requests import TOPIC
from tests.oracle.consumer_requests import Consumers

EPOCH: Final = 5
STRANGE_STATE: Final = 9
UNKNOWN_STATE, INTERLEAVED, OLD_RECORD = GROUPS = ("crafted-unknown-state", "crafted-interleaved", "crafted-old-record")

Written = tuple[Key, Value]


def records(topic_id: bytes) -> list[Record]:
    written = [
        *group_records(UNKNOWN_STATE, topic_id, current_assignment(UNKNOWN_STATE, "M", topic_id, state=STRANGE_STATE)),
        *group_records(
            INTERLEAVED,
            topic_id,
            current_assignment(INTERLEAVED, "N", topic_id, epoch=EPOCH - 2),
            current_assignment(INTERLEAVED, "M", topic_id),
            current_assignment(INTERLEAVED, "N", topic_id, (), epoch=EPOCH),
        ),
        *group_records(OLD_RECORD, topic_id, current_assignment(OLD_RECORD, "M", topic_id, knows_epochs=False)),
    ]
    return [Record(0, 1, encode_key(key), encode_value(value, 0)) for key, value in written]


def group_records(group: str, topic_id: bytes, *currents: Written) -> Iterator[Written]:
    """Yield the records of a group at EPOCH whose target gives member M all partitions."""
    yield ConsumerGroupMetadataKey(group), ConsumerGroupMetadataValue(EPOCH)  # type: ignore[arg-type]
    for key, _ in dict.fromkeys((key.member_id, "") for key, _ in currents):  # type: ignore[union-attr]
        subscribed = ConsumerGroupMemberMetadataValue(
            None,
            None,
            "old",
            "/127.0.0.1",
            [TOPIC],
            "",
            60_000,
            "range",  # type: ignore[list-item]
        )
        yield ConsumerGroupMemberMetadataKey(group, key), subscribed  # type: ignore[arg-type]
    everything = [TargetTopicPartitions(topic_id, [0, 1, 2, 3])]  # type: ignore[arg-type,list-item]
    target = ConsumerGroupTargetAssignmentMemberValue(everything)
    yield ConsumerGroupTargetAssignmentMemberKey(group, "M"), target  # type: ignore[arg-type]
    yield ConsumerGroupTargetAssignmentMetadataKey(group), ConsumerGroupTargetAssignmentMetadataValue(EPOCH)  # type: ignore[arg-type]
    yield from currents


def current_assignment(
    group: str,
    member: str,
    topic_id: bytes,
    partitions: Sequence[int] = (0, 1, 2, 3),
    *,
    epoch: int = EPOCH,
    state: int = 0,
    knows_epochs: bool = True,
) -> Written:
    epochs = [epoch - 3] * len(partitions) if knows_epochs else None
    assigned = [CurrentTopicPartitions(topic_id, list(partitions), epochs)] if partitions else []  # type: ignore[arg-type]
    value = ConsumerGroupCurrentMemberAssignmentValue(epoch, epoch - 1, state, assigned, [])
    return ConsumerGroupCurrentMemberAssignmentKey(group, member), value  # type: ignore[arg-type]


def ask(groups: dict[str, Consumers]) -> None:
    """Send requests for these groups to see how the broker understands the records."""
    for group in groups.values():
        group.consumer_describe()
    strange = groups[UNKNOWN_STATE]
    for owned in (None, {TOPIC: (0,)}, {TOPIC: ()}, {}):
        strange.consumer_heartbeat("M", EPOCH, "M", owned=owned)
    strange.consumer_describe()
    old = groups[OLD_RECORD]
    for group in (old, groups[INTERLEAVED]):
        for epoch in (EPOCH - 3, EPOCH - 1, EPOCH, EPOCH + 1):
            group.consumer_commit("M", 0, member_id="M", epoch=epoch)
        group.consumer_heartbeat("M", EPOCH, "M")
        group.consumer_commit("M", 1, member_id="M", epoch=EPOCH)
        group.consumer_commit("M", 1, member_id="M", epoch=EPOCH - 3)
        group.consumer_describe()
    groups[INTERLEAVED].consumer_heartbeat("N", EPOCH, "N")
    groups[INTERLEAVED].consumer_describe()
