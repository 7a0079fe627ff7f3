"""Configuration keys: the schema of the settings of brokers, topics, groups and clients.

Each key has a parser, which checks and converts a value. A value is a Python object, or text as in a properties file. A
parser raises ValueError with a noun phrase that completes "must be", so that all errors have the same form: `Invalid
setting 'max.poll.records': must be an integer from 1 to 2147483647, not 0.`
"""

import re
from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from typing import Any, Final, Generic, NamedTuple, TypeVar

T = TypeVar("T")

INT32_MAX: Final = 2**31 - 1
INT64_MAX: Final = 2**63 - 1
INT64_MIN: Final = -(2**63)

INTEGER: Final = re.compile(r"\s*[+-]?[0-9]{1,19}\s*", re.ASCII)
"""Text of an integer of at most 19 digits, as an int64 has. Python parses longer texts slowly, or raises an error."""


class ConfigKind(IntEnum):
    """Type of a key's values, with the number that DescribeConfigs returns for it."""

    BOOLEAN = 1
    STRING = 2
    INT = 3
    LONG = 5
    DOUBLE = 6
    LIST = 7
    PASSWORD = 9
    """Values are never shown."""


class ConfigKey(NamedTuple, Generic[T]):
    """Configuration key with its parser, default and documentation."""

    name: str
    parse: Callable[[Any], T]
    """Return the parsed value; raise ValueError with a noun phrase that completes "must be"."""
    default: T
    documentation: str = ""
    """Description for users: a noun phrase or sentence."""
    kind: ConfigKind = ConfigKind.STRING
    broker_key: str = ""
    """Broker's key that sets the default of this key of a topic or group; "" if there is none."""

    def is_valid(self, value: object) -> bool:
        try:
            self.parse(value)
        except ValueError:
            return False
        return True

    @property
    def default_text(self) -> str:
        """Default as in a properties file; empty for None."""
        return text_of(self.default) or ""


class InvalidValue(ValueError):
    """The value of a configuration key is invalid; the message names key, valid values and value."""


def parse_value(key: ConfigKey[T], value: object, kind: str = "setting", *, origin: str = "") -> T:
    """Parse the value of a key. Raises InvalidValue.

    Args:
        key: The key.
        value: Value that the user wrote.
        kind: Kind of the key, for error messages.
        origin: Place where the user wrote the value, for error messages; "" for none.
    """
    try:
        return key.parse(value)
    except ValueError as expected:
        written = f"'{key.name}'" + (f" ({origin})" if origin else "")
        shown = "[hidden]" if key.kind is ConfigKind.PASSWORD else repr(value)
        raise InvalidValue(f"Invalid {kind} {written}: must be {expected}, not {shown}.") from None


