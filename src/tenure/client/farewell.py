"""What a classic member says under an identity that it gives up, before it takes its seat anew under another one.

A dynamic member leaves. A static one heartbeats once more under its old id: it must not seize back what somebody else
has taken. What fences the old id is the join that follows.
"""

from typing import Final

from tenure.client import membership_requests
from tenure.client.membership_errors import HEARTBEAT, Reaction
from tenure.client.membership_outputs import Ask, MembershipSettings, Request
from tenure.client.values import Identity
from tenure.protocol.errors import ErrorCode


class Farewell:
    def __init__(self, settings: MembershipSettings) -> None:
        self.identity: Identity | None = None
        """Invariant: not None from `rejoin_anew` until the coordinator has answered; no join meanwhile."""
        self.asked: Ask | None = None
        self._settings: Final = settings

    @property
    def may_be_said(self) -> bool:
        return self.identity is not None and self.asked is None

    def to(self, identity: Identity) -> None:
        """To the first one that is given up: those after it never had a seat."""
        if self.identity is None and identity.member_id:
            self.identity = identity

    def request(self) -> Request:
        assert self.identity is not None
        if self.identity.group_instance_id is not None:
            return membership_requests.heartbeat(self._settings, self.identity)
        return membership_requests.leave_group(self._settings, self.identity.member_id, "an outcome is unknown")

    def answered(self, error_code: ErrorCode) -> Reaction:
        """FENCED and REDISCOVER are to be acted upon; with anything else it is said."""
        self.asked = None
        reaction = HEARTBEAT.get(error_code)
        if reaction in (Reaction.FENCED, Reaction.REDISCOVER):
            return reaction
        self.identity = None
        return Reaction.IGNORE
