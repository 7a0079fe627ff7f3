"""Random lives of a group, as lists of words from one vocabulary.

Most words are "go on": an actor takes the step that a client would take after the last answer. The others are mischief:
an actor restarts, changes its mind, uses an old id, another's instance or an old generation, leaves, commits without a
member id, or an operator acts. Words are ordered from plain to odd; the first one is to do nothing.
"""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

from tests.oracle.actors import OWN

ACTORS: Final = ("A", "B", "C", "D", "E")
STATIC: Final = {"A": "a", "B": "b", "C": "c"}
OPERATOR: Final = "operator"

STRANGER: Final = "stranger-1"
FIRST: Final = 1
"""As a member id: the oldest that the actor was given."""


class Word(NamedTuple):
    """`number` is whatever the kind makes of it; `shift` is added to the generation that the actor knows of."""

    kind: str
    actor: str = "A"
    vintage: int = 9
    which: str | int = OWN
    instance: str | None = OWN
    shift: int = 0
    number: int = 0


class Life(NamedTuple):
    """Life of a group. `short_sessions`: actors whose sessions run out in rests; `short_rebalances`: of all actors."""

    words: tuple[Word, ...]
    short_sessions: str = ""
    short_rebalances: bool = False


REST: Final = Word("rest")
CLEAR: Final = Word("purge", OPERATOR)
"""Action of an operator when all actors wait: remove members without a living client, or else all of them."""
VINTAGES: Final = (9, 10, 8, 7, 6, 5, 4, 3, 2, 1, 0)
GO_ON: Final = 5
"""Frequency of each plain word in the vocabulary."""

IDENTITIES: Final = (
    (STRANGER, OWN, 0),
    (FIRST, OWN, 0),
    ("", OWN, 0),
    (OWN, None, 0),
    (OWN, "a", 0),
    (OWN, "z", 0),
    (OWN, OWN, -1),
    (OWN, OWN, 1),
    (FIRST, None, -1),
    ("", None, 0),
)
"""(member id, instance id, shift of the generation), each wrong in its own way more often than not."""


def vocabulary() -> list[Word]:
    plain = [
        Word("go_on", actor, vintage, number=n)
        for vintage, n, actor in product(VINTAGES, range(3), ACTORS)
        if vintage >= 5 or actor not in STATIC
    ]
    restarts = [Word("restart", actor, vintage) for vintage, actor in product((9, 8, 7, 6, 5), ACTORS)]
    changes = [Word("join", actor, v, number=n) for v, n, actor in product((9, 6, 3), range(3), ACTORS)]
    false = [
        Word(kind, actor, vintage, *identity)
        for kind, vintage, identity, actor in product(
            ("heartbeat", "sync", "commit", "join"), (9, 5), IDENTITIES, ACTORS
        )
    ]
    anonymous = [Word("commit_anonymously", OPERATOR, vintage, number=n) for vintage, n in product(VINTAGES, range(5))]
    reads = [
        Word(kind, OPERATOR, v, number=n) for kind, v, n in product(("describe", "fetch", "list"), VINTAGES, range(3))
    ]
    leaves = [Word("leave", actor, v) for v, actor in product((9, 6, 3, 0), ACTORS)]
    operators = [
        Word(kind, "A", v, number=n) for kind, v, n in product(("evict", "delete", "forget"), (9, 5), range(5))
    ]
    return [REST, *plain * GO_ON, *restarts * 2, *changes * 2, *false, *anonymous, *reads, *leaves, *operators * 3]


VOCABULARY: Final = vocabulary()

HASTE: Final = (("ABCDE", False), ("ABCDE", True), ("", True), ("BD", False), ("BD", True))
"""Short timeouts in the lives of a group with rests."""
