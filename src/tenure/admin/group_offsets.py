"""Committed offsets from outside: plan a reset, write it, forget offsets.

A plan is made whatever the group does, so that one can be looked at before its members are stopped; it is written only
while nobody is in the group (rule 2.13), because a member would go on from where it stands and overwrite it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tenure.admin.groups import NOBODY_IN_IT, GroupListing, find, how_to_empty, must_find
from tenure.admin.offset_reset import Known, Move, Target, ToListed, ToTimestamp, plan
from tenure.client.cluster import Cluster
from tenure.client.errors import RequestRefused, UnknownTopic
from tenure.client.group_changes import commit_from_outside, forget_offsets
from tenure.client.group_queries import committed_offsets
from tenure.client.partition_queries import EARLIEST, LATEST, list_offsets
from tenure.client.values import OffsetAndMetadata, TopicPartition
from tenure.protocol.errors import ErrorCode


class TopicScope(NamedTuple):
    """A topic; all its partitions, or some."""

    topic: str
    partitions: tuple[int, ...] | None = None


class ResetPlan(NamedTuple):
    group_id: str
    group: GroupListing | None
    """None for a group that is not there yet: writing the plan makes it."""
    moves: tuple[Move, ...]
    gone: tuple[TopicPartition, ...]
    """The group has committed for them, and they exist no longer."""

    @property
    def refusal(self) -> str:
        """Why it cannot be written now; empty if it can."""
        if self.group is None or self.group.state in NOBODY_IN_IT:
            return ""
        return (
            f"Group '{self.group_id}' is in use ({self.group.state}), so its offsets cannot be set: its members would "
            f"overwrite them; {how_to_empty(self.group_id)}."
        )


class ForgottenOffset(NamedTuple):
    partition: TopicPartition
    trouble: str
    """Why it is still there; empty if it is gone."""


async def plan_reset(cluster: Cluster, group_id: str, target: Target, scopes: Sequence[TopicScope] | None) -> ResetPlan:
    """`scopes` None takes all that the group has committed for, or all that `ToListed` lists.

    Raises `UnknownTopic` for what is named and does not exist, and what `offset_reset.plan` raises.
    """
    group = await find(cluster, group_id)
    committed = await committed_offsets(cluster, group_id, None) if group is not None else {}
    gone: list[TopicPartition] = []
    if isinstance(target, ToListed):
        partitions = await existing(cluster, [TopicScope(topic, (at,)) for topic, at in target.offsets])
    elif scopes is not None:
        partitions = await existing(cluster, scopes)
    else:
        counts = await cluster.partition_counts({partition.topic for partition in committed}) if committed else {}
        partitions = [at for at in sorted(committed) if at.partition < counts.get(at.topic, 0)]
        gone = sorted(committed.keys() - set(partitions))
    known = await _known(cluster, target, partitions, committed)
    return ResetPlan(group_id, group, tuple(plan(target, known)), tuple(gone))


async def write_plan(cluster: Cluster, reset: ResetPlan) -> None:
    """All of it or, when somebody has joined meanwhile, nothing. Raises `RequestRefused`."""
    if reset.refusal:
        raise RequestRefused(reset.refusal, ErrorCode.NON_EMPTY_GROUP)
    if not reset.moves:
        return
    outcome = await commit_from_outside(cluster, reset.group_id, {move.partition: move.target for move in reset.moves})
    for partition, error_code in sorted(outcome.items()):
        if error_code in (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.REBALANCE_IN_PROGRESS):
            raise RequestRefused(
                f"Somebody has joined group '{reset.group_id}', so its offsets cannot be set: "
                f"{how_to_empty(reset.group_id)}.",
                error_code,
            )
        if error_code is not ErrorCode.NONE:
            raise RequestRefused(
                f"The offset of group '{reset.group_id}' for {partition} cannot be set: {error_code.message} "
                f"({error_code.name}).",
                error_code,
            )


async def delete_offsets(cluster: Cluster, group_id: str, scopes: Sequence[TopicScope]) -> list[ForgottenOffset]:
    """What the group has committed for these; only for topics to which no member is subscribed (rule 2.17).

    Raises `RequestRefused` for an unknown group, and where a topic or partition has no offset that could be deleted.
    """
    await must_find(cluster, group_id)
    committed = sorted(await committed_offsets(cluster, group_id, None))
    wanted: list[TopicPartition] = []
    for topic, partitions in scopes:
        found = [at for at in committed if at.topic == topic and (partitions is None or at.partition in partitions)]
        if not found or (partitions is not None and len(found) < len(set(partitions))):
            missing = sorted(set(partitions or ()) - {at.partition for at in found})
            named = ", ".join(str(TopicPartition(topic, partition)) for partition in missing) or f"topic '{topic}'"
            raise RequestRefused(
                f"Group '{group_id}' has committed nothing for {named}; `tenure groups describe {group_id} --offsets` "
                "shows what it has.",
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            )
        wanted += found
    outcome = await forget_offsets(cluster, group_id, wanted)
    return [ForgottenOffset(at, _why_kept(group_id, at, outcome[at])) for at in sorted(outcome)]


async def existing(cluster: Cluster, scopes: Sequence[TopicScope]) -> list[TopicPartition]:
    """The partitions meant. Raises `UnknownTopic` for what is not there."""
    described = await cluster.describe_topics({scope.topic for scope in scopes})
    there = {topic.topic: {at.partition for at in topic.partitions} for topic in described}
    found: set[TopicPartition] = set()
    for topic, partitions in scopes:
        for partition in there[topic] if partitions is None else partitions:
            if partition not in there[topic]:
                raise UnknownTopic(
                    f"Topic '{topic}' has no partition {partition}: it has {len(there[topic])}, counted from 0.",
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                )
            found.add(TopicPartition(topic, partition))
    return sorted(found)


async def _known(
    cluster: Cluster,
    target: Target,
    partitions: Sequence[TopicPartition],
    committed: dict[TopicPartition, OffsetAndMetadata],
) -> dict[TopicPartition, Known]:
    if not partitions:
        return {}
    earliest = await list_offsets(cluster, dict.fromkeys(partitions, EARLIEST))
    latest = await list_offsets(cluster, dict.fromkeys(partitions, LATEST))
    as_young: dict[TopicPartition, int | None] = dict.fromkeys(partitions)
    if isinstance(target, ToTimestamp):
        listed = await list_offsets(cluster, dict.fromkeys(partitions, max(0, target.timestamp_ms)))
        as_young = {at: found.offset if found.offset >= 0 else None for at, found in listed.items()}
    return {at: Known(earliest[at].offset, latest[at].offset, committed.get(at), as_young[at]) for at in partitions}


def _why_kept(group_id: str, partition: TopicPartition, error_code: ErrorCode) -> str:
    if error_code is ErrorCode.NONE:
        return ""
    if error_code is ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC:
        return f"members of group '{group_id}' are subscribed to '{partition.topic}'; {how_to_empty(group_id)}"
    if error_code is ErrorCode.NON_EMPTY_GROUP:
        return f"group '{group_id}' has members; {how_to_empty(group_id)}"
    return f"{error_code.message} ({error_code.name})"
