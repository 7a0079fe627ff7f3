"""Log lines about groups: generations, takeovers of instance ids, removed groups.

The rules of coordinators write no log lines. But each new generation of a group is a record, and `LoggingGroupsCodec`
encodes every record before it is written. So this codec logs the group, generation and members. Only the journal knows
the causes and the duration of rebalances; it calls `log_entry`.
"""

import logging
from typing import Final

from tenure.coordinator.groups.journal.entries import Entry, RebalanceBegan, RebalanceEnded, SeatTakenOver
from tenure.limits.broker import GROUPS_REMEMBERED_MAX, MEMBERS_NAMED_MAX
from tenure.plural import format_count
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupMetadataKey,
    GroupMetadataKey,
    GroupMetadataValue,
    StreamsGroupMetadataKey,
    StreamsGroupMetadataValue,
)
from tenure.protocol.special_values import CLASSIC
from tenure.runtime.codecs import GroupsCodec

log = logging.getLogger("tenure.groups")

Seats = dict[str, str]
"""Member id by instance id; for a dynamic member, by its member id."""


class LoggingGroupsCodec(GroupsCodec):
    def __init__(self) -> None:
        self._logged: Final[dict[str, tuple[int, Seats]]] = {}
        """Generation and seats of each group in its last log line."""

    def group_encoded(self, key: object, value: object) -> None:
        if isinstance(key, GroupMetadataKey):
            self._log_group(key.group, value)
        elif isinstance(key, ConsumerGroupMetadataKey) and value is None:
            log.info("group %s: removed (consumer group)", key.group_id)
        elif isinstance(key, StreamsGroupMetadataKey):
            _log_streams_epoch(key.group_id, value)

    def _log_group(self, group_id: str, value: object) -> None:
        before = self._logged.pop(group_id, None)
        if not isinstance(value, GroupMetadataValue):
            log.info("group %s: removed (classic group)", group_id)
            return
        seats: Seats = {member.group_instance_id or member.member_id: member.member_id for member in value.members}
        if len(self._logged) >= GROUPS_REMEMBERED_MAX:
            self._logged.clear()
        self._logged[group_id] = value.generation, seats
        if not seats:
            if value.generation:
                log.info("group %s: empty since generation %d", group_id, value.generation)
        elif before is not None and before[0] == value.generation:
            _log_new_member_ids(group_id, value.generation, before[1], seats)
            _log_reserve_changes(group_id, value.generation, before[1], seats)
        else:
            member_count = format_count(len(seats), "member")
            members = _named(list(seats))
            log.info("group %s: generation %d with %s: %s", group_id, value.generation, member_count, members)


def _log_streams_epoch(group_id: str, value: object) -> None:
    """Log a new epoch of a streams group and whether its topics exist, or the removal of the group."""
    if isinstance(value, StreamsGroupMetadataValue):
        topology = value.validated_topology_epoch
        topics = (
            f"all topics of topology epoch {topology} exist" if topology >= 0 else "topics of the topology are missing"
        )
        log.info("group %s: epoch %d (streams group), %s", group_id, value.epoch, topics)
    else:
        log.info("group %s: removed (streams group)", group_id)


def log_entry(entry: Entry) -> None:
    """Log a journal entry. For a classic group, log only causes of rebalances: `LoggingGroupsCodec` logs the rest."""
    is_classic = getattr(entry, "group_type", CLASSIC) == CLASSIC
    if isinstance(entry, RebalanceBegan):
        counter = "generation" if is_classic else "epoch"
        log.info("group %s: %s %d ends: %s", entry.group_id, counter, entry.generation_before, entry.cause)
    elif not is_classic and isinstance(entry, SeatTakenOver):
        log.info("group %s: a static member keeps its assignment: %s", entry.group_id, entry.cause)
    elif not is_classic and isinstance(entry, RebalanceEnded):
        details = _members_and_duration(entry)
        log.info(
            "group %s: rebalance to epoch %d has ended (%s), %s",
            entry.group_id,
            entry.generation,
            entry.outcome,
            details,
        )


def _members_and_duration(entry: RebalanceEnded) -> str:
    took = f"after {(entry.at_ms - entry.began_ms) / 1000:.3f} s"
    moved = "" if entry.partitions is None else f", {format_count(entry.partitions.moved, 'partition')} moved"
    return f"{format_count(entry.members, 'member')}{moved}, {took}"


def _log_new_member_ids(group_id: str, generation_id: int, before: Seats, seats: Seats) -> None:
    for instance_id, member_id in seats.items():
        if before.get(instance_id, member_id) != member_id:
            log.info(
                "group %s: generation %d unchanged, instance %s has the new member id %s",
                group_id,
                generation_id,
                instance_id,
                member_id,
            )


def _log_reserve_changes(group_id: str, generation_id: int, before: Seats, seats: Seats) -> None:
    """Log the reserve members that joined or left since the last record of the same generation.

    `before` are the seats in the last record, and `seats` those in the new record. All differences are reserve members,
    because other members join or leave only with a new generation.
    """
    came, gone = seats.keys() - before.keys(), before.keys() - seats.keys()
    for names, change in ((came, "joined"), (gone, "left")):
        if names:
            members = _named(list(names))
            log.info(
                "group %s: generation %d unchanged, reserve members %s: %s", group_id, generation_id, change, members
            )


def _named(names: list[str]) -> str:
    more = len(names) - MEMBERS_NAMED_MAX
    return ", ".join(sorted(names)[:MEMBERS_NAMED_MAX]) + (f" and {more} more" if more > 0 else "")
