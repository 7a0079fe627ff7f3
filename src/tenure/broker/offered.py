"""The APIs that clients are told of, and answered."""

from typing import Final

from tenure.protocol.apis import APIS, ApiKey

NOT_YET: Final = frozenset({ApiKey.CONSUMER_GROUP_HEARTBEAT, ApiKey.CONSUMER_GROUP_DESCRIBE})
"""Consumer groups are being built: what is there so far is reached by tests only (KIP-848)."""

OFFERED: Final = APIS.keys() - NOT_YET
