"""Bounds of `tenure.spark`."""

from typing import Final

WORKER_PIECE_BYTES_MAX: Final = 33_554_432
"""Largest block of freed memory that a Python worker keeps: more than a response to Fetch, and the greatest value
that glibc accepts."""

WORKER_KEEPS_BYTES: Final = 67_108_864
"""Total of the freed memory that a Python worker keeps: two responses to Fetch, each once as received bytes and once as
decoded records."""

WORKER_KEEPS_MS: Final = 10_000
"""Time for which Arrow keeps freed memory in a worker: under load, the next task of the worker starts in this time."""

DELTA_ATTEMPTS_MAX: Final = 10
"""Maximum number of attempts at one commit to a Delta table: each one fails if another lane or another writer has
committed in the meantime."""

SQL_ROWS_PER_STATEMENT: Final = 10_000
"""Rows in memory as dictionaries at once while they are written to a database: some ten megabytes."""

SCHEMA_REGISTRY_TIMEOUT_S: Final = 10.0
"""Time for the answer to a query of one schema, sent once by each worker. Without an answer, the batch is retried."""

LANE_TRANSACTION_TIMEOUT_MS: Final = 300_000
"""Time from the first row that a task writes into a topic to the commit of the transaction: as long as a batch may
take. Brokers allow 15 minutes. If the owner of a lane dies, the next owner ends its transaction earlier."""

SIGNAL_LOOK_S: Final = 1.0
"""Longest wait of the main thread for a member, after which it runs the handler of a signal. The system may deliver a
signal to another thread, which does not wake the main thread."""

CAUGHT_UP_LOOK_S: Final = 0.1
"""Interval of the check whether everything is read: a run until the end stops at most this much later."""

SOURCE_TASK_RECORDS: Final = 50_000
"""Number of records up to which several small ranges are read in one task of `format("tenure")`. Reading that many
records takes about as long as the start of a Python task."""

CONTROL_ANSWER_S: Final = 5.0
"""Time in which a running application reports its status, which it has in memory. An application that does not answer
in this time has stopped or hangs."""

CONTROL_CONNECTIONS_MAX: Final = 32
"""Maximum number of connections of standbys that wait for an application to end, and of users who look at it."""

CONTROL_LINE_BYTES_MAX: Final = 4_096
"""Maximum size of a request to the control socket: it is one word."""

RESTART_PAUSE_S: Final = 1.0
"""Pause before a crashed application is started again; each further crash doubles it, up to RESTART_PAUSE_MAX_S."""

RESTART_PAUSE_MAX_S: Final = 60.0
"""Longest pause before a crashed application is started again: if it fails for hours, Spark starts once a minute, and
the application runs within a minute of a repair."""

RESTART_FORGIVEN_S: Final = 600.0
"""Run time of an application after which its next crash counts as the first one: the pauses before a restart begin
again with the shortest."""

STANDBY_LOOK_S: Final = 1.0
"""Interval at which a standby checks the group, whose sessions end after several seconds at least."""

STANDBY_SPREAD_S: Final = 2.0
"""Period over which the standbys of several hosts spread their attempts to take the same free seats."""

SPARK_LOOK_S: Final = 1.0
"""Interval of the check whether Spark still runs: far below a session timeout, and about a millisecond each."""

SHIPPED_BYTES_MAX: Final = 104_857_600
"""Maximum size of the modules that a pipeline ships to executors: each of them downloads a copy. Code has a few
megabytes; more is data in a package."""

EXECUTOR_CHECK_ROUNDS: Final = 100
"""Maximum number of jobs that check the executors. With the pauses between the jobs, a registered executor has at least
10 s to run its first task. Usually it needs less than a second."""

EXECUTOR_CHECK_PAUSE_S: Final = 0.1
"""Pause between two jobs that check the executors."""

EXECUTOR_CHECK_TOLD_S: Final = 15.0
"""Time after which an application says that it waits for executors: a cluster with free cores starts them earlier."""

PROBE_TIMEOUT_S: Final = 5.0
"""Time in which a file that the driver has synced must be visible on all hosts. NFS caches directories for seconds."""

PROBE_LOOK_S: Final = 0.1
"""Interval between two checks whether the probe file is visible."""

ICEBERG_ATTEMPTS_MAX: Final = 10
"""Maximum number of attempts at one commit to an Iceberg table, as for Delta. Each attempt writes the rows again."""

WRITER_SCHEMAS_MAX: Final = 1_000
"""Maximum number of parsed writers' schemas in the memory of a worker: some ten megabytes. More are parsed again when
they are needed."""

GATEWAY_LOOK_S: Final = 0.01
"""Interval of the check whether a new Java process can be reached. A check takes microseconds, and the start of the
process a hundred times this interval."""

FAILURES_KEPT: Final = 5
"""Maximum number of reasons of dropped batches that metrics show: each is a time series of its own, so there must be
few."""

FAILURE_REASON_CHARACTERS_MAX: Final = 200
"""Maximum length of a reason of a dropped batch in the metrics: one sentence. The log has the whole reason."""
