"""Final request of a classic member under an identity that it gives up, before it rejoins under a new member id.

A dynamic member sends LeaveGroup. A static member sends a last Heartbeat with its old id, so that it notices if another
application has taken over its instance id. The join that follows fences the old id.
"""

from typing import Final

from tenure.client.group.memberships import classic_requests
from tenure.client.group.memberships.error_reactions import HEARTBEAT, MemberReaction
from tenure.client.group.memberships.membership_outputs import Request, SendRequest
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.values import Identity
from tenure.protocol.errors import ErrorCode


class PendingLeave:
    """State of that final request."""

    def __init__(self, settings: MembershipSettings) -> None:
        self.identity: Identity | None = None
        """Not None from `rejoin_as_new_member` until the coordinator has answered. No join is sent meanwhile."""
        self.asked: SendRequest | None = None
        self._settings: Final = settings

    @property
    def may_be_sent(self) -> bool:
        """True if the request has to be sent."""
        return self.identity is not None and self.asked is None

    def to(self, identity: Identity) -> None:
        """Store the first identity that is given up; later ones never received an assignment."""
        if self.identity is None and identity.member_id:
            self.identity = identity

    def request(self) -> Request:
        """Build the request: Heartbeat of a static member, LeaveGroup of a dynamic one."""
        assert self.identity is not None
        if self.identity.group_instance_id is not None:
            return classic_requests.heartbeat(self._settings, self.identity)
        return classic_requests.leave_group(
            self._settings, self.identity.member_id, "the outcome of a commit is unknown"
        )

    def answered(self, error_code: ErrorCode) -> MemberReaction:
        """Return the reaction to the response: FENCED, REDISCOVER, or IGNORE when the request is done."""
        self.asked = None
        reaction = HEARTBEAT.get(error_code)
        if reaction in (MemberReaction.FENCED, MemberReaction.REDISCOVER):
            return reaction
        self.identity = None
        return MemberReaction.IGNORE
