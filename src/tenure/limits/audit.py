"""Bounds of `tenure.audit`."""

from typing import Final

COMMIT_WINDOW_MS: Final = 60_000
"""Length of a window of commits: short enough to show a rebalance in the lag, and long enough for only 1,440 rows per
day and partition."""

PAST_SAMPLES: Final = 48
"""Number of past times for which the first run of an audit looks up the ends of the logs. Each needs one request."""

SAMPLE_INTERVAL_S: Final = 10.0
"""Interval between two samples of the ends of logs while an audit runs."""

REPORT_INTERVAL_S: Final = 60.0
"""Interval between two reports of an audit that follows the log."""

PICTURES_LINE_INTERVAL_S: Final = 5.0
"""Interval between two lines about the pictures that were drawn: 202 pictures take half a minute."""

SESSION_TIMEOUT_MS: Final = 45_000
"""Kafka's default session timeout, for members of consumer groups, whose records contain no session timeout."""

SILENT_INTERVALS: Final = 3
"""A pause in a member's commits shows that its session has expired only if the session timeout is longer than this
number of the member's usual commit intervals."""

RETURN_WINDOW_MS: Final = 600_000
"""Time in which returns of a member are counted: a supervisor restarts a crashing process within minutes."""

FLAPPING_RETURNS_MIN: Final = 3
"""Number of returns within RETURN_WINDOW_MS at which a member counts as flapping. A deployment causes one return, and a
deployment with its rollback two."""

GROUPS_COMPARED_MAX: Final = 25
"""Maximum number of groups in the chart of costs: more would not fit on a screen. The table has all of them."""

GROUPS_CHARTED_MAX: Final = 50
"""Maximum number of groups whose charts are in the report: those with the highest costs. Their charts have a few
megabytes together."""

GROUPS_PICTURED_WHILE_FOLLOWING_MAX: Final = 5
"""Maximum number of groups whose charts are written as pictures in the reports of an audit that follows the log: those
with the highest costs. Pictures take most of the time of a report, and there is a report every minute. The last report
has a picture of each chart."""

OWNER_INTERVALS_DRAWN_MAX: Final = 5_000
"""Maximum number of intervals in the chart of owners of a group: a browser draws them in less than a second."""

TABLE_ROWS_MAX: Final = 200
"""Maximum number of rows of a chart's data in the page. The Parquet tables have all of them."""

TIME_BINS: Final = 120
"""Maximum number of bars in a chart over time."""
