"""Events in a consumer group as lines. Topic ids contain topic names, so that lines can show the names."""

from collections.abc import Iterable
from typing import Any

from tenure.coordinator.groups.consumer.member import MemberState
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMetadataKey,
    ConsumerGroupPartitionMetadataKey,
    ConsumerGroupRegularExpressionKey,
    ConsumerGroupTargetAssignmentMemberKey,
    ConsumerGroupTargetAssignmentMetadataKey,
)
from tenure.protocol.types import TopicId


def topic_id_of(name: str) -> TopicId:
    return TopicId(name.encode().ljust(16, b"\0"))


def topic_of(topic_id: bytes) -> str:
    return topic_id.rstrip(b"\0").decode()


def consumer_record(key: Any, value: Any) -> str:
    shown = "tombstone" if value is None else _value_of(key, value)
    match key:
        case ConsumerGroupMetadataKey():
            return f"group {key.group_id} {shown}"
        case ConsumerGroupPartitionMetadataKey():
            return f"partition metadata of {key.group_id} {shown}"
        case ConsumerGroupMemberMetadataKey():
            return f"member {key.member_id} {shown}"
        case ConsumerGroupTargetAssignmentMetadataKey():
            return f"target of {key.group_id} {shown}"
        case ConsumerGroupTargetAssignmentMemberKey():
            return f"target of {key.member_id} {shown}"
        case ConsumerGroupCurrentMemberAssignmentKey():
            return f"current of {key.member_id} {shown}"
        case ConsumerGroupRegularExpressionKey():
            return f"regex {key.regular_expression} {shown}"
    raise AssertionError(key)


def _value_of(key: Any, value: Any) -> str:
    match key:
        case ConsumerGroupMetadataKey():
            return f"epoch={value.epoch}" + ("" if value.metadata_hash else " without topics")
        case ConsumerGroupMemberMetadataKey():
            seat = f" instance={value.instance_id}" if value.instance_id else ""
            assignor = f" assignor={value.server_assignor}" if value.server_assignor else ""
            regex = f" and {value.subscribed_topic_regex}" if value.subscribed_topic_regex else ""
            return f"subscribes to {','.join(value.subscribed_topic_names) or 'nothing'}{regex}{seat}{assignor}"
        case ConsumerGroupRegularExpressionKey():
            return f"matches {','.join(value.topics) or 'nothing'}"
        case ConsumerGroupTargetAssignmentMetadataKey():
            return f"epoch={value.assignment_epoch}"
        case ConsumerGroupTargetAssignmentMemberKey():
            return ranges(value.items())
        case ConsumerGroupCurrentMemberAssignmentKey():
            pending = _since(value.partitions_pending_revocation)
            epochs = f"epoch={value.member_epoch} previous={value.previous_member_epoch}"
            state = MemberState(value.state).name
            return f"{epochs} {state} {_since(value.assigned_partitions)}" + (
                f" revoking {pending}" if value.partitions_pending_revocation else ""
            )
    raise AssertionError(key)


def _since(topics: Any) -> str:
    """`t:0-2@5`: partitions 0 to 2 of t since epoch 5."""
    by_epoch: dict[tuple[bytes, int], list[int]] = {}
    for topic in topics:
        for partition, epoch in zip(topic.partitions, topic.assignment_epochs, strict=True):
            by_epoch.setdefault((topic.topic_id, epoch), []).append(partition)
    words = (f"{ranges([(topic_id, found)])}@{epoch}" for (topic_id, epoch), found in sorted(by_epoch.items()))
    return " ".join(words) or "nothing"


def ranges(topics: Iterable[tuple[bytes, Iterable[int]]]) -> str:
    words = [f"{topic_of(topic_id)}:{_runs(sorted(partitions))}" for topic_id, partitions in sorted(topics)]
    return " ".join(words) or "nothing"


def _runs(numbers: list[int]) -> str:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def heartbeat_answer(answer: Any) -> str:
    if answer.member_epoch < 0:
        return f"left epoch={answer.member_epoch}"
    assignment = answer.assignment
    return f"{answer.member_id} epoch={answer.member_epoch} next heartbeat in {answer.heartbeat_interval_ms}: " + (
        "unchanged" if assignment is None else ranges(assignment.items())
    )


def described_consumers(group: Any) -> list[str]:
    epochs = f"epoch={group.group_epoch} assignment={group.assignment_epoch}"
    lines = [f"{group.group_id} {group.state} {epochs} {group.assignor}"]
    for m in group.members:
        seat = f"({m.instance_id})" if m.instance_id else ""
        what = f"epoch={m.member_epoch} has {ranges(m.assigned)}, target {ranges(m.target)}"
        lines.append(f"member {m.member_id}{seat} {what}")
    return lines
