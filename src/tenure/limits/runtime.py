"""Bounds of `tenure.runtime`."""

from typing import Final

COORDINATOR_BATCH_BYTES: Final = 1_048_576
"""Size of a batch at which a turn takes no further commands: one sync of this size does not occupy a disk for long."""

COORDINATOR_STEP_BYTES_MAX: Final = 67_108_864
"""Bytes that one command may write: its records are written together or not at all, and must fit into a segment."""

LOAD_AS_COLUMNS_FROM_BYTES: Final = 2_097_152
"""Size of a chunk of a log from which columnar filtering saves more time than the import of numpy costs."""

LOAD_HELD_BYTES_MAX: Final = 268_435_456
"""Bytes of a log in memory while it is loaded. Beyond it, the newest records so far are copied and the rest is freed.
"""
