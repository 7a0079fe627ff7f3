"""A static seat that a starting member finds taken (KIP-848; rule 3.4: UNRELEASED_INSTANCE_ID).

Its holder may be this member itself, if the answer to its join was lost; an application that died, and then the seat is
free only once its session has ended; or one that lives. Nobody can tell the latter two apart. So the member seizes the
seat, if it may: it says on the holder's behalf that it goes for now, and joins. A holder that lives is fenced by that,
as under the classic protocol.

It does so once, when it starts. Whoever has had the seat before never does: then somebody took it.
"""

from collections.abc import Container
from typing import Final, NamedTuple, TypeAlias

from tenure.client import group_errors
from tenure.client.consumer_requests import LEAVES_FOR_NOW
from tenure.client.membership_outputs import SEIZE, WAIT, MembershipSettings
from tenure.limits import MEMBERSHIP_RETRY_BACKOFF_MS
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import DescribedConsumerGroup
from tenure.protocol.types import MemberId


class Release(NamedTuple):
    """This member id has to leave before the member can join."""

    member_id: MemberId
    was_seated: bool = False
    """It is the member's own, and had the seat."""


class JoinAgain(NamedTuple):
    in_ms: int


class Refuse(NamedTuple):
    error_code: ErrorCode
    reason: str = ""


WhatNow: TypeAlias = Release | JoinAgain | Refuse


class Seizing:
    def __init__(self, settings: MembershipSettings) -> None:
        self._settings: Final = settings
        self._has_seized = False

    def what_now(
        self, group: DescribedConsumerGroup, own_ids: Container[MemberId], interval_ms: int, *, was_seated: bool
    ) -> WhatNow:
        """`group` is what its coordinator tells of it; `was_seated`: this member has had the seat before."""
        instance_id, error_code = self._settings.group_instance_id, ErrorCode(group.error_code)
        if error_code not in (ErrorCode.NONE, ErrorCode.GROUP_ID_NOT_FOUND):
            return Refuse(ErrorCode.UNRELEASED_INSTANCE_ID, group_errors.unknown_holder(instance_id, error_code))
        holder = next((member for member in group.members if member.instance_id == instance_id), None)
        if holder is None or holder.member_epoch == LEAVES_FOR_NOW:
            return JoinAgain(MEMBERSHIP_RETRY_BACKOFF_MS)
        if holder.member_id in own_ids:
            return Release(holder.member_id)
        if was_seated:
            return Refuse(ErrorCode.FENCED_INSTANCE_ID)
        if self._settings.on_unreleased == SEIZE and not self._has_seized:
            self._has_seized = True
            return Release(holder.member_id)
        if self._settings.on_unreleased == WAIT:
            return JoinAgain(interval_ms)
        return Refuse(ErrorCode.UNRELEASED_INSTANCE_ID, group_errors.unreleased(holder))
