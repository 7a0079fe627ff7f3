"""Client configuration with Kafka's keys: known keys, valid values and defaults.

A value is a Python object or the text of a properties file. An unknown key is an error that suggests the nearest known
key, because a misspelt key that is ignored goes unnoticed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tenure.config_keys import ConfigKey, InvalidValue, parse_value, text, unknown_name, whole


class ConfigurationError(ValueError):
    """A configuration key is unknown or missing, or its value is invalid."""


class Configuration:
    """Parsed configuration. A key that the caller did not set has its default value."""

    def __init__(self, catalogue: Sequence[ConfigKey[Any]], given: Mapping[str, Any]) -> None:
        keys = {key.name: key for key in catalogue}
        for name in given:
            if name not in keys:
                raise ConfigurationError(
                    unknown_name("setting", name, keys, otherwise=f"known settings: {', '.join(keys)}.")
                )
        self._values: Final = {key.name: _parse(key, given) for key in catalogue}
        self._given: Final = frozenset(given)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def is_given(self, name: str) -> bool:
        """Return whether the caller set this key."""
        return name in self._given

    def required(self, name: str, why: str) -> Any:
        """Return the value of a key that the caller must set.

        Args:
            name: Configuration key.
            why: Reason for the error message. It completes the sentence "it is required ...".

        Raises:
            ConfigurationError: The key has no value.
        """
        value = self._values[name]
        if value is None:
            raise ConfigurationError(f"Missing setting '{name}': it is required {why}.")
        return value


def _parse(key: ConfigKey[Any], given: Mapping[str, Any]) -> Any:
    if key.name not in given:
        return key.default
    try:
        return parse_value(key, given[key.name])
    except InvalidValue as error:
        raise ConfigurationError(str(error)) from None


def keys_of(config: str | Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration as a dict; a plain address becomes the value of `bootstrap.servers`."""
    return {"bootstrap.servers": config} if isinstance(config, str) else dict(config)


CLUSTER_KEYS: Final[tuple[ConfigKey[Any], ...]] = (
    ConfigKey(
        "bootstrap.servers", lambda value: value, None, "brokers to connect to first: host:port, several with commas"
    ),
    ConfigKey("client.id", text, "tenure", "name of this client in the broker's logs and in group descriptions"),
    ConfigKey("request.timeout.ms", whole(1), 30_000, "time that a request waits for its answer"),
)
