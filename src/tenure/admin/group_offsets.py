"""Changes of committed offsets by an administrator: plan a reset, write it, delete offsets.

A reset can be planned while the group has members, so that the plan can be checked before they are stopped. It can be
written only while the group has no members (rule 2.13): members would overwrite the offsets with their own commits.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tenure.admin.groups import STATES_WITHOUT_MEMBERS, GroupListing, find, how_to_empty, must_find
from tenure.admin.offset_reset import KnownOffsets, OffsetChange, Target, ToListed, ToTimestamp, plan
from tenure.client.errors import RequestRefused, UnknownTopic
from tenure.client.net.cluster import Cluster
from tenure.client.queries.group_changes import commit_from_outside, delete_committed_offsets
from tenure.client.queries.group_queries import committed_offsets
from tenure.client.queries.partition_queries import list_offsets
from tenure.client.values import OffsetAndMetadata, TopicPartition
from tenure.plural import format_count
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import EARLIEST, LATEST


class TopicScope(NamedTuple):
    """Topic, and the selected partitions of it; None selects all."""

    topic: str
    partitions: tuple[int, ...] | None = None


class ResetPlan(NamedTuple):
    """New committed offsets of a group, before they are written."""

    group_id: str
    group: GroupListing | None
    """Group as it was when the plan was made; None if the group did not exist. Writing the plan then creates it."""
    changes: tuple[OffsetChange, ...]
    gone: tuple[TopicPartition, ...]
    """Partitions that no longer exist, but have a committed offset."""

    @property
    def refusal(self) -> str:
        """Reason why the plan cannot be written now; empty if it can."""
        if self.group is None or self.group.state in STATES_WITHOUT_MEMBERS:
            return ""
        return (
            f"Group '{self.group_id}' is in use ({self.group.state}): its offsets cannot be set, because members would "
            f"overwrite them; {how_to_empty(self.group_id)}."
        )


class OffsetDeletion(NamedTuple):
    """Result of the deletion of one committed offset."""

    partition: TopicPartition
    trouble: str
    """Reason why the offset was not deleted; empty on success."""


async def plan_reset(cluster: Cluster, group_id: str, target: Target, scopes: Sequence[TopicScope] | None) -> ResetPlan:
    """Plan new committed offsets of a group, without writing them.

    Args:
        cluster: Cluster.
        group_id: Group.
        target: New position, for example `ToEarliest()` or `ShiftBy(-100)`.
        scopes: Partitions. None selects all partitions with a committed offset or, for `ToListed`, all listed ones.

    Raises:
        UnknownTopic: A topic or partition in `scopes` does not exist.
        NothingToShiftFrom: The target is `ShiftBy`, and a partition has no committed offset.
    """
    group = await find(cluster, group_id)
    committed = await committed_offsets(cluster, group_id, None) if group is not None else {}
    gone: list[TopicPartition] = []
    if isinstance(target, ToListed):
        partitions = await existing(cluster, [TopicScope(topic, (partition,)) for topic, partition in target.offsets])
    elif scopes is not None:
        partitions = await existing(cluster, scopes)
    else:
        counts = await cluster.partition_counts({partition.topic for partition in committed}) if committed else {}
        partitions = [
            partition for partition in sorted(committed) if partition.partition < counts.get(partition.topic, 0)
        ]
        gone = sorted(committed.keys() - set(partitions))
    known = await _query_known_offsets(cluster, target, partitions, committed)
    return ResetPlan(group_id, group, tuple(plan(target, known)), tuple(gone))


async def write_plan(cluster: Cluster, reset: ResetPlan) -> None:
    """Commit the offsets of a plan in one request.

    Raises `RequestRefused`, for example if the group has got a member.
    """
    if reset.refusal:
        raise RequestRefused(reset.refusal, ErrorCode.NON_EMPTY_GROUP)
    if not reset.changes:
        return
    outcome = await commit_from_outside(
        cluster, reset.group_id, {change.partition: change.target for change in reset.changes}
    )
    for partition, error_code in sorted(outcome.items()):
        if error_code in (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.REBALANCE_IN_PROGRESS):
            raise RequestRefused(
                f"Offsets of group '{reset.group_id}' cannot be set: a member has joined; "
                f"{how_to_empty(reset.group_id)}.",
                error_code,
            )
        if error_code is not ErrorCode.NONE:
            raise RequestRefused(
                f"Offset of group '{reset.group_id}' for {partition} was not set: {error_code.message} "
                f"({error_code.name}).",
                error_code,
            )


async def delete_offsets(cluster: Cluster, group_id: str, scopes: Sequence[TopicScope]) -> list[OffsetDeletion]:
    """Delete committed offsets of topics to which no member subscribes (rule 2.17).

    Raises:
        RequestRefused: The group does not exist, or has no committed offset for a topic or partition.
    """
    await must_find(cluster, group_id)
    committed = sorted(await committed_offsets(cluster, group_id, None))
    wanted: list[TopicPartition] = []
    for topic, partitions in scopes:
        found = [
            partition
            for partition in committed
            if partition.topic == topic and (partitions is None or partition.partition in partitions)
        ]
        if not found or (partitions is not None and len(found) < len(set(partitions))):
            missing = sorted(set(partitions or ()) - {partition.partition for partition in found})
            scope = ", ".join(str(TopicPartition(topic, partition)) for partition in missing) or f"topic '{topic}'"
            raise RequestRefused(
                f"Group '{group_id}' has no committed offset for {scope}; see `tenure groups describe {group_id} "
                "--offsets`.",
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            )
        wanted += found
    outcome = await delete_committed_offsets(cluster, group_id, wanted)
    return [
        OffsetDeletion(partition, _deletion_failure(group_id, partition, outcome[partition]))
        for partition in sorted(outcome)
    ]


async def existing(cluster: Cluster, scopes: Sequence[TopicScope]) -> list[TopicPartition]:
    """Return the partitions that the scopes select. Raises `UnknownTopic` if one does not exist."""
    described = await cluster.describe_topics({scope.topic for scope in scopes})
    numbers = {topic.topic: {partition.partition for partition in topic.partitions} for topic in described}
    found: set[TopicPartition] = set()
    for topic, partitions in scopes:
        for partition in numbers[topic] if partitions is None else partitions:
            if partition not in numbers[topic]:
                raise UnknownTopic(
                    f"Unknown partition {partition} of topic '{topic}': "
                    f"it has {format_count(len(numbers[topic]), 'partition')}, counted from 0.",
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                )
            found.add(TopicPartition(topic, partition))
    return sorted(found)


async def _query_known_offsets(
    cluster: Cluster,
    target: Target,
    partitions: Sequence[TopicPartition],
    committed: dict[TopicPartition, OffsetAndMetadata],
) -> dict[TopicPartition, KnownOffsets]:
    if not partitions:
        return {}
    earliest = await list_offsets(cluster, dict.fromkeys(partitions, EARLIEST))
    latest = await list_offsets(cluster, dict.fromkeys(partitions, LATEST))
    at_timestamp: dict[TopicPartition, int | None] = dict.fromkeys(partitions)
    if isinstance(target, ToTimestamp):
        listed = await list_offsets(cluster, dict.fromkeys(partitions, max(0, target.timestamp_ms)))
        at_timestamp = {partition: found.offset if found.offset >= 0 else None for partition, found in listed.items()}
    return {
        partition: KnownOffsets(
            earliest[partition].offset, latest[partition].offset, committed.get(partition), at_timestamp[partition]
        )
        for partition in partitions
    }


def _deletion_failure(group_id: str, partition: TopicPartition, error_code: ErrorCode) -> str:
    if error_code is ErrorCode.NONE:
        return ""
    if error_code is ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC:
        return f"members of group '{group_id}' subscribe to '{partition.topic}'; {how_to_empty(group_id)}"
    if error_code is ErrorCode.NON_EMPTY_GROUP:
        return f"group '{group_id}' has members; {how_to_empty(group_id)}"
    return f"{error_code.message} ({error_code.name})"
