"""Bounds of group configs, taken from the broker's settings `group.*.min.*` and `group.*.max.*`."""

from collections.abc import Mapping
from typing import Final

from tenure.broker.config.keys import KEYS
from tenure.broker.config.settings import Settings
from tenure.broker.config.start_error import StartError
from tenure.config_keys import INT32_MAX

PROTOCOLS: Final = ("consumer", "streams")
TIMINGS: Final = ("session.timeout.ms", "heartbeat.interval.ms", "assignment.interval.ms")
KEYS_OF_BOUNDS: Final[Mapping[str, tuple[str, str]]] = {
    f"{protocol}.{timing}": (f"group.{protocol}.min.{timing}", f"group.{protocol}.max.{timing}")
    for protocol in PROTOCOLS
    for timing in TIMINGS
} | {
    "streams.num.standby.replicas": ("", "group.streams.max.standby.replicas"),
    "streams.num.warmup.replicas": ("", "group.streams.max.warmup.replicas"),
    "streams.task.offset.interval.ms": ("group.streams.min.task.offset.interval.ms", ""),
}
"""(key of the minimum, key of the maximum) by name of the group config; "" if the broker has no such key."""


def group_bounds(settings: Settings) -> Mapping[str, tuple[int, int]]:
    """Return (lowest value, highest value) by name of the group config.

    If a bound that the user did not set excludes the broker's default for groups, the bound is widened to include the
    default.

    Raises:
        StartError: The broker's default for groups is outside of a bound that the user has set, or a session would end
            before the next heartbeat.
    """
    for protocol in PROTOCOLS:
        _require_heartbeats_within_sessions(settings, protocol)
    return {name: _bounds(settings, f"group.{name}", *keys) for name, keys in KEYS_OF_BOUNDS.items()}


def _require_heartbeats_within_sessions(settings: Settings, protocol: str) -> None:
    heartbeat, session = f"group.{protocol}.heartbeat.interval.ms", f"group.{protocol}.session.timeout.ms"
    interval_ms, timeout_ms = settings[KEYS[heartbeat]], settings[KEYS[session]]
    if interval_ms >= timeout_ms:
        raise StartError(f"setting {heartbeat} is {interval_ms}: it must be less than {session}, which is {timeout_ms}")


def _bounds(settings: Settings, name: str, low_key: str, high_key: str) -> tuple[int, int]:
    default = settings[KEYS[name]]
    low = settings[KEYS[low_key]] if low_key else 0
    high = settings[KEYS[high_key]] if high_key else INT32_MAX
    low = low if low_key in settings.origins else min(low, default)
    high = high if high_key in settings.origins else max(high, default)
    if not low <= default <= high:
        limits = (f"{low} ({low_key})" if low_key else "0", f"{high} ({high_key})" if high_key else str(high))
        raise StartError(f"setting {name} is {default}: it must be from {' to '.join(limits)}")
    return low, high
