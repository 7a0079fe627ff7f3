"""Names that have the same order as texts and as keys of Java's hash tables.

Apache Kafka's assignors take equally loaded members and processes in the order of a `HashMap`, ours in the order of
their ids (docs/differences.md: Choice between two equal processes for a task). With these names both orders agree, but
for one case: a streams group of two members. Kafka's table of its processes has two places, and of two processes in the
same place, the one that was added last comes first. No names of four processes avoid that for each pair of them.
"""

from __future__ import annotations

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
