"""Pauses of partitions that moved to another member."""

from collections.abc import Iterator
from typing import Any

from tenure.audit.findings.log_tables import LogTables, Rows


def pauses_of(log: LogTables, group: str) -> Rows:
    """Return one row for each move of a partition to another member of the group.

    A row has the last commit before the move, the first commit after it, and the time between them.
    """
    moves = [row for row in log.owner_changes.get(group, ()) if row["moved"]]
    later: dict[tuple[str, int], int] = {}
    found = []
    for move in reversed(moves):
        key = (move["topic"], move["partition"])
        found.append(dict(_pause(log, move, later.get(key))))
        later[key] = move["log_offset"]
    return found[::-1]


def _pause(log: LogTables, move: dict[str, Any], next_move: int | None) -> Iterator[tuple[str, Any]]:
    columns = ("log_partition", "log_offset", "time", "group", "epoch", "topic", "partition", "previous_owner", "owner")
    yield from ((name, move[name]) for name in columns)
    commits = log.commits
    before, after = commits.around((move["group"], move["topic"], move["partition"]), move["log_offset"])
    if after is not None and next_move is not None and commits.columns["first_log_offset"][after] > next_move:
        after = None  # The pause continues after the next move, so it counts as a pause of that move.
    last = None if before is None else int(commits.columns["last_time"][before])
    first = None if after is None else int(commits.columns["first_time"][after])
    yield "last_commit", last
    yield "first_commit", first
    yield "pause_ms", None if last is None or first is None else max(first - last, 0)
