"""Options of a move."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from tenure.client.net.bootstrap import ClusterConfig

ALL = ("*",)
WATCH_S: Final = 10.0
"""Default of `MoveOptions.watch_s`: time to watch for commits at the source, in seconds."""


@dataclass(frozen=True, slots=True)
class MoveOptions:
    """Source and target of a move, and the topics, groups and ACLs to move."""

    source: ClusterConfig
    target: ClusterConfig
    topics: Sequence[str] = ALL
    """Names or patterns with `*` and `?`."""
    exclude: Sequence[str] = ()
    groups: Sequence[str] = ALL
    last_ms: int | None = None
    """Greatest age of records to copy, in ms; None copies all. Ignored for partitions that an earlier run has begun."""
    bytes_per_second: int | None = None
    appends: bool = False
    """True if topics of the target may contain records that this move has not written."""
    replication_factor: int | None = None
    without_configs: Sequence[str] = ()
    moves_acls: bool = True
    verifies: bool = False
    watch_s: float | None = WATCH_S
    """Time at the end of the move in which the source is watched for commits; None if groups stay at the source."""

    @property
    def selects_all(self) -> bool:
        """True if all topics and groups are moved."""
        return (tuple(self.topics), tuple(self.exclude), tuple(self.groups)) == (ALL, (), ALL)


def matches(name: str, patterns: Sequence[str]) -> bool:
    """Return whether a name equals one of the patterns or matches it."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def is_pattern(name: str) -> bool:
    """Return whether a name that the user gave is a pattern. Unlike a name, a pattern may match nothing."""
    return any(mark in name for mark in "*?[")
