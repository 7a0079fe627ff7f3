"""Bounds of the broker's log lines."""

from typing import Final

LOG_LINE_CHARACTERS_MAX: Final = 4_000
"""Longest log line. Names of clients are part of lines, and a name may have 32 kB."""

LOG_CHARACTERS_PER_KIND: Final = 262_144
"""Characters that lines of one kind may write at once: some 2,000 lines, enough when 1,000 groups rebalance."""

LOG_CHARACTERS_PER_KIND_AND_S: Final = 1_000
"""Characters per second that lines of one kind may write in the long run: some 8 lines, and 86 MB in a day."""

LOG_KINDS_MAX: Final = 1_000
"""Kinds of lines with a budget of their own: more than there are messages in the source."""

LOG_SUPPRESSED_REPORT_S: Final = 10.0
"""Interval between two reports of suppressed lines: soon enough for a person who watches the log."""
