"""Check of EpochsMonotonic: present epochs of groups and members, and the epochs that clients have received."""

from tenure.coordinator.groups.answers import HeartbeatAnswered
from tenure.coordinator.groups.shard import GroupsShard
from tenure.protocol.types import GroupId, MemberId
from tests.simulation.broken import Broken


class Epochs:
    def __init__(self) -> None:
        self._present: dict[GroupId, tuple[int, int]] = {}
        """Present epochs of the group and of its target; for a classic group its generation and 0."""
        self._told: dict[GroupId, int] = {}
        """Highest epoch or generation that a client has received. It must be in the log."""
        self._told_members: dict[tuple[GroupId, MemberId], int] = {}

    def check_present(self, group_id: GroupId, now: tuple[int, int]) -> None:
        before = self._present.get(group_id, (0, 0))
        target_fell_back = now[1] < before[1] and now[1] > 0  # 0: a consumer group has become a classic one
        if now[0] < before[0] or target_fell_back:
            raise Broken("EpochsMonotonic", f"{group_id} fell back from {before} to {now}")
        self._present[group_id] = now

    def group_received(self, group_id: GroupId, epoch: int) -> None:
        self._told[group_id] = max(self._told.get(group_id, 0), epoch)

    def member_received(self, group_id: GroupId, answer: HeartbeatAnswered) -> None:
        seat = group_id, answer.member_id
        if answer.member_epoch < self._told_members.get(seat, 0):
            raise Broken("EpochsMonotonic", f"{seat} was told {self._told_members[seat]}, and now {answer}")
        self._told_members[seat] = answer.member_epoch
        self.group_received(group_id, answer.member_epoch)

    def remove_group(self, group_id: GroupId) -> None:
        """Forget a removed group. If it is created again, its epochs start from the beginning."""
        self._present.pop(group_id, None)
        self._told.pop(group_id, None)
        self._told_members = {seat: epoch for seat, epoch in self._told_members.items() if seat[0] != group_id}

    def loaded(self, shard: GroupsShard) -> None:
        """Check the epochs after a load. Epochs that no client has received may be lost."""
        self._present.clear()
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
