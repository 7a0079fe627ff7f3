"""Bounds of `tenure.move`."""

from typing import Final

FETCH_BYTES: Final = 8_388_608
"""Bytes of a Fetch from the source: some batches of each of several partitions, two such answers in memory."""

FETCH_PARTITIONS_MAX: Final = 500
"""Partitions of a Fetch: its answer has room for some of them only, and the others take turns."""

SMALL_BATCH_BYTES: Final = 2_048
"""Size below which batches are joined with those beside them: a request costs more than decoding their records."""

JOINED_BATCH_BYTES: Final = 131_072
"""Size of joined batches: `PRODUCER_BATCH_BYTES`."""

REQUEST_BYTES: Final = 4_194_304
"""Size from which a Produce request to the target gets no further batch: several batches of 1 MB, the default limit of
brokers."""

REQUESTS_IN_FLIGHT_MAX: Final = 5
"""Produce requests without answer: a broker remembers the last five batches of a producer, and accepts each once."""

PRODUCER_KNOWN_S: Final = 3_600.0
"""Time for which the target certainly remembers the producer: a part of Kafka's `producer.id.expiration.ms` (a day)."""

CHECKPOINT_INTERVAL_S: Final = 1.0
"""Interval between two commits of the progress: after a crash, at most this much is read again."""

CHECKPOINT_BYTES: Final = 67_108_864
"""Bytes after which the progress is committed earlier, so that a resumed run compares few records."""

PROGRESS_REQUEST_BYTES: Final = 262_144
"""Bytes of progress in one commit request: a coordinator writes it as one batch, of at most 1 MB by default."""

RUNS_MAX: Final = 48
"""Runs of copied records that the progress of a partition names: with large offsets 3 kB of the 4,096 bytes that
`offset.metadata.max.bytes` permits."""

PROGRESS_INTERVAL_S: Final = 1.0
"""Interval between two updates of the progress line on a terminal."""

PROGRESS_LOG_INTERVAL_S: Final = 10.0
"""Interval between two log lines of the progress."""

FAILURES_BACKOFF_S: Final = 0.1
"""Pause after a failed write, before the position is read from the target again."""

WATCH_INTERVAL_S: Final = 1.0
"""Interval between two looks at the committed offsets of the source: Java's consumers commit every 5 s."""

FOLLOW_INTERVAL_S: Final = 2.0
"""Pause between two passes of a move that follows the source."""

TRANSACTION_TIMEOUT_MS: Final = 60_000
"""Kafka's default `transaction.timeout.ms`: a commit of the progress takes milliseconds."""
