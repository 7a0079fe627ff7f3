"""Events as lines of text, for readers who know Kafka and not Python."""

from collections.abc import Callable
from typing import Any

from tenure.coordinator.answers import Accepted, Refused
from tenure.coordinator.groups import answers, records
from tenure.coordinator.groups.classic.reserve import RESERVE_ASSIGNMENT
from tenure.coordinator.groups.configs import DEFAULTS, GroupConfigs
from tenure.coordinator.groups.streams.changes import CHANGES as STREAMS_CHANGES
from tenure.coordinator.shard import LogRecord
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataKey, OffsetCommitKey
from tenure.protocol.errors import ErrorCode
from tests.coordinator.trace_consumers import consumer_record, described_consumers, heartbeat_answer, topic_id_of
from tests.coordinator.trace_streams import (
    STREAMS_EVENTS,
    described_streams,
    streams_event,
    streams_heartbeat_answer,
    streams_record,
)

__all__ = ["Trace", "shown", "topic_id_of"]

Names = Callable[[str], str]
"""Function from a member id to the client's name in the scenario."""


def shown(assignment: bytes) -> str:
    return "reserve" if assignment == RESERVE_ASSIGNMENT else assignment.decode(errors="backslashreplace")


class Trace:
    """Writer of trace lines. `now_ms` is the time from which deadlines are counted."""

    def __init__(self, names: Names) -> None:
        self.name = names

    # --- records ------------------------------------------------------------------------------------------------------

    def record(self, record: Any, now_ms: int) -> str:
        name = self.name
        match record:
            case LogRecord():
                return f"log    {self._logged(record)}"
            case records.MemberPending():
                return f"due    pending {name(record.member_id)} in {record.deadline_ms - now_ms}"
            case records.SessionExtended():
                return f"due    session of {name(record.member_id)} in {record.deadline_ms - now_ms}"
            case records.SyncTimerArmed():
                return f"due    syncs of {record.group_id} in {record.deadline_ms - now_ms}"
            case records.JoinTimerArmed(initial_remaining_ms=remaining_ms):
                initial = "" if remaining_ms is None else f" (initial, {remaining_ms} left)"
                return f"due    join phase of {record.group_id} in {record.deadline_ms - now_ms}{initial}"
            case records.RebalanceStarted() | records.GenerationStarted() | records.GroupDied():
                return f"state  {record.group_id} {self._state(record)}"
            case records.GroupConfigured():
                return f"configs of {record.group_id}: {self._configs(record.configs)}"
            case records.JoinParked():
                return f"park   join of {name(record.member_id)}"
            case records.SyncParked():
                return f"park   sync of {name(record.member_id)}"
            case records.OffsetExpiryScheduled(left=left):
                groups_left = f", {len(left)} groups left" if left else ""
                return f"due    offset expiry in {record.deadline_ms - now_ms}{groups_left}"
            case records.RevocationTimerArmed():
                return f"due    revocation by {name(record.member_id)} in {record.deadline_ms - now_ms}"
            case records.ResolutionAwaited(effect=effect):
                return (
                    f"effect resolve {' '.join(effect.patterns)} of {record.group_id}" if effect else "effect resolved"
                )
            case records.TopicsSeen():
                return f"read   topics of {record.group_id}"
            case records.EpochBumped():
                return f"cause  {record.group_id}: {self._why(record.why)}"
            case records.SeatInherited():
                return f"seat   {name(record.old_member_id)} -> {name(record.member_id)}"
            case records.ConsumerGroupLoaded():
                return f"loaded {record.group_id}"
            case _ if isinstance(record, STREAMS_EVENTS):
                return streams_event(record, now_ms)
            case records.MemberSynced():
                return f"synced {name(record.member_id)}"
        return f"seat   {self._seat(record)}"

    def _configs(self, configs: GroupConfigs) -> str:
        """Return the configs that differ from the defaults."""
        fields = ((name, getattr(configs, name)) for name in GroupConfigs.__match_args__)
        own = [(name, value) for name, value in fields if value != getattr(DEFAULTS, name)]
        shown = ((n, ",".join(sorted(v)) if isinstance(v, frozenset) else v) for n, v in own)
        return " ".join(f"{name.replace('_', '.')}={value}" for name, value in shown) or "the defaults"

    def _state(self, record: Any) -> str:
        match record:
            case records.RebalanceStarted():
                return f"PreparingRebalance: {self._why(record.why)}"
            case records.GenerationStarted():
                return f"CompletingRebalance generation={record.generation_id} leader={self.name(record.leader)}"
        return "Dead"

    def _seat(self, record: Any) -> str:
        match record:
            case records.MemberAdded():
                return f"{self.name(record.member.member_id)} added"
            case records.MemberUpdated():
                return f"{self.name(record.member.member_id)} updated"
            case records.MemberReplaced():
                return f"{self.name(record.old_member_id)} -> {self.name(record.member.member_id)}"
            case records.MemberRemoved(member_id=member_id, why=why):
                return f"{self.name(member_id)} {why.cause.value}" + (f" ({why.reason})" if why.reason else "")
        raise AssertionError(record)

    def _why(self, why: Any) -> str:
        who = f"{self.name(why.member_id)} " if why.member_id else ""
        return f"{who}{why.cause.value}" + (f" ({why.reason})" if why.reason else "")

    def _logged(self, record: LogRecord) -> str:
        key, value = record.key, record.value
        if isinstance(key, OffsetCommitKey):
            where = f"OffsetCommit {key.group} {key.topic}/{key.partition}"
            if value is None:
                return f"{where} tombstone"
            expires = (
                f" expires={value.expire_timestamp - value.commit_timestamp}" if value.expire_timestamp >= 0 else ""
            )
            metadata = f":{value.metadata:.20}" if value.metadata else ""
            return f"{where} = {value.offset}{metadata}{expires}"
        if type(key) in STREAMS_CHANGES:
            return streams_record(key, value)
        if not isinstance(key, GroupMetadataKey):
            return consumer_record(key, value)
        if value is None:
            return f"GroupMetadata {key.group} tombstone"
        members = ", ".join(self._logged_member(member) for member in value.members)
        protocol = f"{value.protocol_type or '-'}/{value.protocol or '-'}"
        leader = f" leader={self.name(value.leader)}" if value.leader else ""
        return (
            f"GroupMetadata {key.group} generation={value.generation} {protocol}{leader} members: {members or 'none'}"
        )

    def _logged_member(self, member: Any) -> str:
        seat = f"({member.group_instance_id})" if member.group_instance_id else ""
        return f"{self.name(member.member_id)}{seat}={shown(member.assignment) or '-'}"

    # --- answers ------------------------------------------------------------------------------------------------------

    def answer(self, answer: Any) -> list[str]:
        match answer:
            case Refused(error_code=error_code, member_id=member_id, message=message):
                about = f" member={self.name(member_id)}" if member_id else ""
                return [error_code.name + about + (f": {message}" if message else "")]
            case Accepted():
                return ["ok"]
            case answers.Joined():
                return [self._joined(answer)]
            case answers.Synced():
                return [
                    f"synced {shown(answer.assignment) or 'nothing'}  ({answer.protocol_type}/{answer.protocol_name})"
                ]
            case answers.HeartbeatAnswered():
                return [heartbeat_answer(answer)]
            case answers.StreamsHeartbeatAnswered():
                return streams_heartbeat_answer(answer)
            case answers.DescribedStreamsGroup():
                return described_streams(answer)
            case answers.DescribedConsumerGroup():
                return described_consumers(answer)
            case answers.Left(members=members):
                return ["left " + " ".join(self._left(member) for member in members)]
            case answers.Committed(error_codes=codes):
                return ["committed " + " ".join(code.name for code in codes) if codes else "committed"]
            case answers.OffsetsDeleted(error_codes=codes):
                return ["deleted " + " ".join(code.name for code in codes)]
            case answers.Fetched(topics=topics):
                return [f"offset {self._fetched(t, p)}" for t in topics for p in t.partitions] or ["no offsets"]
            case answers.Described():
                return self._described(answer)
            case answers.Listed(groups=groups):
                return [f"{g.group_id} {g.state} {g.group_type} {g.protocol_type or '-'}" for g in groups] or [
                    "no groups"
                ]
        raise AssertionError(answer)

    def _joined(self, joined: Any) -> str:
        members = [
            self.name(m.member_id) + (f"({m.group_instance_id})" if m.group_instance_id else "") for m in joined.members
        ]
        return (
            f"joined generation={joined.generation_id} {joined.protocol_type}/{joined.protocol_name} "
            f"leader={self.name(joined.leader)} members={','.join(members) or 'hidden'}"
            + (" skip-assignment" if joined.skip_assignment else "")
        )

    def _left(self, left: Any) -> str:
        seat = f"/{left.group_instance_id}" if left.group_instance_id else ""
        return f"{self.name(left.member_id)}{seat}:{left.error_code.name}"

    def _fetched(self, topic: Any, one: Any) -> str:
        error = f" {one.error_code.name}" if one.error_code is not ErrorCode.NONE else ""
        return f"{topic.topic}/{one.partition} = {one.offset}{f':{one.metadata:.20}' if one.metadata else ''}{error}"

    def _described(self, group: Any) -> list[str]:
        lines = [f"{group.group_id} {group.state} {group.protocol_type or '-'}/{group.protocol_name or '-'}"]
        for m in group.members:
            seat = f"({m.group_instance_id})" if m.group_instance_id else ""
            what = f"metadata={m.metadata.decode() or '-'} assignment={shown(m.assignment) or '-'}"
            lines.append(f"member {self.name(m.member_id)}{seat} {m.client_id}@{m.client_host} {what}")
        return lines
