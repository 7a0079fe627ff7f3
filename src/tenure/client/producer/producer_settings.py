"""Settings of a producer, with Kafka's keys, and checks of their combinations.

An idempotent producer, the default, needs `acks=all` and `retries` above 0. Other values disable idempotence. If the
caller has set `enable.idempotence`, they are an error instead (as in Java's `ProducerConfig`).
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from tenure.client.configuration import CLUSTER_KEYS, Configuration, ConfigurationError, keys_of
from tenure.client.net.security import SECURITY_KEYS
from tenure.config_keys import ConfigKey, boolean, mapped, text, whole
from tenure.limits.client import PRODUCER_BATCH_BYTES, PRODUCER_BUFFER_BYTES
from tenure.protocol.compression import Codec

ACKS_ALL: Final = -1
ACKS_NONE: Final = 0
_ACKS: Final = {"all": ACKS_ALL, "-1": ACKS_ALL, "1": 1, "0": ACKS_NONE}
_CODECS: Final = {codec.name.lower(): codec for codec in Codec}


def _acks(value: Any) -> int:
    if str(value) not in _ACKS or isinstance(value, bool):
        raise ValueError("all, 1 or 0")
    return _ACKS[str(value)]


PRODUCER_KEYS: Final[tuple[ConfigKey[Any], ...]] = (
    *CLUSTER_KEYS,
    *SECURITY_KEYS,
    ConfigKey("acks", _acks, ACKS_ALL, "replicas that acknowledge a batch: all, 1 (the leader) or 0 (none)"),
    ConfigKey("enable.idempotence", boolean, True, "write each record once and in order in spite of retries (KIP-98)"),
    ConfigKey("compression.type", mapped(_CODECS), Codec.NONE, "compression of batches"),
    ConfigKey("linger.ms", whole(0), 5, "time that an incomplete batch waits for more records"),
    ConfigKey("batch.size", whole(1), PRODUCER_BATCH_BYTES, "maximum bytes of a batch before compression"),
    ConfigKey("buffer.memory", whole(1, 2**63 - 1), PRODUCER_BUFFER_BYTES, "maximum bytes of unwritten records"),
    ConfigKey("max.block.ms", whole(0), 60_000, "maximum time that `send` waits for buffer memory or metadata"),
    ConfigKey("max.request.size", whole(1), 1_048_576, "maximum bytes of a record and of a batch"),
    ConfigKey(
        "delivery.timeout.ms", whole(1), 120_000, "maximum time from a batch's first record until the batch is written"
    ),
    ConfigKey("retries", whole(0), 2**31 - 1, "maximum retries of a batch within `delivery.timeout.ms`"),
    ConfigKey("metadata.max.age.ms", whole(1), 300_000, "interval of the lookup of new partitions"),
    ConfigKey("transactional.id", text, None, "id of a transactional producer; one producer at a time (KIP-98)"),
    ConfigKey("transaction.timeout.ms", whole(1), 60_000, "time after which the broker aborts a transaction"),
)


class ProducerSettings(NamedTuple):
    """Settings that the producer uses while it runs. `configuration` has all other keys."""

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
    """Parse a producer's configuration. Raises `ConfigurationError`.

    Args:
        config: Broker address, or settings with Kafka's keys.
        is_within: Whether the producer writes in a lent transaction, which a `TransactionLender` began.
    """
    values = Configuration(PRODUCER_KEYS, keys_of(config))
    values.required("bootstrap.servers", "to find the cluster")
    if is_within and values["transactional.id"] is not None:
        raise ConfigurationError(
            "Conflicting settings: 'transactional.id' and `within` exclude each other, because a lent transaction has "
            "the lender's 'transactional.id'. Remove one of them."
        )
    if (is_within or values["transactional.id"] is not None) and not _is_idempotent(values):
        raise ConfigurationError(
            "Invalid settings: transactions need 'enable.idempotence' true, 'acks' all and 'retries' above 0. Remove "
            "all three to use these defaults."
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
            f"Invalid setting '{lowered}': 'enable.idempotence' needs 'acks' all and 'retries' above 0. Remove "
            f"'{lowered}', or set 'enable.idempotence' to false."
        )
    return False


def _delivery_timeout_ms(values: Configuration) -> int:
    needed: int = values["linger.ms"] + values["request.timeout.ms"]
    timeout_ms: int = values["delivery.timeout.ms"]
    if timeout_ms < needed and values.is_given("delivery.timeout.ms"):
        raise ConfigurationError(
            "Invalid setting 'delivery.timeout.ms': must be at least 'linger.ms' plus 'request.timeout.ms' "
            f"({needed}), not {timeout_ms}."
        )
    return max(timeout_ms, needed)
