"""Options of a move."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from tenure.client.net.bootstrap import ClusterConfig

ALL = ("*",)


@dataclass(frozen=True, slots=True)
class MoveOptions:
    """Source, target, and selection of a move."""

    source: ClusterConfig
    target: ClusterConfig
    topics: Sequence[str] = ALL
    """Names or patterns with `*` and `?`."""
    exclude: Sequence[str] = ()
    groups: Sequence[str] = ALL
    last_ms: int | None = None
    """Age of the oldest records to copy; None copies all. Applies to partitions that no earlier run has begun."""
    bytes_per_second: int | None = None
    appends: bool = False
    """True if topics of the target may have records of others."""
    replication_factor: int | None = None
    without_configs: Sequence[str] = ()
    moves_acls: bool = True
    verifies: bool = False
    watch_s: float = 10.0
    """Time for which commits at the source are watched in the end."""

    @property
    def selects_all(self) -> bool:
        """True if all topics and groups are moved."""
        return (tuple(self.topics), tuple(self.exclude), tuple(self.groups)) == (ALL, (), ALL)


def matches(name: str, patterns: Sequence[str]) -> bool:
    """Return whether a name is one of the names or patterns."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)
