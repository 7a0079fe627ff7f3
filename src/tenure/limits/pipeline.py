"""Bounds of `tenure.pipeline`."""

from typing import Final

STATE_DELTAS_MAX: Final = 16
"""Maximum number of deltas over a base: a host that opens the lane for the first time reads all of them. At the limit,
a batch merges the newest deltas into its own delta."""

STATE_BATCH_BYTES: Final = 8_388_608
"""Approximate size of the parts in which a state file is written and read; a part takes some ten milliseconds."""

STATE_PIECES_AHEAD: Final = 8
"""Maximum number of reads of a state file that are not digested yet. Arrow reads a record batch in four reads, so two
record batches may wait."""

STATE_IN_ORDER_ROWS_MIN: Final = 500_000
"""Number of keys from which a base is written in the order of its keys. Sorting takes 1 us per key. A batch then finds
the few keys that it needs without a scan. A scan of a smaller base takes only some milliseconds."""

STATE_SORTED_BYTES: Final = 134_217_728
"""Size of the rows that are collected in memory at a time, while a base is sorted by key for the first time. Each
collection reads the whole state once."""

STATE_SNAPSHOT_SHARE: Final = 0.25
"""A snapshot begins when the number of changes in the deltas reaches this share of the number of keys. A snapshot then
writes about four keys per change. If the share reaches 1 before the snapshot is complete, a batch writes a base
itself."""

STATE_CACHE_LOOK_SHARE: Final = 1 / 64
"""Share of STATE_CACHE_BYTES_MAX that a process adds before it looks for files to remove: the cache may exceed its
limit by this share."""

STATE_CACHE_BYTES_MAX: Final = 4 * 1024**3
"""Maximum total size of the copies of state files on a host. Above it, unused copies are removed, for example those of
partitions that have moved away."""

STATE_CACHE_IN_USE_S: Final = 3600.0
"""Time for which an opened copy counts as in use. Copies in use stay, whatever their size: each batch needs them."""

STANDBY_COPY_S: Final = 0.5
"""Interval at which a standby checks for new batches, with one request for all lanes. At a takeover, at most the
batches of half a second are not copied yet."""

REPARTITION_PURGE_S: Final = 30.0
"""Interval at which a member of a streams group deletes processed records from topics of `through`: Kafka Streams'
default of `repartition.purge.interval.ms`."""

CHECKED_COPIES_MAX: Final = 65_536
"""Maximum number of copies that a process remembers as checked, about 200 bytes each. At the limit, it drops all
entries and checks copies again."""

STATE_CACHE_FREE_SHARE: Final = 0.1
"""Share of the disk that copies leave free for other programs, whether they are in use or not."""

STORE_BLOCK_BYTES: Final = 8_388_608
"""Bytes per request to an object store: more than the minimum size of a part of an upload (S3: 5 MiB), and so many that
the latency of a request does not matter."""

STATE_THREADS_BYTES_MIN: Final = 1_048_576
"""Size from which the columns of a state file are compressed and decompressed in threads. A batch mostly writes a few
kilobytes, for which waking threads takes five to ten times as long as the work."""

BAD_RECORDS_PER_BATCH_MAX: Final = 1_000
"""Maximum number of bad records that one batch of a lane may skip or forward: if all records are bad, the function is
wrong."""

GROWING_FILES_MAX: Final = 64
"""Maximum number of growing files of a lane: each is a line in every manifest. If there are more small files, later
batches extend only the newest ones."""

OUTPUT_PARTITIONS_PER_BATCH_MAX: Final = 1_000
"""Maximum number of directories of a partitioned sink that one batch of a lane writes to: each is a file, two syncs,
and a line in the manifest."""

RUNNING_RECORDS: Final = 1_000_000
"""Records in the running batches of a member. They need some hundred MB in its tasks. A revocation waits until they are
processed, which takes some seconds."""

RUNNING_BYTES: Final = 536_870_912
"""Uncompressed bytes of the records in the running batches of a member. Tasks need this memory once for the records,
and more for the results of the function. With records of a kilobyte, that is half a million records, and the fixed cost
of a bundle is a few percent."""

