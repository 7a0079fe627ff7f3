"""Kafka's client configuration keys: which there are, what each may hold, and what it is when nobody says.

A value may be what Python has for it or the text that a properties file would hold. An unknown key is an error, with
the nearest known one named: a misspelt key that is silently ignored costs more than it saves.
"""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final, NamedTuple


class ConfigurationError(ValueError):
    """A key that nobody knows, a value that it cannot hold, or one that is missing. One sentence."""


class Key(NamedTuple):
    name: str
    parse: Callable[[Any], Any]
    """Raises ValueError with words that complete "... must be"."""
    default: Any
    meaning: str


class Configuration:
    """Values by Kafka's names; every key of the catalogue has one."""

    def __init__(self, catalogue: Sequence[Key], given: Mapping[str, Any]) -> None:
        keys = {key.name: key for key in catalogue}
        for name in given:
            if name not in keys:
                raise ConfigurationError(_unknown(name, list(keys)))
        self._values: Final = {key.name: _parsed(key, given) for key in catalogue}
        self._given: Final = frozenset(given)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def is_given(self, name: str) -> bool:
        return name in self._given

    def required(self, name: str, why: str) -> Any:
        value = self._values[name]
        if value is None:
            raise ConfigurationError(f"'{name}' is needed {why}: add it to the configuration.")
        return value


def _parsed(key: Key, given: Mapping[str, Any]) -> Any:
    if key.name not in given:
        return key.default
    try:
        return key.parse(given[key.name])
    except (ValueError, TypeError) as error:
        raise ConfigurationError(f"'{key.name}' must be {error}, not {given[key.name]!r}.") from None


def _unknown(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name.replace("_", "."), known, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(known)}."
    return f"There is no configuration key '{name}': {hint}"


# --- what a value may be ----------------------------------------------------------------------------------------------


def text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("a text that is not empty")
    return value


def texts(value: Any) -> tuple[str, ...]:
    """A list, or a text with commas."""
    parts = value.split(",") if isinstance(value, str) else list(value)
    stripped = tuple(part.strip() for part in parts)
    if not stripped or not all(stripped):
        raise ValueError("a list of names, or a text with commas between them")
    return stripped


def boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    raise ValueError("true or false")


def whole(lowest: int, highest: int = 2**31 - 1) -> Callable[[Any], int]:
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

    expected = f"a whole number from {lowest} to {highest}"
    return parse


def one_of(*words: str) -> Callable[[Any], str]:
    def parse(value: Any) -> str:
        if value not in words:
            raise ValueError(f"one of {', '.join(words)}")
        return str(value)

    return parse


def keys_of(config: str | Mapping[str, Any]) -> dict[str, Any]:
    """What may be given as an address alone, where nothing else has to be said."""
    return {"bootstrap.servers": config} if isinstance(config, str) else dict(config)


CLUSTER_KEYS: Final = (
    Key("bootstrap.servers", lambda value: value, None, "where to find the cluster: host:port, several with commas"),
    Key("client.id", text, "tenure", "how the broker's logs and the group's tools call this client"),
    Key("request.timeout.ms", whole(1), 30_000, "how long one request waits for its answer"),
)
