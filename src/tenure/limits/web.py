"""Bounds of `tenure.web`, the dashboard."""

from typing import Final

ROUND_INTERVAL_S: Final = 1.0
"""Pause between two rounds of queries: people who look at a rolling restart want to see each member leave."""

ROUND_BUDGET_S: Final = 0.25
"""Maximum time that a round spends on groups that no page shows. So the broker and this process are mostly idle."""

FIRST_ROUND_BUDGET_S: Final = 1.0
"""Maximum time of a round while some groups were never described: users wait for the rows of these groups."""

VIEWED_S: Final = 10.0
"""Time for which a group is described in every round after a page showed it."""

HISTORY_MS: Final = 3_600_000
"""Time for which the dashboard keeps the history: a deployment, and the time before it. `tenure audit` covers more."""

SPANS_MAX: Final = 2_000
"""Maximum number of intervals that are kept for one group. In each interval, one member owns one partition. The limit
is enough for ten moves of each of 200 partitions."""

LAG_SAMPLES_MAX: Final = 360
"""Maximum number of samples of lag that are kept for one group: one for each ten seconds of an hour."""

LAG_SAMPLE_INTERVAL_MS: Final = 10_000
"""Least time between two samples of lag."""

TREND_MS: Final = 120_000
"""Time over which the trend of lag is computed: longer than the pause of a rebalance."""

JOURNAL_ENTRIES_MAX: Final = 50
"""Maximum number of entries of the journal that are kept for one group: those that fit on its page."""

ROWS_MAX: Final = 500
"""Maximum number of rows of a table of partitions, topics or transactions: a browser shows them at once. The page says
how many are left out, and which command prints all."""

PARTS_PAINTED_MAX: Final = 100
"""Maximum number of rows of a table in a page before its first event, which has all rows. A browser needs a quarter of
a second to draw 1,000 rows. Users can read the first ones meanwhile."""

CACHE_S: Final = 2.0
"""Time for which the result of a page's queries is used again, for all users who open the page."""

HANGING_SEARCH_S: Final = 30.0
"""Least time between two searches for hanging transactions: each search asks the leader of every partition."""

HANGING_AFTER_MS: Final = 900_000
"""Time without writes after which an open transaction may hang: the default of Kafka's `transaction.max.timeout.ms`."""

METRICS_TIMEOUT_S: Final = 2.0
"""Time in which a pipeline must answer with its metrics: it serves them from memory."""

METRICS_BYTES_MAX: Final = 4_194_304
"""Maximum size of the metrics of one pipeline: room for four lines of 100 bytes for each of 10,000 lanes."""

STREAMS_MAX: Final = 64
"""Maximum number of open pages that get updates: enough for a team of users who each open several pages."""

BODY_BYTES_MAX: Final = 65_536
"""Maximum size of a submitted form: the largest forms contain the ids of the members of a group."""

SESSION_S: Final = 43_200
"""Time for which a login is valid: a working day."""

SESSIONS_MAX: Final = 1_000
"""Maximum number of logins that are kept; at the limit, the oldest is removed."""

LOGIN_DELAY_S: Final = 1.0
"""Pause after a wrong password, in which no other login is checked: 86,400 guesses a day at most."""

PASSWORD_CHARACTERS_MIN: Final = 12
"""Minimum length of the password: at one guess a second, even a password of lower-case letters cannot be guessed."""
