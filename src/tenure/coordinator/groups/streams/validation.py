"""Checks of a StreamsGroupHeartbeat that do not need its group (rule 5.1). Messages are Kafka's.

The answer has the first error in Kafka's order.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from tenure.coordinator.answers import NO_MEMBER_ID, Refused
from tenure.coordinator.groups.commands import StreamsHeartbeat
from tenure.coordinator.metadata.topic_names import INTERNAL_TOPICS, why_illegal
from tenure.protocol.coordinator_logs.consumer_offsets import StreamsGroupTopologyValue
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import JOINS, LEAVES_FOR_NOW
from tenure.protocol.types import TopicName

ROLES: Final = ("ActiveTasks", "StandbyTasks", "WarmupTasks")


def why_topics_refused(names: Sequence[TopicName]) -> Refused | None:
    """Return the error of a topology that uses internal topics or invalid names, before all other checks.

    Kafka does not check first that the client may DESCRIBE these topics (rule 5.1, row 1). So the heartbeat's handler
    calls this function before that check.
    """
    internal = [name for name in names if name in INTERNAL_TOPICS]
    if internal:
        why = f"Use of Kafka internal topics {','.join(internal)} in a Kafka Streams topology is prohibited."
        return Refused(ErrorCode.STREAMS_INVALID_TOPOLOGY, NO_MEMBER_ID, why)
    invalid = [name for name in names if why_illegal(name) is not None]
    if invalid:
        why = f"Topic names {','.join(invalid)} are not valid topic names."
        return Refused(ErrorCode.STREAMS_INVALID_TOPOLOGY, NO_MEMBER_ID, why)
    return None


def why_refused(beat: StreamsHeartbeat) -> Refused | None:
    message = _uses_regexes(beat.topology) or _why_invalid_request(beat)
    if message is None and beat.member_epoch == JOINS:
        message = _why_incomplete_join(beat)
        invalid = None if message is not None or beat.topology is None else _why_invalid(beat.topology)
        if invalid is not None:
            return Refused(ErrorCode.STREAMS_INVALID_TOPOLOGY, NO_MEMBER_ID, invalid)
    message = message or _why_inconsistent(beat)
    return None if message is None else Refused(ErrorCode.INVALID_REQUEST, NO_MEMBER_ID, message)


def _uses_regexes(topology: StreamsGroupTopologyValue | None) -> str | None:
    if topology is not None and any(subtopology.source_topic_regex for subtopology in topology.subtopologies):
        return "Regular expressions for source topics are not supported yet."
    return None


def _why_invalid_request(beat: StreamsHeartbeat) -> str | None:
    for name, value in (
        ("MemberId", beat.member_id),
        ("GroupId", beat.group_id),
        ("InstanceId", beat.instance_id),
        ("RackId", beat.rack_id),
    ):
        if value is not None and not value.strip():
            return f"{name} can't be empty."
    if beat.member_epoch == LEAVES_FOR_NOW and beat.instance_id is None:
        return "InstanceId can't be null."
    if beat.member_epoch < LEAVES_FOR_NOW:
        return f"MemberEpoch is {beat.member_epoch}, but must be greater than or equal to -2."
    return None


def _why_incomplete_join(beat: StreamsHeartbeat) -> str | None:
    if beat.rebalance_timeout_ms == -1:
        return "RebalanceTimeoutMs must be provided in first request."
    for role, owned in zip(ROLES, beat.owned, strict=True):
        if owned is None or owned:
            return f"{role} must be empty when (re-)joining."
    return None if beat.topology is not None else "Topology must be non-null when (re-)joining."


def _why_invalid(topology: StreamsGroupTopologyValue) -> str | None:
    """Return an error of a topology; None if it is valid.

    For a negative epoch and a repeated subtopology id, Apache Kafka 4.4 answers UNKNOWN_SERVER_ERROR instead.
    """
    if topology.epoch < 0:
        return f"The epoch of the topology is {topology.epoch}, but must not be negative."
    times_named = Counter(each.subtopology_id for each in topology.subtopologies)
    for subtopology_id, times in times_named.items():
        if times > 1:
            return f"The topology has {times} subtopologies with the id {subtopology_id}, but ids must be unique."
    for topic in (topic for each in topology.subtopologies for topic in each.state_changelog_topics):
        if topic.partitions:
            return (
                f"Changelog topic {topic.name} must have an undefined partition count, but it is set to "
                f"{topic.partitions}."
            )
    return None


def _why_inconsistent(beat: StreamsHeartbeat) -> str | None:
    given = [owned is not None for owned in beat.owned]
    if any(given) and not all(given):
        return "If one task-type is non-null, all must be non-null."
    if beat.member_epoch != JOINS and beat.topology is not None:
        return "Topology can only be provided when (re-)joining."
    return None
