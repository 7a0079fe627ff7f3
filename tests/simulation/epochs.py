"""`EpochsMonotonic`: the last epochs of groups and members, and the epochs that clients were told."""

from tenure.coordinator.groups.answers import HeartbeatAnswered
from tenure.coordinator.groups.shard import GroupsShard
from tenure.protocol.types import GroupId, MemberId
from tests.simulation.broken import Broken


class Epochs:
    def __init__(self) -> None:
        self._standing: dict[GroupId, tuple[int, int]] = {}
        """Present epochs of the group and of its target; for a classic group its generation and 0."""
        self._told: dict[GroupId, int] = {}
        """Highest epoch or generation that a client was told, which must be in the log."""
        self._told_members: dict[tuple[GroupId, MemberId], int] = {}

    def stand(self, group_id: GroupId, now: tuple[int, int]) -> None:
        before = self._standing.get(group_id, (0, 0))
        target_fell_back = now[1] < before[1] and now[1] > 0  # 0: a consumer group has become a classic one
        if now[0] < before[0] or target_fell_back:
            raise Broken("EpochsMonotonic", f"{group_id} fell back from {before} to {now}")
        self._standing[group_id] = now

    def told(self, group_id: GroupId, epoch: int) -> None:
        self._told[group_id] = max(self._told.get(group_id, 0), epoch)

    def told_member(self, group_id: GroupId, answer: HeartbeatAnswered) -> None:
        seat = group_id, answer.member_id
        if answer.member_epoch < self._told_members.get(seat, 0):
            raise Broken("EpochsMonotonic", f"{seat} was told {self._told_members[seat]}, and now {answer}")
        self._told_members[seat] = answer.member_epoch
        self.told(group_id, answer.member_epoch)

    def remove_group(self, group_id: GroupId) -> None:
        """Remove a removed group: if it is created again, its epochs start from the beginning."""
        self._standing.pop(group_id, None)
        self._told.pop(group_id, None)
        self._told_members = {seat: epoch for seat, epoch in self._told_members.items() if seat[0] != group_id}

    def loaded(self, shard: GroupsShard) -> None:
        """Check the epochs after a load. Epochs that no client was told may be lost."""
        self._standing.clear()
        for group_id, told in sorted(self._told.items()):
            if _epoch(shard, group_id) < told:
                raise Broken("EpochsMonotonic", f"{group_id} fell back to {_epoch(shard, group_id)}, {told} was told")
        for (group_id, member_id), told in self._told_members.items():
            group = shard.consumer_group(group_id)
            member = None if group is None else group.members.get(member_id)
            if member is not None and not member.is_away and member.member_epoch < told:
                raise Broken("EpochsMonotonic", f"{member} of {group_id} was told {told}")


def _epoch(shard: GroupsShard, group_id: GroupId) -> int:
    consumer, classic = shard.consumer_group(group_id), shard.classic_group(group_id)
    if consumer is not None:
        return consumer.group_epoch
    return 0 if classic is None else classic.generation_id
