"""Events in a streams group as lines. A task is written `subtopology_partition`, as Kafka Streams does."""

from collections.abc import Iterable, Mapping
from typing import Any

from tenure.coordinator.groups import records
from tenure.coordinator.groups.streams.member import TaskState
from tenure.coordinator.groups.streams.tasks import ReportedOffsets, Task
from tenure.coordinator.groups.streams.topic_plan import Status
from tenure.protocol.coordinator_logs.consumer_offsets import (
    StreamsGroupCurrentMemberAssignmentKey,
    StreamsGroupMemberMetadataKey,
    StreamsGroupMetadataKey,
    StreamsGroupTargetAssignmentMemberKey,
    StreamsGroupTargetAssignmentMetadataKey,
    StreamsGroupTopologyKey,
)


def streams_record(key: Any, value: Any) -> str:
    shown = "tombstone" if value is None else _value_of(key, value)
    match key:
        case StreamsGroupMetadataKey():
            return f"group {key.group_id} {shown}"
        case StreamsGroupTopologyKey():
            return f"topology of {key.group_id} {shown}"
        case StreamsGroupMemberMetadataKey():
            return f"member {key.member_id} {shown}"
        case StreamsGroupTargetAssignmentMetadataKey():
            return f"target of {key.group_id} {shown}"
        case StreamsGroupTargetAssignmentMemberKey():
            return f"target of {key.member_id} {shown}"
        case StreamsGroupCurrentMemberAssignmentKey():
            return f"current of {key.member_id} {shown}"
    raise AssertionError(key)


def _value_of(key: Any, value: Any) -> str:
    match key:
        case StreamsGroupMetadataKey():
            configs = ",".join(f"{config.key}={config.value}" for config in value.last_assignment_configs)
            topics = "" if value.metadata_hash else " without topics"
            return f"epoch={value.epoch} validated={value.validated_topology_epoch} {configs}{topics}"
        case StreamsGroupTopologyKey():
            return f"epoch={value.epoch} subtopologies={','.join(each.subtopology_id for each in value.subtopologies)}"
        case StreamsGroupMemberMetadataKey():
            seat = f" instance={value.instance_id}" if value.instance_id else ""
            endpoint = f" at {value.user_endpoint.host}:{value.user_endpoint.port}" if value.user_endpoint else ""
            tags = "".join(f" {tag.key}={tag.value}" for tag in value.client_tags)
            return f"topology={value.topology_epoch} process={value.process_id}{seat}{endpoint}{tags}"
        case StreamsGroupTargetAssignmentMetadataKey():
            return f"epoch={value.assignment_epoch}"
        case StreamsGroupTargetAssignmentMemberKey():
            return _roles(_ids(value.active_tasks), _ids(value.standby_tasks), _ids(value.warmup_tasks))
        case StreamsGroupCurrentMemberAssignmentKey():
            has = _roles(_since(value.active_tasks), _ids(value.standby_tasks), _ids(value.warmup_tasks))
            pending = _roles(
                _since(value.active_tasks_pending_revocation),
                _ids(value.standby_tasks_pending_revocation),
                _ids(value.warmup_tasks_pending_revocation),
            )
            epochs = f"epoch={value.member_epoch} previous={value.previous_member_epoch}"
            gives = "" if pending == "nothing" else f" revoking {pending}"
            return f"{epochs} {TaskState(value.state).name} {has}{gives}"
    raise AssertionError(key)


def _ids(ids: Any) -> str:
    return ",".join(f"{each.subtopology_id}_{partition}" for each in ids for partition in each.partitions)


def _since(ids: Any) -> str:
    """`0_1@5`: task 1 of subtopology 0 since epoch 5."""
    return ",".join(
        f"{each.subtopology_id}_{partition}@{epoch}"
        for each in ids
        for partition, epoch in zip(each.partitions, each.assignment_epochs, strict=True)
    )


def _roles(active: str, standby: str, warmup: str) -> str:
    named = (("", active), ("standby ", standby), ("warm-up ", warmup))
    return " ".join(f"{role}{tasks}" for role, tasks in named if tasks) or "nothing"


def tasks_of(active: Mapping[Task, int] | Iterable[Task], standby: Iterable[Task], warmup: Iterable[Task]) -> str:
    return _roles(*(",".join(f"{name}_{at}" for name, at in sorted(tasks)) for tasks in (active, standby, warmup)))


def streams_event(record: Any, now_ms: int) -> str:
    match record:
        case records.TopicsPlanned(plan=plan):
            return f"plan   {' '.join(f'{name}:{each.tasks}' for name, each in plan.subtopologies.items()) or 'none'}"
        case records.InitialDelayArmed(deadline_ms=None):
            return f"end    delay of the first assignment of {record.group_id}"
        case records.InitialDelayArmed():
            return f"due    first assignment of {record.group_id} in {record.deadline_ms - now_ms}"
        case records.ShutdownRequested():
            return f"stop   {record.group_id}, requested by {record.member_id}"
        case records.EndpointsChanged():
            return f"change endpoints of {record.group_id}"
        case records.TaskOffsetsReported():
            return f"state  {record.member_id} has {shown_offsets(record.offsets)}"
    raise AssertionError(record)


STREAMS_EVENTS = (
    records.TopicsPlanned,
    records.InitialDelayArmed,
    records.ShutdownRequested,
    records.EndpointsChanged,
    records.TaskOffsetsReported,
)


def streams_heartbeat_answer(answer: Any) -> list[str]:
    if answer.member_epoch < 0:
        return [f"left epoch={answer.member_epoch}"]
    tasks = "unchanged" if answer.assignment is None else tasks_of(*answer.assignment)
    lines = [
        f"{answer.member_id} epoch={answer.member_epoch} next heartbeat in {answer.heartbeat_interval_ms}: {tasks}"
    ]
    lines += [f"{Status(code).name}: {detail}" for code, detail in answer.status]
    lines += [
        f"create {t.name} partitions={t.partitions} {dict(t.configs) or ''}".rstrip() for t in answer.missing_topics
    ]
    if answer.endpoints is not None and (answer.endpoints or answer.endpoint_epoch):
        lines.append(f"endpoints in epoch {answer.endpoint_epoch}:")
        for each in answer.endpoints:
            found = " ".join(f"{topic}:{partitions}" for topic, partitions in (*each.active, *each.copies))
            lines.append(f"  {each.endpoint.host}:{each.endpoint.port} {found or 'nothing'}")
    return lines


def shown_offsets(offsets: ReportedOffsets) -> str:
    restored, end = (
        ", ".join(f"{name}_{at}={offset}" for (name, at), offset in reported.items()) for reported in offsets
    )
    return f"{restored or 'nothing'} of {end}" if end else restored


def described_streams(group: Any) -> list[str]:
    epochs = f"epoch={group.group_epoch} assignment={group.assignment_epoch}"
    lines = [f"{group.group_id} {group.state} {epochs} topology={group.topology.epoch if group.topology else '-'}"]
    for member, target, offsets in group.members:
        seat = f"({member.instance_id})" if member.instance_id else ""
        tasks = f"has {tasks_of(*member.assigned)}, target {tasks_of(*target)}"
        lines.append(f"member {member.member_id}{seat} epoch={member.member_epoch} {tasks}")
        if any(offsets):
            lines.append(f"  offsets {shown_offsets(offsets)}")
    return lines
