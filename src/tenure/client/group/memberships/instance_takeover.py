"""Takeover of a group.instance.id that is in use (KIP-848; rule 3.4: UNRELEASED_INSTANCE_ID).

The id has one of three owners:

- this member itself, if the response to its join was lost;
- a crashed application, whose session has not timed out yet;
- a live application.

The last two cannot be distinguished. If `on_unreleased` permits it, the member takes over the id: it sends a leave
heartbeat (epoch -2) for the owner, and joins. This fences a live owner, as a join does under the classic protocol.

A member takes over an id at most once, and only before its first join. If the id has another owner after this join, an
application has taken over the id from this member, and the member ends as fenced.
"""

from collections.abc import Container
from typing import Final, NamedTuple, TypeAlias

from tenure.client.group import error_messages
from tenure.client.group.memberships.membership_settings import SEIZE, WAIT, MembershipSettings
from tenure.limits.client import MEMBERSHIP_RETRY_BACKOFF_MS
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import DescribedConsumerGroup, DescribedStreamsGroup
from tenure.protocol.special_values import LEAVES_FOR_NOW
from tenure.protocol.types import MemberId


class Release(NamedTuple):
    """Decision to send a leave heartbeat for a member id before the member joins."""

    member_id: MemberId
    has_joined: bool = False
    """True if this is the member's own id, under which it has joined before."""


class JoinAgain(NamedTuple):
    """Decision to join again after `in_ms` milliseconds."""

    in_ms: int


class Refuse(NamedTuple):
    """Decision to end the membership with an error."""

    error_code: ErrorCode
    reason: str = ""


Decision: TypeAlias = Release | JoinAgain | Refuse


class InstanceTakeover:
    """Choice of the next action of a member whose instance id is in use."""

    def __init__(self, settings: MembershipSettings) -> None:
        self._settings: Final = settings
        self._has_seized = False

    def decide(
        self,
        group: DescribedConsumerGroup | DescribedStreamsGroup,
        own_ids: Container[MemberId],
        interval_ms: int,
        *,
        has_joined: bool,
    ) -> Decision:
        """Return the next action, based on the coordinator's description of the group.

        Args:
            group: Description of the group.
            own_ids: All member ids that this member has used so far.
            interval_ms: Heartbeat interval.
            has_joined: Whether this member has joined the group before.
        """
        instance_id, error_code = self._settings.group_instance_id, ErrorCode(group.error_code)
        if error_code not in (ErrorCode.NONE, ErrorCode.GROUP_ID_NOT_FOUND):
            return Refuse(ErrorCode.UNRELEASED_INSTANCE_ID, error_messages.unknown_holder(instance_id, error_code))
        holder = next((member for member in group.members if member.instance_id == instance_id), None)
        if holder is None or holder.member_epoch == LEAVES_FOR_NOW:
            return JoinAgain(MEMBERSHIP_RETRY_BACKOFF_MS)
        if holder.member_id in own_ids:
            return Release(holder.member_id)
        if has_joined:
            return Refuse(ErrorCode.FENCED_INSTANCE_ID)
        if self._settings.on_unreleased == SEIZE and not self._has_seized:
            self._has_seized = True
            return Release(holder.member_id)
        if self._settings.on_unreleased == WAIT:
            return JoinAgain(interval_ms)
        return Refuse(ErrorCode.UNRELEASED_INSTANCE_ID, error_messages.unreleased(holder))
