"""Answers that every shard may give."""

from typing import Final

from tenure.coordinator.shard import AskId, Step
from tenure.coordinator.values import value
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import MemberId

NO_MEMBER_ID: Final = MemberId("")


@value
class Refused:
    """Refusal of a whole request. `member_id` is echoed by a JoinGroup response, "" elsewhere.

    `message` is for APIs that have a place for one.
    """

    error_code: ErrorCode
    member_id: MemberId = NO_MEMBER_ID
    message: str = ""


@value
class Accepted:
    """Positive answer without content."""

    error_code: ErrorCode = ErrorCode.NONE


ACCEPTED: Final = Accepted()


def refuse(ask: AskId, error_code: ErrorCode, member_id: MemberId = NO_MEMBER_ID) -> Step:
    """Return a step that changes nothing and answers with an error."""
    return Step((), ((ask, Refused(error_code, member_id)),))