LANE_PIECE_BYTES: Final = 8_388_608
"""Size at which a piece of a lane's records ends; a task processes one piece after the other. It is less than a
response to Fetch, so each response is one piece. Each piece uses the memory of the previous one, because new memory
costs more time than copying records into it."""

TARGET_BATCH_TIME_S: Final = 10.0
"""Seconds that a bundle should take. That is long enough that the fixed cost of a task does not matter. It is a small
part of the time for which a revocation waits for a bundle, a quarter of `max.poll.interval.ms`."""

RUNNING_BATCHES: Final = 2
"""Bundles that a member runs at the same time, each in a task. If a slow lane occupies one task, the other lanes use
the second one."""

PUBLICATIONS_AT_ONCE: Final = 4
"""Maximum number of publications that a member runs at the same time. They wait for a disk or a database. More
publications would mostly wait for each other."""

BUNDLE_SHARE_MIN: Final = 0.01
"""Minimum size of a bundle, as a share of the records that a member may have in running batches: a task for fewer
records would cost more than it saves."""

FIRST_RECORD_BYTES: Final = 1_024.0
FIRST_RECORD_S: Final = 0.000_1
"""Assumed size (FIRST_RECORD_BYTES) and processing time (FIRST_RECORD_S) of a record before the first batch of a lane.
They keep the first batch small. Measured values replace them after that batch."""

RUN_POLL_S: Final = 0.02
"""Interval at which the engine checks running batches and the group: well below the duration of a batch."""

IDLE_POLL_S: Final = 0.2
"""Interval at which the ends of logs without new records are checked."""

REASON_CHARACTERS_MAX: Final = 500
"""Maximum number of characters of an exception's message that are quoted: enough to recognise it."""

TRANSACTIONS_SETTLED_AT_ONCE: Final = 16
"""Transactions of newly assigned lanes that a member ends at the same time; each waits for its coordinator."""

POINTER_RECOMMIT_S: Final = 86_400.0
"""Interval at which the pointer of an idle lane is committed again: it would expire with the group's offsets after 7
days (rule 6.4)."""

FAILURES_IN_A_ROW_MAX: Final = 8
"""Number of refused commits and failed lanes in a row at which a pipeline stops: with the pauses between them about
half a minute, longer than a broker's restart."""

LANE_BACKOFF_S: Final = 0.1
"""Pause after the first failure of a lane or member. Each further failure doubles it, up to LANE_BACKOFF_MAX_S."""

LANE_BACKOFF_MAX_S: Final = 10.0
"""Longest pause between two attempts: a failing pipeline retries soon after a repair, and does not overload a restarted
broker."""

SUSPENSION_SHARE: Final = 0.25
"""Share of `max.poll.interval.ms` after which a member without checks counts as suspended. The time of the suspension
does not count as running time of its batches. A member usually checks its batches every second. If a check comes late
for another reason, a batch that hangs is found later by at most this share."""

STOP_GRACE_S: Final = 10.0
"""Time in which a running bundle may end when the pipeline is asked to stop; then it is dropped. Kubernetes gives 30 s.
"""

MAP_WITH_STATE_RECORDS: Final = 10_000
"""Records that are converted to Python dictionaries together: they need some ten megabytes, whatever the size of the
batch."""

WINDOWS_PER_ROW_MAX: Final = 1_000
"""Maximum number of sliding windows that contain one row: the memory of a batch grows by this factor."""

TTL_TICKS: Final = 16
"""Number of ticks of the clock for expiry in one time to live. Expired keys are deleted at each tick, so the rows of a
batch are divided at ticks, and the function is called for each part."""

TRACEBACK_FRAMES_MAX: Final = 3
"""Maximum number of frames of the user's code that an error names: the line that failed, and how it was reached."""

THROUGHPUT_WINDOW_S: Final = 60.0
"""Time over which records and rows per second are averaged: several batches, and short enough to see a change."""

THROUGHPUT_BATCHES_MAX: Final = 4_096
"""Maximum number of batches that are remembered for the average throughput, about 100 bytes each. If there are more in
THROUGHPUT_WINDOW_S, the average covers a shorter time."""
