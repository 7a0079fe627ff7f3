"""Members that have left, so that the journal can report a returning member together with its departure."""

from typing import Any, Final, TypeAlias

from tenure.coordinator.groups.journal.entries import ChangedMember, FormerMember
from tenure.limits.coordinator import JOURNAL_DEPARTED_MAX, JOURNAL_GROUPS_REMEMBERED_MAX
from tenure.protocol.types import GroupId, InstanceId

MemberKey: TypeAlias = str | tuple[str, str]
"""Key by which a returning member is recognised: its instance id, or (client id, host) of a dynamic member."""


class Departures:
    """Members that left recently, by group.

    The number of groups, and the number of members in each group, are limited. The oldest entries are removed.
    """

    __slots__ = ("_by_group",)

    def __init__(self) -> None:
        self._by_group: Final[dict[GroupId, dict[MemberKey, ChangedMember]]] = {}

    def add(self, group_id: GroupId, changed_member: ChangedMember) -> None:
        departed = self._by_group.pop(group_id, {})
        self._by_group[group_id] = departed
        key = _member_key(changed_member.group_instance_id, changed_member.client_id, changed_member.client_host)
        departed.pop(key, None)
        departed[key] = changed_member
        _drop_oldest(departed, JOURNAL_DEPARTED_MAX)
        _drop_oldest(self._by_group, JOURNAL_GROUPS_REMEMBERED_MAX)

    def take_former(
        self, group_id: GroupId, instance_id: InstanceId | None, client_id: str, client_host: str, wall_ms: int
    ) -> FormerMember | None:
        """Return and remove the former member that a new member replaces; None if there is none.

        A static member replaces the former member with the same instance id. A dynamic member replaces a former dynamic
        member with the same client id and host.
        """
        found = self._by_group.get(group_id, {}).pop(_member_key(instance_id, client_id, client_host), None)
        if found is None:
            return None
        return FormerMember(found.member_id, found.trigger, max(wall_ms - found.at_ms, 0))

    def remove_group(self, group_id: GroupId) -> None:
        self._by_group.pop(group_id, None)


def _member_key(instance_id: InstanceId | None, client_id: str, client_host: str) -> MemberKey:
    return (client_id, client_host) if instance_id is None else instance_id


def _drop_oldest(remembered: dict[Any, Any], most: int) -> None:
    if len(remembered) > most:
        del remembered[next(iter(remembered))]
