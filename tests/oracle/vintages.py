"""Generations of clients: the versions that are spoken together by one that joins with JoinGroup vN.

A scenario is played in several vintages, so that each rule is asked of old and of new clients in the same words.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Vintage(NamedTuple):
    join: int
    sync: int
    heartbeat: int
    leave: int
    commit: int
    fetch: int
    describe: int
    list: int
    delete: int


VINTAGES: Final = {
    0: Vintage(0, 0, 0, 0, 2, 1, 0, 0, 0),
    1: Vintage(1, 0, 0, 0, 2, 2, 0, 0, 0),
    2: Vintage(2, 1, 1, 1, 3, 3, 1, 1, 0),
    3: Vintage(3, 2, 2, 2, 4, 4, 2, 2, 1),
    4: Vintage(4, 2, 2, 2, 6, 5, 3, 2, 1),
    5: Vintage(5, 3, 3, 3, 7, 5, 4, 2, 1),
    6: Vintage(6, 4, 4, 4, 8, 6, 5, 3, 2),
    7: Vintage(7, 5, 4, 4, 8, 7, 5, 4, 2),
    8: Vintage(8, 5, 4, 5, 8, 8, 5, 4, 2),
    9: Vintage(9, 5, 4, 5, 9, 9, 6, 5, 2),
    10: Vintage(9, 5, 4, 5, 10, 10, 6, 5, 2),
}
"""By JoinGroup version; 10 is 9 with topic ids in commits and fetches."""

EVERY: Final = tuple(VINTAGES)
ANY: Final = (0, 3, 4, 6, 9)
"""Without rebalance timeout, without and with MEMBER_ID_REQUIRED, flexible, newest."""
BEFORE_IDS: Final = (0, 1, 2, 3)
"""Dynamic members are let in without an id of their own."""
SINCE_IDS: Final = (4, 5, 7, 9)
STATIC: Final = (5, 6, 8, 9)
NAMED_LEAVERS: Final = (5, 6, 9)
"""LeaveGroup names several members."""
NEWEST: Final = (9,)
