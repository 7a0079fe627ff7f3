"""Bounds of the broker's log lines."""

from typing import Final

LOG_LINE_CHARACTERS_MAX: Final = 4_000
"""Maximum length of a log line. Lines contain names chosen by clients, which may have 32 kB."""

LOG_CHARACTERS_PER_KIND: Final = 262_144
"""Characters that lines of one kind may write in a burst: about 2,000 lines, enough when 1,000 groups rebalance."""

LOG_CHARACTERS_PER_KIND_AND_S: Final = 1_000
"""Characters per second that lines of one kind may write in the long run: about 8 lines, or 86 MB a day."""

LOG_KINDS_MAX: Final = 1_000
"""Maximum number of kinds of lines that have a budget: more than there are messages in the source."""

LOG_SUPPRESSED_REPORT_S: Final = 10.0
"""Interval between two reports of suppressed lines: short enough for a person who watches the log."""
