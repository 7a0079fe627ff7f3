"""Bounds of `tenure.runtime`."""

from typing import Final

COORDINATOR_BATCH_BYTES: Final = 1_048_576
"""Size of a batch at which a turn handles no further command, because a larger sync would occupy the disk for long."""

COORDINATOR_STEP_BYTES_MAX: Final = 67_108_864
"""Maximum size of the records of one command. Either all or none of them are written, so they must fit into a
segment."""

LOAD_AS_COLUMNS_FROM_BYTES: Final = 2_097_152
"""Size of a part of a log from which on columnar filtering saves more time than importing numpy takes."""

LOAD_HELD_BYTES_MAX: Final = 268_435_456
"""Maximum number of bytes of a log in memory while it is loaded. At the limit, the newest records are copied, and the
rest is freed."""
