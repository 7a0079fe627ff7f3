"""Client configuration with Kafka's keys: known keys, valid values and defaults.

A value is a Python object or the text of a properties file. An unknown key is an error that suggests the nearest known
key, because a misspelt key that is ignored goes unnoticed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tenure.unknown_names import unknown_name


class ConfigurationError(ValueError):
    """A configuration key is unknown or missing, or its value is invalid."""


class Key(NamedTuple):
    """One configuration key."""

    name: str
    parse: Callable[[Any], Any]
    """Return the parsed value; raise ValueError with a noun phrase that completes "must be"."""
    default: Any
    meaning: str
    """Description, as a noun phrase or clause in lower case."""


class Configuration:
    """Parsed values of a catalogue's keys; keys that were not given have their default."""

    def __init__(self, catalogue: Sequence[Key], given: Mapping[str, Any]) -> None:
        keys = {key.name: key for key in catalogue}
        for name in given:
            if name not in keys:
                raise ConfigurationError(
                    unknown_name("setting", name, keys, otherwise=f"known settings: {', '.join(keys)}.")
                )
        self._values: Final = {key.name: _parsed(key, given) for key in catalogue}
        self._given: Final = frozenset(given)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def is_given(self, name: str) -> bool:
        """Return whether the caller set the key."""
        return name in self._given

    def required(self, name: str, why: str) -> Any:
        """Return a value. Raises `ConfigurationError` with the reason `why` if it is missing."""
        value = self._values[name]
        if value is None:
            raise ConfigurationError(f"Missing setting '{name}': it is required {why}.")
        return value


def _parsed(key: Key, given: Mapping[str, Any]) -> Any:
    if key.name not in given:
        return key.default
    try:
        return key.parse(given[key.name])
    except (ValueError, TypeError) as error:
        raise ConfigurationError(f"Invalid setting '{key.name}': must be {error}, not {given[key.name]!r}.") from None


# --- parsers of values ------------------------------------------------------------------------------------------------


def text(value: Any) -> str:
    """Parse a non-empty string."""
    if not isinstance(value, str) or not value:
        raise ValueError("a non-empty string")
    return value


def texts(value: Any) -> tuple[str, ...]:
    """Parse a list of strings, or a string with commas between them."""
    parts = value.split(",") if isinstance(value, str) else list(value)
    stripped = tuple(part.strip() for part in parts)
    if not stripped or not all(stripped):
        raise ValueError("a list of names, or a string with commas between them")
    return stripped


def boolean(value: Any) -> bool:
    """Parse a bool, or the string `true` or `false`."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    raise ValueError("true or false")


def whole(lowest: int, highest: int = 2**31 - 1) -> Callable[[Any], int]:
    """Return a parser of integers in a range, both ends included."""

    def parse(value: Any) -> int:
        if isinstance(value, bool):
            raise ValueError(expected)
        try:
            number = int(value)
        except (TypeError, ValueError):
            raise ValueError(expected) from None
        if number != float(value) or not lowest <= number <= highest:
            raise ValueError(expected)
        return number

    expected = f"an integer from {lowest} to {highest}"
    return parse


def one_of(*words: str) -> Callable[[Any], str]:
    """Return a parser that accepts the given words only."""

    def parse(value: Any) -> str:
        if value not in words:
            raise ValueError(f"one of {', '.join(words)}")
        return str(value)

    return parse


def keys_of(config: str | Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration mapping; a plain address becomes `bootstrap.servers`."""
    return {"bootstrap.servers": config} if isinstance(config, str) else dict(config)


CLUSTER_KEYS: Final = (
    Key("bootstrap.servers", lambda value: value, None, "brokers to connect to first: host:port, several with commas"),
    Key("client.id", text, "tenure", "name of this client in the broker's logs and in group descriptions"),
    Key("request.timeout.ms", whole(1), 30_000, "time that a request waits for its answer"),
)
