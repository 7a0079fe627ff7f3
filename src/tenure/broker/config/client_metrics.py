"""Configs of client metrics (KIP-714), stored under the name of a metrics subscription.

The configs are stored, listed and described, for tools and for a handover to Apache Kafka. The broker does not
advertise the telemetry APIs, so no client sends metrics. Apache Kafka does the same if no metrics reporter accepts
client metrics.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from tenure.config_keys import INTEGER, ConfigKey, ConfigKind, ConfigSchema, texts, whole

INTERVAL_MS: Final = "interval.ms"
INTERVAL_MS_MIN: Final = 100
INTERVAL_MS_MAX: Final = 3_600_000
"""INTERVAL_MS_MIN and INTERVAL_MS_MAX are the bounds of `interval.ms`, as in Apache Kafka."""

MATCHED: Final = (
    "client_instance_id",
    "client_id",
    "client_software_name",
    "client_software_version",
    "client_source_address",
    "client_source_port",
)
"""Properties of a client that a pattern of `match` can name."""


def metric_prefixes(value: object) -> tuple[str, ...]:
    """Parse a list of prefixes of metric names; "" is an empty list."""
    return texts(value) if value != "" else ()


def patterns(value: object) -> tuple[str, ...]:
    """Parse a list of patterns, each `PROPERTY=REGEX`. The subscription applies to clients that match all patterns."""
    found = metric_prefixes(value)
    for pattern in found:
        name, has_regex, regex = (part.strip() for part in pattern.partition("="))
        if not has_regex or name not in MATCHED or not _is_regex(regex):
            raise ValueError(f"a list of PROPERTY=REGEX, where PROPERTY is one of {', '.join(MATCHED)}")
    return found


def _is_regex(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True


_KEYS: Final[tuple[ConfigKey[Any], ...]] = (
    ConfigKey(
        "metrics", metric_prefixes, (), "Prefixes of the names of metrics that clients would send.", ConfigKind.LIST
    ),
    ConfigKey(
        INTERVAL_MS,
        whole(INTERVAL_MS_MIN, INTERVAL_MS_MAX),
        300_000,
        "Time between two transmissions of a client's metrics.",
        ConfigKind.INT,
    ),
    ConfigKey(
        "match", patterns, (), "Patterns of clients that would send metrics; all of them if empty.", ConfigKind.LIST
    ),
)
CLIENT_METRICS_KEYS: Final[Mapping[str, ConfigKey[Any]]] = {key.name: key for key in _KEYS}


class ClientMetricsSchema(ConfigSchema):
    """Schema of the configs of client metrics. As in Apache Kafka, lists can only be set as a whole."""

    def __init__(self) -> None:
        super().__init__("client metrics config", CLIENT_METRICS_KEYS)

    def is_invalid_request(self, configs: Mapping[str, str]) -> bool:
        """Return whether a config is unknown or the interval is out of bounds; Kafka then returns INVALID_REQUEST."""
        interval_ms = configs.get(INTERVAL_MS, "")
        is_out_of_bounds = INTEGER.fullmatch(interval_ms) and not CLIENT_METRICS_KEYS[INTERVAL_MS].is_valid(interval_ms)
        return bool(is_out_of_bounds) or not configs.keys() <= CLIENT_METRICS_KEYS.keys()

    def unset_list(self, _name: str) -> None:
        return None
