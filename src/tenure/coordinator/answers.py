"""Answers that every shard can give."""

from typing import Final

from tenure.coordinator.shard import AskId, CoordinatorResult
from tenure.coordinator.values import value
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import MemberId

NO_MEMBER_ID: Final = MemberId("")


@value
class Refused:
    """Refusal of a whole command. `member_id` is only for JoinGroup, whose response repeats it.

    `message` is for responses with an error message.
    """

    error_code: ErrorCode
    member_id: MemberId = NO_MEMBER_ID
    message: str = ""


@value
class Accepted:
    """Positive answer without further content."""

    error_code: ErrorCode = ErrorCode.NONE


ACCEPTED: Final = Accepted()


def refuse(ask: AskId, error_code: ErrorCode, member_id: MemberId = NO_MEMBER_ID) -> CoordinatorResult:
    """Return a result that changes nothing and answers with an error."""
    return CoordinatorResult((), ((ask, Refused(error_code, member_id)),))
