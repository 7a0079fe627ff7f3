"""Bounds of `tenure.storage`."""

from typing import Final

BATCH_CHECKED_AT_ONCE_BYTES: Final = 32_768
"""A batch without compression up to this size is checked in one go, in some milliseconds; larger ones in steps."""

UNPACKED_AT_ONCE_BYTES: Final = 1_048_576
"""Uncompressed size from which a batch is decompressed on a thread: more takes milliseconds."""

RECORD_ERRORS_TOLD_MAX: Final = 1_000
"""Records of one batch whose errors an answer lists: a client gives up the whole batch after the first."""

READ_AHEAD_BYTES: Final = 131_072
"""Distance between the bytes of a file that are checked to learn whether it is in memory: Linux reads and evicts this
amount at once."""

PRODUCER_IDS_SKIPPED: Final = 1 << 40
"""Producer ids that are skipped after a loss in the log of topics, because the lost part may have reserved some: far
more than a broker ever uses, and far fewer than there are."""

INVENTORY_APPENDED_BYTES_MAX: Final = 1_048_576
"""Lines appended to the inventory before it is rewritten, unless it is larger itself. A start reads 15,000 lines in
about 20 ms."""

DAMAGED_KEYS_BYTES_MAX: Final = 1_048_576
"""Damaged bytes that are searched for such names, on the loop: a batch of a coordinator is smaller, and the search
takes some ten milliseconds."""
