"""Names that have the same order as texts and as keys of Java's hash tables.

Apache Kafka's assignors take equally loaded members and processes in the order of a `HashMap`, ours in the order of
their ids (docs/differences.md: Choice between two equal processes for a task). With these names both orders agree,
except for some pairs of processes in a group of two members (`order_in_table`). No names of four processes avoid that:
for a table of four places they have to be in places 0, 1, 2 and 3, so the second and the third one change their order
in a table of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Final

PLACES: Final = 16
"""Names of one order. A table that has 16 places or more, and at most 64, keeps names with 16 places in this order."""
LARGEST_TABLE: Final = 64


def ordered_name(place: int, name: str) -> str:
    """Return a name that begins with the letter of its place, and that Java's hash tables keep at this place."""
    candidates = (f"{'abcdefghijklmnop'[place]}.{name}.{number}" for number in count())
    return next(found for found in candidates if spread_hash(found) % LARGEST_TABLE == place)


def spread_hash(text: str) -> int:
    """Return the hash of an ASCII text whose low bits are its place in a `java.util.HashMap`."""
    found = 0
    for character in text:
        found = (31 * found + ord(character)) & 0xFFFF_FFFF
    return found ^ found >> 16


def order_in_table(names: Sequence[str], places: int) -> list[str]:
    """Return the names in the order of a `HashMap` with this many places, to which `computeIfAbsent` adds them.

    Of names in the same place, the one that was added last comes first.
    """
    newest_first = names[::-1]
    return sorted(newest_first, key=lambda name: spread_hash(name) % places)
