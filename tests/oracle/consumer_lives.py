"""Random lives of a consumer group, as lists of words from one vocabulary.

Most words are "go on": an actor takes the step that a member would take after the last answer. The others are mischief:
it does not report its partitions, reports wrong ones, changes its subscription, uses an old epoch or another's id,
restarts, leaves temporarily or for good, commits partitions that it lost or never had, or an operator acts.
"""

from __future__ import annotations

import random
from itertools import product
from typing import Final, NamedTuple

from tests.oracle.actors import OWN

ACTORS: Final = ("A", "B", "C", "D")
STATIC: Final = {"A": "a", "B": "b"}
OPERATOR: Final = "operator"

STRANGER: Final = "stranger"
FIRST: Final = 1
"""As a member id: the oldest that the actor has drawn."""


class Word(NamedTuple):
    """`number` is whatever the kind makes of it; `shift` is added to the epoch that the actor knows of."""

    kind: str
    actor: str = "A"
    vintage: int = 10
    which: str | int = OWN
    instance: str | None = OWN
    shift: int = 0
    number: int = 0


class Life(NamedTuple):
    """`moods`: what each actor does while time passes, g(oes on), l(ives without confirming) or s(ilent).

    `is_held`: assignments wait for one another longer than the life lasts. `has_short_patience`: of all members'
    rebalances.
    """

    words: tuple[Word, ...]
    moods: str = ""
    is_held: bool = False
    has_short_patience: bool = False


REST: Final = Word("rest")
VINTAGES: Final = (10, 9)
GO_ON: Final = 7
"""Frequency of each plain word in the vocabulary."""
WISHES: Final = 7
MISTAKES: Final = 10
OWNED: Final = 6

IDENTITIES: Final = (
    (STRANGER, OWN, 0),
    (FIRST, OWN, 0),
    ("", OWN, 0),
    (OWN, None, 0),
    (OWN, "a", 0),
    (OWN, "b", 0),
    (OWN, "z", 0),
    (FIRST, None, -1),
)
"""(member id, instance id, shift of the epoch), each wrong in its own way more often than not."""


def vocabulary() -> list[Word]:
    plain = [Word("go_on", actor, vintage, number=n) for vintage, n, actor in product(VINTAGES, range(4), ACTORS)]
    tells = [
        Word("tell", actor, v, shift=s, number=n)
        for v, s, n, actor in product(VINTAGES, (0, 0, -1), range(OWNED), ACTORS)
    ]
    epochs = [Word("tell", actor, 10, shift=s, number=n) for s, n, actor in product((-2, 1), (0, 1), ACTORS)]
    wishes = [Word("wish", actor, v, number=n) for v, n, actor in product(VINTAGES, range(WISHES + 3), ACTORS)]
    again = [Word(kind, actor, v) for kind, v, actor in product(("restart", "come_again"), VINTAGES, ACTORS)]
    goes = [Word(kind, actor, v) for kind, v, actor in product(("step_out", "leave", "step_out"), VINTAGES, ACTORS)]
    false = [
        Word(kind, actor, 10, *identity)
        for kind, identity, actor in product(("beat", "step_out", "leave", "save", "read"), IDENTITIES, ACTORS)
    ]
    saves = [
        Word("save", actor, v, shift=s, number=n)
        for v, s, n, actor in product(VINTAGES, (0, -1, -1, -2), range(5), ACTORS)
    ]
    odd_saves = [
        Word("save", actor, v, shift=s, number=n) for v, s, n, actor in product((8, 10), (0, 1), (0, 4), ACTORS)
    ]
    reads = [Word("read", actor, v, shift=s) for v, s, actor in product(VINTAGES, (0, -1), ACTORS)]
    classic = [Word(kind, actor) for kind, actor in product(("heartbeat", "sync"), ACTORS)]
    looks = [
        Word(kind, OPERATOR, v, number=n)
        for kind, v, n in product(("describe", "list", "fetch", "save_anonymously"), (10, 9, 6), range(4))
    ]
    operators = [Word(kind, OPERATOR, 10, number=n) for kind, n in product(("delete", "forget"), range(3))]
    purges = [Word("purge", OPERATOR)] * 20
    mistakes = [Word("mistake", actor, v, number=n) for v, n, actor in product(VINTAGES, range(MISTAKES), ("A", "C"))]
    return [
        *plain * GO_ON, *tells, *epochs, *wishes, *again * 3, *goes * 2, *false, *saves, *odd_saves, *reads, *classic,
        *looks, *operators, *purges, *mistakes,
    ]  # fmt: skip


VOCABULARY: Final = vocabulary()
UNRULY: Final = ("delete",)
"""Not said where groups without offsets vanish by themselves."""


def drawn(draw: random.Random, lives: int, words: int) -> list[Life]:
    return [Life(tuple(draw.choices(VOCABULARY, k=words)), is_held=draw.random() < 0.15) for _ in range(lives)]


def drawn_in_haste(draw: random.Random, lives: int, words: int) -> list[Life]:
    calm = [word for word in VOCABULARY if word.kind not in UNRULY]
    return [
        Life(
            tuple(draw.choices(calm, k=words)), "".join(draw.choices("ggls", k=len(ACTORS))), False, draw.random() < 0.7
        )
        for _ in range(lives)
    ]
