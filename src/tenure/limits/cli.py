"""Bounds of the operations in `tenure.admin` and of the command line."""

from typing import Final

ADMIN_PATIENCE_MS: Final = 2_000
"""Time for which commands retry. It is long enough for the election of a leader or the start of a coordinator, and
short enough for a user at a terminal who has given a wrong address."""

CONSUME_POLL_RECORDS: Final = 5_000
"""Records of `tenure consume` between two commits; at most these are printed again after a crash."""

CONSUME_FETCH_BYTES: Final = 1_048_576
"""Bytes per fetch of one partition by the command line, which decodes rows one by one while the user waits."""

LINE_BYTES_MAX: Final = 16_777_216
"""Maximum size of a line that `tenure produce` reads: sixteen times the default message limit of brokers."""

PARTITION_RANGE_MAX: Final = 100_000
"""Greatest partition number in a range on a command line: ten times the most partitions that a new topic may have."""
