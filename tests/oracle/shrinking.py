"""Shrinking of histories in which the brokers differ: actions without which the brokers still differ are removed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import pytest

repeats_if_slow: Final = pytest.mark.repeats("a machine that is too slow for short timeouts proves nothing")


class TooSlow(Exception):
    """The machine was too slow for the timeouts: the run proves nothing."""


class Played(Protocol):
    history: Any
    difference: str

    def report(self) -> str: ...


Play = Callable[[list[Any]], Sequence[Any]]


def report_shortest(comparisons: Sequence[Played], play: Play, rest: object, differences: list[str]) -> None:
    """Append the report of the first difference, after shrinking its history; nothing if there is no difference."""
    one = next((one for one in comparisons if one.difference), None)
    if one is None:
        return
    shortest = shrink(play, one.history, rest)
    again = play([shortest])[0] if shortest else one
    differences.append((again if again.difference else one).report())


def shrink(play: Play, history: Any, rest: object) -> Any | None:
    """Return the same history with as few actions as still lead to a difference; None if it does not repeat.

    All shorter histories run at the same time, each in a group of its own.
    """
    if not differing(play, [history]):
        return None
    chunk = len(history.actions) // 2
    while chunk:
        said = [n for n, action in enumerate(history.actions) if action is not rest]
        candidates = [without(history, said[at : at + chunk], rest) for at in range(0, len(said), chunk)]
        shorter = differing(play, candidates)
        if shorter:
            history = shorter[0]
        else:
            chunk //= 2
    return history


def without(history: Any, rounds: Sequence[int], rest: object) -> Any:
    """Return the history without the actions of these rounds; the other actions keep their rounds."""
    return history._replace(actions=tuple(rest if n in rounds else action for n, action in enumerate(history.actions)))


def differing(play: Play, histories: list[Any]) -> list[Any]:
    try:
        return [one.history for one in play(histories) if one.difference]
    except TooSlow:
        return []
