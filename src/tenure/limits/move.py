"""Bounds of `tenure.move`."""

from typing import Final

FETCH_BYTES: Final = 8_388_608
"""Size of a Fetch from the source: a few batches of each of several partitions. Two responses are in memory."""

FETCH_PARTITIONS_MAX: Final = 500
"""Maximum number of partitions in one Fetch. A response has space for the records of a few partitions only, so
partitions take turns."""

SMALL_BATCH_BYTES: Final = 2_048
"""Size below which adjacent batches are joined, because a request costs more than decoding their records."""

JOINED_BATCH_BYTES: Final = 131_072
"""Size of joined batches, the same as `PRODUCER_BATCH_BYTES`."""

REQUEST_BYTES: Final = 4_194_304
"""Size from which on no further batch is added to a Produce request: several batches of 1 MB, the default limit of
brokers."""

REQUESTS_IN_FLIGHT_MAX: Final = 5
"""Maximum number of Produce requests without a response. Brokers recognise duplicates among the last five batches of a
producer."""

PRODUCER_KNOWN_S: Final = 3_600.0
"""Time for which the target certainly knows the producer: a part of Kafka's `producer.id.expiration.ms` (a day)."""

CHECKPOINT_INTERVAL_S: Final = 1.0
"""Interval between two commits of the progress: after a crash, at most this much is read again."""

CHECKPOINT_BYTES: Final = 67_108_864
"""Bytes after which the progress is committed earlier, so that a resumed run compares few records."""

PROGRESS_REQUEST_BYTES: Final = 262_144
"""Maximum size of the progress in one commit request: the coordinator writes it as one batch, of 1 MB at most by
default."""

RUNS_MAX: Final = 48
"""Maximum number of runs in the progress of a partition: 3 kB with large offsets. A run is a range of copied records
with its offsets at both clusters (`copied_runs.py`). Commit metadata, which contains the progress, may have 4,096 bytes
(`offset.metadata.max.bytes`)."""

PROGRESS_INTERVAL_S: Final = 1.0
"""Interval between two updates of the progress line on a terminal."""

PROGRESS_LOG_INTERVAL_S: Final = 10.0
"""Interval between two log lines of the progress."""

MOVE_PATIENCE_MS: Final = 300_000
"""Time for which a move retries a request: ten requests without an answer, or the restart of a large broker. Other
clients give up after a fifth of it, but a move may take hours, and no application waits for it."""

FAILED_WRITE_BACKOFF_S: Final = 0.1
"""Pause after a failed write, before the position is searched in the target's log."""

WATCH_INTERVAL_S: Final = 1.0
"""Interval between two checks of the committed offsets at the source. Java's consumers commit every 5 s."""

FOLLOW_INTERVAL_S: Final = 2.0
"""Pause between two passes of a move that follows the source."""

TRANSACTION_TIMEOUT_MS: Final = 60_000
"""Kafka's default `transaction.timeout.ms`: a commit of the progress takes milliseconds."""
