"""Short requests, which are processed as soon as they are read because they keep a session or transaction alive."""

from typing import Final

from tenure.limits.broker import SHORT_REQUEST_BYTES_MAX
from tenure.protocol.apis import ApiKey
from tenure.protocol.message import Data

SHORT: Final[frozenset[Data]] = frozenset(
    key.to_bytes(2, "big")
    for key in (
        ApiKey.HEARTBEAT,
        ApiKey.CONSUMER_GROUP_HEARTBEAT,
        ApiKey.JOIN_GROUP,
        ApiKey.SYNC_GROUP,
        ApiKey.LEAVE_GROUP,
        ApiKey.OFFSET_COMMIT,
        ApiKey.API_VERSIONS,
        ApiKey.INIT_PRODUCER_ID,
        ApiKey.ADD_OFFSETS_TO_TXN,
        ApiKey.TXN_OFFSET_COMMIT,
        ApiKey.END_TXN,
    )
)


def is_short(frame: Data) -> bool:
    """Return whether a request is certainly short: processing it takes a few hundred microseconds at most."""
    return len(frame) <= SHORT_REQUEST_BYTES_MAX and frame[:2] in SHORT
