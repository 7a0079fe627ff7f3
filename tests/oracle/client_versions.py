"""Versions of requests that clients of one generation send together, by the version of their JoinGroup.

A scenario runs with several of them, so that each rule is tested with old and with new clients.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class RequestVersions(NamedTuple):
    join: int
    sync: int
    heartbeat: int
    leave: int
    commit: int
    fetch: int
    describe: int
    list: int
    delete: int


CLIENT_VERSIONS: Final = {
    0: RequestVersions(0, 0, 0, 0, 2, 1, 0, 0, 0),
    1: RequestVersions(1, 0, 0, 0, 2, 2, 0, 0, 0),
    2: RequestVersions(2, 1, 1, 1, 3, 3, 1, 1, 0),
    3: RequestVersions(3, 2, 2, 2, 4, 4, 2, 2, 1),
    4: RequestVersions(4, 2, 2, 2, 6, 5, 3, 2, 1),
    5: RequestVersions(5, 3, 3, 3, 7, 5, 4, 2, 1),
    6: RequestVersions(6, 4, 4, 4, 8, 6, 5, 3, 2),
    7: RequestVersions(7, 5, 4, 4, 8, 7, 5, 4, 2),
    8: RequestVersions(8, 5, 4, 5, 8, 8, 5, 4, 2),
    9: RequestVersions(9, 5, 4, 5, 9, 9, 6, 5, 2),
    10: RequestVersions(9, 5, 4, 5, 10, 10, 6, 5, 2),
}
"""Versions by that of JoinGroup; 10 is 9 with topic ids in commits and fetches."""

EVERY: Final = tuple(CLIENT_VERSIONS)
ANY: Final = (0, 3, 4, 6, 9)
"""Without rebalance timeout, without and with MEMBER_ID_REQUIRED, with flexible versions, newest."""
BEFORE_IDS: Final = (0, 1, 2, 3)
"""Versions in which a dynamic member joins without a member id."""
SINCE_IDS: Final = (4, 5, 7, 9)
STATIC: Final = (5, 6, 8, 9)
NAMED_LEAVERS: Final = (5, 6, 9)
"""Versions in which LeaveGroup names several members."""
NEWEST: Final = (9,)
