"""A life in which the brokers differ is told in as few words as show it: what is not needed is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import pytest

in_haste: Final = pytest.mark.repeats("a machine that is too slow for short timeouts proves nothing")


class TooSlow(Exception):
    """The machine was busy: what was played proves nothing, in either way."""


class Played(Protocol):
    life: Any
    difference: str

    def story(self) -> str: ...


Play = Callable[[list[Any]], Sequence[Any]]


def tell_shortest(lived: Sequence[Played], play: Play, rest: object, differences: list[str]) -> None:
    """Adds the story of the first difference, as short as it can be told; nothing when there is none."""
    one = next((one for one in lived if one.difference), None)
    if one is None:
        return
    shortest = shorten(play, one.life, rest)
    again = play([shortest])[0] if shortest else one
    differences.append((again if again.difference else one).story())


def shorten(play: Play, life: Any, rest: object) -> Any | None:
    """The same life with as few words as still make a difference; None if it made none when it was lived again.

    All ways of leaving some words out are lived at once, as groups beside one another.
    """
    if not differing(play, [life]):
        return None
    chunk = len(life.words) // 2
    while chunk:
        said = [n for n, word in enumerate(life.words) if word is not rest]
        candidates = [without(life, said[at : at + chunk], rest) for at in range(0, len(said), chunk)]
        shorter = differing(play, candidates)
        if shorter:
            life = shorter[0]
        else:
            chunk //= 2
    return life


def without(life: Any, rounds: Sequence[int], rest: object) -> Any:
    """The words of these rounds are left out, not removed: the others keep their rounds."""
    return life._replace(words=tuple(rest if n in rounds else word for n, word in enumerate(life.words)))


def differing(play: Play, lives: list[Any]) -> list[Any]:
    try:
        return [one.life for one in play(lives) if one.difference]
    except TooSlow:
        return []
