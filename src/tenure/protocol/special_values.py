"""Values of fields with a special meaning, which clients and brokers share."""

from typing import Final

CLASSIC: Final = "classic"
CONSUMER: Final = "consumer"
STREAMS: Final = "streams"
"""CLASSIC, CONSUMER and STREAMS are types of groups, and protocols of members. A consumer group may have members of the
classic protocol (rule 3.9)."""

JOINS: Final = 0
LEAVES: Final = -1
LEAVES_FOR_NOW: Final = -2
"""Values that a member of a consumer or streams group sends instead of its epoch.

LEAVES_FOR_NOW is also the epoch of a static member that has left temporarily: its assignment is kept for a member with
the same instance id.
"""

NO_GENERATION: Final = -1
"""Generation id or member epoch of a member that has none."""

READ_UNCOMMITTED: Final = 0
READ_COMMITTED: Final = 1
"""Isolation levels of Fetch and ListOffsets. READ_UNCOMMITTED includes records of open and aborted transactions."""

EARLIEST: Final = -2
LATEST: Final = -1
"""Timestamps in ListOffsets: EARLIEST requests the first offset of a log, LATEST the offset after the last record."""