def text_of(value: object) -> str | None:
    """Convert a value to text as in a properties file; None stays None."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return None if value is None else str(value)


def unknown_name(kind: str, name: str, known: Iterable[str], *, origin: str = "", otherwise: str = "") -> str:
    """Return a sentence such as `Unknown setting 'grop.id': did you mean 'group.id'?`.

    Args:
        kind: Kind of the name.
        name: Name that the user wrote.
        known: Valid names.
        origin: Place where the user wrote the name; "" for none.
        otherwise: Hint if no valid name is similar; "" for none.
    """
    from difflib import get_close_matches  # imported late, because the broker starts without it

    near = get_close_matches(name.replace("_", "."), list(known), n=1)
    hint = f"did you mean '{near[0]}'?" if near else otherwise
    return f"Unknown {kind} '{name}'" + (f" ({origin})" if origin else "") + (f": {hint}" if hint else "")


class ConfigSchema:
    """Configuration keys that one kind of resource may have, for example topics."""

    def __init__(self, kind: str, keys: Mapping[str, ConfigKey[Any]]) -> None:
        self._kind: Final = kind
        self._keys: Final = keys

    def why_refused(self, configs: Mapping[str, str | None], resource_name: str = "") -> str | None:  # noqa: ARG002
        """Return the message for the first invalid configuration of a resource; None if all are valid."""
        for name, value in configs.items():
            if (key := self._keys.get(name)) is None:
                return unknown_name(self._kind, name, self._keys)
            if value is None:
                return f"Missing value of {self._kind} '{name}': give it one, or leave it out."
            try:
                parse_value(key, value, self._kind)
            except InvalidValue as error:
                return str(error)
        return None

    def is_invalid_request(self, _configs: Mapping[str, str]) -> bool:
        """Return whether Kafka rejects these configs with INVALID_REQUEST instead of INVALID_CONFIG."""
        return False

    def unset_list(self, name: str) -> str | None:
        """Return the default of a key whose type is a list, as text; None for other keys.

        IncrementalAlterConfigs adds to this default, or removes from it, if the list is not set.
        """
        key = self._keys.get(name)
        return None if key is None or key.kind is not ConfigKind.LIST else key.default_text


# --- parsers of values ------------------------------------------------------------------------------------------------


def text(value: object) -> str:
    """Parse a non-empty string."""
    if not isinstance(value, str) or not value:
        raise ValueError("a non-empty string")
    return value


def text_like(form: str) -> Callable[[Any], str]:
    """Return a parser that accepts any string that is not blank; `form` describes valid ones, for errors."""

    def parse(value: object) -> str:
        if not isinstance(value, str) or not value.strip():
            raise ValueError(form)
        return value.strip()

    return parse


def texts(value: Any) -> tuple[str, ...]:
    """Parse a list of strings, or a string with commas between them."""
    try:
        parts = value.split(",") if isinstance(value, str) else list(value)
        stripped = tuple(part.strip() for part in parts)
    except (TypeError, AttributeError):
        stripped = ()
    if not stripped or not all(stripped):
        raise ValueError("a list of names, or a string with commas between them")
    return stripped


def boolean(value: object) -> bool:
    """Parse a bool, or the string `true` or `false`."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and (word := value.strip().lower()) in ("true", "false"):
        return word == "true"
    raise ValueError("true or false")


def whole(lowest: int = 0, highest: int = INT32_MAX) -> Callable[[Any], int]:
    """Return a parser of integers in a range, both ends included."""

    def parse(value: object) -> int:
        number = _integer(value)
        if number is None or not lowest <= number <= highest:
            raise ValueError(f"an integer from {lowest} to {highest}")
        return number

    return parse


def _integer(value: Any) -> int | None:
    if isinstance(value, str):
        return int(value) if INTEGER.fullmatch(value) else None
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if isinstance(value, bool) or number != value else number


def real(lowest: float, highest: float) -> Callable[[Any], float]:
    """Return a parser of numbers in a range, both ends included."""

    def parse(value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = float("nan")
        if not lowest <= number <= highest:
            raise ValueError(f"a number from {lowest:g} to {highest:g}")
        return number

    return parse


def one_of(*words: str, any_case: bool = False) -> Callable[[Any], str]:
    """Return a parser that accepts only the given words.

    With `any_case`, `words` are in lower case, and values may also be in upper or mixed case.
    """
    return mapped({word: word for word in words}, any_case=any_case)


def mapped(values: Mapping[str, T], *, any_case: bool = False) -> Callable[[Any], T]:
    """Return a parser that accepts only the keys of `values`, and returns the value that belongs to the key.

    With `any_case`, the keys are in lower case, and the text to parse may also be in upper or mixed case.
    """

    def parse(value: object) -> T:
        word = value.strip().lower() if any_case and isinstance(value, str) else value
        if not isinstance(word, str) or word not in values:
            shown = [value or "''" for value in values]
            raise ValueError(f"one of {', '.join(shown)}" if len(shown) > 1 else shown[0])
        return values[word]

    return parse
