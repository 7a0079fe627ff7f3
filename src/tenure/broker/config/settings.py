"""Values of the broker's settings, at its start and now."""

from typing import Any, TypeVar

from tenure.broker.config import keys
from tenure.broker.config.listener_keys import LISTENER_PREFIX
from tenure.config_keys import ConfigKey

T = TypeVar("T")


class Settings:
    """Values of the broker's settings, by key. A key that the user did not set has its default.

    `origins` has only the keys that the user has set, each with the place where the user wrote the value.
    """

    __slots__ = ("_started_with", "_values", "origins")

    def __init__(self, values: dict[str, object] | None = None, origins: dict[str, str] | None = None) -> None:
        self._started_with = values or {}
        self._values = self._started_with
        """Present values: those of the start, overridden by those that were changed at run time."""
        self.origins = origins or {}

    def __getitem__(self, key: ConfigKey[T]) -> T:
        return self._values.get(key.name, key.default)  # type: ignore[return-value]  # put there by key.parse

    def is_changed(self, key: ConfigKey[Any]) -> bool:
        """Return whether the user has set the key to a value other than its default."""
        return key.name in self.origins and self[key] != key.default

    def override(self, values: dict[str, object]) -> None:
        """Use `values` as the values that were changed at run time. All earlier changes are dropped."""
        self._values = {**self._started_with, **values}

    def set_explicitly(self, key: ConfigKey[T], value: T, origin: str) -> None:
        """Use `value` as if the user had set the key, for example by an option of the command line."""
        self._started_with[key.name] = value
        self.origins[key.name] = origin

    def with_overrides(self, values: dict[str, object]) -> "Settings":
        """Return a copy of these settings, with `values` as the settings that were changed at run time."""
        changed = Settings(self._started_with, self.origins)
        changed.override(values)
        return changed

    def at_start(self, key: ConfigKey[T]) -> T:
        """Return the value of a key at the start of the broker."""
        return self._started_with.get(key.name, key.default)  # type: ignore[return-value]  # put there by key.parse

    @property
    def listeners_with_settings(self) -> list[str]:
        """Names of the listeners that have settings under `listener.name.NAME.`, in lower case."""
        of_listeners = [key for key in self._values if key.startswith(LISTENER_PREFIX)]
        return sorted({key.removeprefix(LISTENER_PREFIX).partition(".")[0] for key in of_listeners})

    def own_of_listener(self, name: str) -> "Settings":
        """Return only the settings under `listener.name.NAME.`, by keys without that prefix.

        The `origins` of the result contain no settings that were changed at run time.
        """
        prefix = f"{LISTENER_PREFIX}{name.lower()}."
        own = [key for key in self._values if key.startswith(prefix)]
        return Settings(
            {key.removeprefix(prefix): self._values[key] for key in own},
            {key.removeprefix(prefix): f"{key}: {self.origins[key]}" for key in own if key in self.origins},
        )

    def of_listener(self, name: str) -> "Settings":
        """Return the settings that apply to a listener: those of the broker, overridden by the listener's own."""
        own = self.own_of_listener(name)
        return Settings(self._values | own._values, self.origins | own.origins)

    @property
    def retention_ms(self) -> int:
        """Retention time in ms. As in Kafka, ms overrides minutes, and minutes override hours."""
        if (milliseconds := self[keys.LOG_RETENTION_MS]) is not None:
            return milliseconds
        if (minutes := self[keys.LOG_RETENTION_MINUTES]) is not None:
            return minutes * 60_000 if minutes >= 0 else -1
        hours = self[keys.LOG_RETENTION_HOURS]
        return hours * 3_600_000 if hours >= 0 else -1

    @property
    def roll_ms(self) -> int:
        milliseconds = self[keys.LOG_ROLL_MS]
        return milliseconds if milliseconds is not None else self[keys.LOG_ROLL_HOURS] * 3_600_000
