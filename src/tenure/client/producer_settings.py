"""What a producer can be told, under Kafka's own keys, and which of them exclude each other.

An idempotent producer, the default, needs `acks` all and `retries`: who lowers one of them without asking for
idempotence has none, who asks for both is told (as Java's `ProducerConfig` does).
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from tenure.client.configuration import (
    CLUSTER_KEYS,
    Configuration,
    ConfigurationError,
    Key,
    boolean,
    keys_of,
    text,
    whole,
)
from tenure.client.security import SECURITY_KEYS
from tenure.limits import PRODUCER_BATCH_BYTES, PRODUCER_BUFFER_BYTES
from tenure.protocol.compression import Codec

ACKS_ALL: Final = -1
ACKS_NONE: Final = 0
_ACKS: Final = {"all": ACKS_ALL, "-1": ACKS_ALL, "1": 1, "0": ACKS_NONE}
_CODECS: Final = {codec.name.lower(): codec for codec in Codec}


def _acks(value: Any) -> int:
    if str(value) not in _ACKS or isinstance(value, bool):
        raise ValueError("all, 1 or 0")
    return _ACKS[str(value)]


def _codec(value: Any) -> Codec:
    if value not in _CODECS:
        raise ValueError(f"one of {', '.join(_CODECS)}")
    return _CODECS[value]


PRODUCER_KEYS: Final = (
    *CLUSTER_KEYS,
    *SECURITY_KEYS,
    Key("acks", _acks, ACKS_ALL, "who must have a batch before it counts as written: all replicas, the leader, nobody"),
    Key("enable.idempotence", boolean, True, "each record once and in order, whatever is sent again (KIP-98)"),
    Key("compression.type", _codec, Codec.NONE, "of whole batches"),
    Key("linger.ms", whole(0), 5, "how long a batch that is not full waits for more"),
    Key("batch.size", whole(1), PRODUCER_BATCH_BYTES, "bytes of a full one, before compression"),
    Key("buffer.memory", whole(1, 2**63 - 1), PRODUCER_BUFFER_BYTES, "bytes that may wait to be written"),
    Key("max.block.ms", whole(0), 60_000, "how long `send` waits for room there, or to learn of a topic"),
    Key("max.request.size", whole(1), 1_048_576, "bytes of the largest record and of the largest batch"),
    Key("delivery.timeout.ms", whole(1), 120_000, "how long after its first record a batch is given up"),
    Key("retries", whole(0), 2**31 - 1, "how often a batch is sent again within that time"),
    Key("metadata.max.age.ms", whole(1), 300_000, "how long it may be overlooked that a topic has grown"),
    Key("transactional.id", text, None, "who its transactions belong to: one producer at a time (KIP-98)"),
    Key("transaction.timeout.ms", whole(1), 60_000, "how long one may last before the broker aborts it"),
)


class ProducerSettings(NamedTuple):
    """The keys that are looked at while it runs; the others are in `configuration`."""

    configuration: Configuration
    acks: int
    is_idempotent: bool
    codec: Codec
    linger_s: float
    batch_bytes: int
    buffer_bytes: int
    max_block_s: float
    max_request_bytes: int
    delivery_timeout_s: float
    retries: int


def producer_settings(config: str | Mapping[str, Any], *, is_within: bool = False) -> ProducerSettings:
    """`is_within`: for somebody else's transaction. Raises `ConfigurationError`."""
    values = Configuration(PRODUCER_KEYS, keys_of(config))
    values.required("bootstrap.servers", "to find the cluster")
    if is_within and values["transactional.id"] is not None:
        raise ConfigurationError(
            "What is written within somebody else's transaction belongs to that one's 'transactional.id': leave out "
            "your own, or `within`."
        )
    if (is_within or values["transactional.id"] is not None) and not _is_idempotent(values):
        raise ConfigurationError(
            "Transactions need 'enable.idempotence', and with it 'acks' all and 'retries' above 0: leave all three out."
        )
    return ProducerSettings(
        configuration=values,
        acks=values["acks"],
        is_idempotent=_is_idempotent(values),
        codec=values["compression.type"],
        linger_s=values["linger.ms"] / 1000,
        batch_bytes=min(values["batch.size"], values["max.request.size"]),
        buffer_bytes=values["buffer.memory"],
        max_block_s=values["max.block.ms"] / 1000,
        max_request_bytes=values["max.request.size"],
        delivery_timeout_s=_delivery_timeout_ms(values) / 1000,
        retries=values["retries"],
    )


def _is_idempotent(values: Configuration) -> bool:
    if not values["enable.idempotence"]:
        return False
    lowered = "acks" if values["acks"] != ACKS_ALL else "retries" if not values["retries"] else None
    if lowered is None:
        return True
    if values.is_given("enable.idempotence"):
        raise ConfigurationError(
            f"'enable.idempotence' needs 'acks' all and 'retries' above 0: leave '{lowered}' out, or set it to false."
        )
    return False


def _delivery_timeout_ms(values: Configuration) -> int:
    needed: int = values["linger.ms"] + values["request.timeout.ms"]
    given: int = values["delivery.timeout.ms"]
    if given < needed and values.is_given("delivery.timeout.ms"):
        raise ConfigurationError(
            f"'delivery.timeout.ms' must be at least 'linger.ms' and 'request.timeout.ms' together, which is {needed}: "
            "raise it, or lower them."
        )
    return max(given, needed)
