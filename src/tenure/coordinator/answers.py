"""What every shard may answer."""

from dataclasses import dataclass
from typing import Final

from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import MemberId


@dataclass(slots=True)
class Refused:
    """The whole ask is refused; `member_id` is what a JoinGroup response echoes, "" elsewhere."""

    error_code: ErrorCode
    member_id: MemberId = MemberId("")


@dataclass(slots=True)
class Accepted:
    """Nothing to say but yes."""

    error_code: ErrorCode = ErrorCode.NONE


ACCEPTED: Final = Accepted()
