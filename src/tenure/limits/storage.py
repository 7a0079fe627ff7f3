"""Bounds of `tenure.storage`."""

from typing import Final

BATCH_CHECKED_AT_ONCE_BYTES: Final = 32_768
"""Size up to which an uncompressed batch is checked without a pause, in a few milliseconds; larger ones in steps."""

UNPACKED_AT_ONCE_BYTES: Final = 1_048_576
"""Uncompressed size from which on a batch is decompressed on a thread, because it takes milliseconds."""

RECORD_ERRORS_MAX: Final = 1_000
"""Maximum number of invalid records of one batch that a response lists. Clients give up the whole batch after the first
one."""

READ_AHEAD_BYTES: Final = 131_072
"""Distance between the bytes that are probed to find out whether a part of a file is in memory. Linux reads and evicts
this many bytes together, so one of them stands for all."""

PRODUCER_IDS_SKIPPED: Final = 1 << 40
"""Number of producer ids that are skipped after damage of the metadata log, because the lost part of the log may have
reserved them. It is far more than a broker ever uses, and far less than the number of all ids."""

INVENTORY_APPENDED_BYTES_MAX: Final = 1_048_576
"""Maximum size of the lines appended to the inventory before it is written again, unless the inventory itself is
larger. A start reads 15,000 lines in about 20 ms."""

DAMAGED_KEYS_BYTES_MAX: Final = 1_048_576
"""Maximum number of damaged bytes that are searched for keys on the event loop: more than a batch of a coordinator, in
about ten milliseconds."""
