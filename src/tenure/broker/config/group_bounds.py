"""Bounds of the configs that groups may have for themselves: the broker's minimum and maximum of each timing."""

from collections.abc import Mapping
from typing import Final

from tenure.broker.config.keys import KEYS, Settings
from tenure.broker.config.start_error import StartError

PROTOCOLS: Final = ("consumer", "streams")
TIMINGS: Final = ("session.timeout.ms", "heartbeat.interval.ms", "assignment.interval.ms")


def group_bounds(settings: Settings) -> Mapping[str, tuple[int, int]]:
    """Return the lowest and the highest value by the name of a group config. Raises StartError.

    The broker's own default is within the bounds: a bound that the user did not set is widened to it.
    """
    return {
        f"{protocol}.{timing}": _bounds(settings, protocol, timing)
        for protocol in PROTOCOLS
        for timing in TIMINGS
        if f"group.{protocol}.min.{timing}" in KEYS
    }


def _bounds(settings: Settings, protocol: str, timing: str) -> tuple[int, int]:
    name = f"group.{protocol}.{timing}"
    default, low, high = (settings[KEYS[key]] for key in (name, *_keys_of_bounds(protocol, timing)))
    low_key, high_key = _keys_of_bounds(protocol, timing)
    low = low if low_key in settings.origins else min(low, default)
    high = high if high_key in settings.origins else max(high, default)
    if not low <= default <= high:
        raise StartError(f"{name} is {default}: it must be from {low} ({low_key}) to {high} ({high_key})")
    return low, high


def _keys_of_bounds(protocol: str, timing: str) -> tuple[str, str]:
    return f"group.{protocol}.min.{timing}", f"group.{protocol}.max.{timing}"
