"""Settings of the broker that clients change at run time, as configs of one broker or of all brokers (KIP-226).

Values are stored as in Kafka: under the id of this broker, or under an empty name for all brokers. A value for this
broker overrides a value for all brokers. Both override the value with which the broker was started.
"""

from collections.abc import Mapping
from typing import Final

from tenure.broker.config import keys
from tenure.broker.config.kafka_keys import KafkaKey, kafka_keys
from tenure.broker.config.keys import KEYS, Settings
from tenure.config_keys import ConfigSchema, InvalidValue, parse_value

APPLIED: Final = frozenset(
    key.name
    for key in (
        keys.MESSAGE_MAX_BYTES,
        keys.LOG_SEGMENT_BYTES,
        keys.LOG_ROLL_MS,
        keys.LOG_RETENTION_MS,
        keys.LOG_RETENTION_BYTES,
        keys.LOG_INDEX_INTERVAL_BYTES,
        keys.LOG_MESSAGE_TIMESTAMP_TYPE,
        keys.LOG_MESSAGE_TIMESTAMP_BEFORE_MAX_MS,
        keys.LOG_MESSAGE_TIMESTAMP_AFTER_MAX_MS,
        keys.COMPRESSION_TYPE,
        keys.LOG_CLEANER_MIN_CLEANABLE_RATIO,
        keys.LOG_CLEANER_DELETE_RETENTION_MS,
        keys.LOG_CLEANER_MIN_COMPACTION_LAG_MS,
        keys.LOG_CLEANER_MAX_COMPACTION_LAG_MS,
        keys.PRODUCER_ID_EXPIRATION_MS,
        keys.TRANSACTION_PARTITION_VERIFICATION_ENABLE,
        keys.MAX_CONNECTIONS,
        keys.MAX_CONNECTIONS_PER_IP,
        keys.MAX_CONNECTIONS_PER_IP_OVERRIDES,
        keys.MAX_CONNECTION_CREATION_RATE,
    )
)
"""Keys of Tenure that clients may change at run time. The changes take effect at once."""
DYNAMIC: Final = "dynamic"


class BrokerSchema(ConfigSchema):
    """Schema of broker configs that clients may set at run time.

    Keys that only Kafka uses are stored without effect, if Kafka can change them at run time.
    """

    def __init__(self) -> None:
        super().__init__("setting", KEYS)

    def why_refused(self, configs: Mapping[str, str | None]) -> str | None:
        """Return the first error in a broker's configs, checked together; None if they are valid."""
        known = {key.name: key for key in kafka_keys()}
        errors = (_error(known.get(name), name, value) for name, value in configs.items())
        return next((error for error in errors if error), None)

    def is_invalid_request(self, _configs: Mapping[str, str]) -> bool:
        return True


def _error(known: KafkaKey | None, name: str, value: str | None) -> str | None:
    key = KEYS.get(name)
    if key is None:
        is_static = known is not None and known.update != DYNAMIC
        return f"{name} changes with a restart only: set it in the broker's configuration" if is_static else None
    if name not in APPLIED:
        return f"{name} changes with a restart only: set it in the broker's configuration"
    try:
        parse_value(key, value)
    except InvalidValue as error:
        return str(error)
    return None


def apply_dynamic(settings: Settings, of_all: Mapping[str, str], of_this: Mapping[str, str]) -> None:
    """Override the settings of the start with the configs of all brokers, then with those of this broker."""
    stored = {**of_all, **of_this}
    settings.override({name: KEYS[name].parse(value) for name, value in stored.items() if _is_applicable(name, value)})


def _is_applicable(name: str, value: str) -> bool:
    return name in APPLIED and KEYS[name].is_valid(value)
