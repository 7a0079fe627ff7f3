"""Last request of a classic member under an old identity, before the member rejoins under a new member id.

A dynamic member sends LeaveGroup. A static member sends a last Heartbeat with its old id, because the response shows
whether another application has taken over the instance id. The following join fences the old id.
"""

from typing import Final

from tenure.client.group.memberships import classic_requests
from tenure.client.group.memberships.error_reactions import HEARTBEAT, MemberReaction
from tenure.client.group.memberships.membership_outputs import Request, SendRequest
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.values import Identity
from tenure.protocol.errors import ErrorCode


class PendingLeave:
    """Last request of a member that gives up its member id and joins the group as a new member.

    After a commit with an unknown outcome, a member leaves the group with its old identity, and joins again with a new
    member id. This object stores the old identity until the coordinator has answered.
    """

    def __init__(self, settings: MembershipSettings) -> None:
        self.identity: Identity | None = None
        """Old identity under which the last request is sent; None if no such request is pending. While it is set, no
        join is sent."""
        self.in_flight: SendRequest | None = None
        self._settings: Final = settings

    @property
    def may_be_sent(self) -> bool:
        """True if an old identity is stored and no request with it is in flight."""
        return self.identity is not None and self.in_flight is None

    def set_identity(self, identity: Identity) -> None:
        """Store the old identity, unless one is stored already.

        Only the stored identity ever had an assignment: the member sends no join while an identity is stored.
        """
        if self.identity is None and identity.member_id:
            self.identity = identity

    def request(self) -> Request:
        """Return the request: Heartbeat for a static member, LeaveGroup for a dynamic one."""
        assert self.identity is not None
        if self.identity.group_instance_id is not None:
            return classic_requests.heartbeat(self._settings, self.identity)
        return classic_requests.leave_group(
            self._settings, self.identity.member_id, "the outcome of a commit is unknown"
        )

    def answered(self, error_code: ErrorCode) -> MemberReaction:
        """Handle the response to the request. Return the member's reaction: FENCED, REDISCOVER or IGNORE.

        IGNORE means that no further request is necessary. The old identity is then removed.
        """
        self.in_flight = None
        reaction = HEARTBEAT.get(error_code)
        if reaction in (MemberReaction.FENCED, MemberReaction.REDISCOVER):
            return reaction
        self.identity = None
        return MemberReaction.IGNORE
