"""Settings of the broker that clients change at run time, for one broker or for all brokers (KIP-226, rule 1.9).

Values are stored as in Kafka: under the id of this broker, or under an empty name for all brokers. A value for this
broker overrides a value for all brokers. Both override the value with which the broker was started.
"""

from collections.abc import Mapping
from typing import Any, Final

from tenure.broker.config import keys
from tenure.broker.config.group_bounds import group_bounds
from tenure.broker.config.kafka_keys import kafka_keys_by_name, kind_in_kafka
from tenure.broker.config.keys import KEYS
from tenure.broker.config.listener_keys import LISTENER_PREFIX, key_of, listener_key
from tenure.broker.config.security_keys import security_asked_for
from tenure.broker.config.settings import Settings
from tenure.broker.config.start_error import StartError
from tenure.config_keys import ConfigKey, ConfigKind, ConfigSchema, InvalidValue, parse_value
from tenure.coordinator.metadata.configs import ALL_BROKERS

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
        keys.LOG_CLEANUP_POLICY,
        keys.LOG_CLEANER_MIN_CLEANABLE_RATIO,
        keys.LOG_CLEANER_DELETE_RETENTION_MS,
        keys.LOG_CLEANER_MIN_COMPACTION_LAG_MS,
        keys.LOG_CLEANER_MAX_COMPACTION_LAG_MS,
        keys.LOG_CLEANER_BACKOFF_MS,
        keys.LOG_CLEANER_DEDUPE_BUFFER_SIZE,
        keys.GROUP_CONSUMER_ASSIGNMENT_INTERVAL_MS,
        keys.GROUP_STREAMS_ASSIGNMENT_INTERVAL_MS,
        keys.PRODUCER_ID_EXPIRATION_MS,
        keys.TRANSACTION_PARTITION_VERIFICATION_ENABLE,
        keys.MAX_CONNECTIONS,
        keys.MAX_CONNECTIONS_PER_IP,
        keys.MAX_CONNECTIONS_PER_IP_OVERRIDES,
        keys.MAX_CONNECTION_CREATION_RATE,
    )
)
"""Keys of Tenure that clients may change at run time. The changes take effect at once."""
CERTIFICATE_KEYS: Final = tuple(
    key for name, key in KEYS.items() if name.startswith(("ssl.keystore.", "ssl.key.", "ssl.truststore."))
)
"""Keys of certificates, which clients may change for one listener of one broker: `listener.name.NAME.KEY`."""
APPLIED_TO_LISTENERS: Final = frozenset(
    key.name for key in (*CERTIFICATE_KEYS, keys.MAX_CONNECTIONS, keys.MAX_CONNECTION_CREATION_RATE)
)
"""Keys that clients may change for a single listener at run time."""
DYNAMIC: Final = "dynamic"
CORDONED_LOG_DIRS: Final = "cordoned.log.dirs"
"""Key without effect in Tenure. As in Kafka, it can be set for one broker, but not for all brokers together."""


class BrokerSchema(ConfigSchema):
    """Schema of broker configs that clients may set at run time.

    Keys without effect in Tenure are stored if Kafka can change them at run time.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__("setting", KEYS)
        self._settings: Final = settings

    def why_refused(self, configs: Mapping[str, str | None], resource_name: str = "") -> str | None:
        """Return the first error in all configs of a broker; None if they are valid."""
        errors = (_error(name, value, resource_name) for name, value in configs.items())
        found = next((error for error in errors if error), None)
        return found or self._why_out_of_bounds({name: value or "" for name, value in configs.items()})

    def _why_out_of_bounds(self, configs: Mapping[str, str]) -> str | None:
        """Return an error if the broker's default for a group config is outside of the broker's bounds, else None."""
        try:
            group_bounds(changed_settings(self._settings, {}, configs))
        except StartError as error:
            return str(error)
        return None

    def is_invalid_request(self, _configs: Mapping[str, str]) -> bool:
        return True


def is_sensitive(name: str) -> bool:
    """Return whether a broker's config must not be shown: it is a secret or, as in Kafka, its key is unknown."""
    key = key_of(name)
    kind = kind_in_kafka(name) if key is None else key.kind
    return kind in (None, ConfigKind.PASSWORD)


def is_read_only(name: str) -> bool:
    """Return whether DescribeConfigs shows a key as read-only.

    As in Kafka, the result is wrong for keys of certificates: `listener.name.NAME.KEY` is shown as read-only, although
    clients can change it; `KEY` is shown as changeable, although clients cannot change it.
    """
    if name in KEYS:
        return name not in APPLIED and KEYS[name] not in CERTIFICATE_KEYS
    key = kafka_keys_by_name().get(name)
    return key is None or key.update != DYNAMIC


def dynamic_key(name: str) -> ConfigKey[Any] | None:
    """Return the key of Tenure that clients may change at run time under this name; None if there is none."""
    if name in APPLIED:
        return KEYS[name]
    key = listener_key(name)
    return key if key is not None and key.name in APPLIED_TO_LISTENERS else None


def _error(name: str, value: str | None, resource_name: str) -> str | None:
    key = dynamic_key(name)
    if resource_name == ALL_BROKERS and (key in CERTIFICATE_KEYS or name == CORDONED_LOG_DIRS):
        return f"{name} belongs to one broker: set it for the broker's id"
    if key is None:
        return _why_not_dynamic(name, value or "")
    try:
        parse_value(key._replace(name=name), value)
    except InvalidValue as error:
        return str(error)
    return None


def _why_not_dynamic(name: str, value: str) -> str | None:
    """Return why a change of a key without effect in Tenure is refused; None if the new value is stored.

    As in Kafka, unknown keys are stored, and so are keys that Kafka can change at run time. A key that would enable a
    security feature that Tenure does not have is refused.
    """
    if KEYS.get(name) in CERTIFICATE_KEYS:
        return f"{name} can be set for single listeners only: set {LISTENER_PREFIX}NAME.{name}"
    known = kafka_keys_by_name().get(name)
    is_kept = name not in KEYS and not name.startswith(LISTENER_PREFIX)
    if not is_kept or (known is not None and known.update != DYNAMIC):
        return f"{name} changes with a restart only: set it in the broker's configuration"
    if (security := security_asked_for(name, value)) is not None:
        return f"{name} asks for {security}, which Tenure does not have: leave it out"
    return None


def apply_dynamic(settings: Settings, of_all: Mapping[str, str], of_this: Mapping[str, str]) -> None:
    """Override the settings by the stored configs of all brokers, and these by the configs of this broker."""
    settings.override(_applied(of_all, of_this))


def changed_settings(settings: Settings, of_all: Mapping[str, str], of_this: Mapping[str, str]) -> Settings:
    """Return a copy of the settings, changed as by `apply_dynamic`."""
    return settings.with_overrides(_applied(of_all, of_this))


def _applied(of_all: Mapping[str, str], of_this: Mapping[str, str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in {**of_all, **of_this}.items():
        key = dynamic_key(name)
        if key is not None and key.is_valid(value):
            found[name] = key.parse(value)
    return found
